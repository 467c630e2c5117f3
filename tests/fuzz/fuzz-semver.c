/* Versions and constraints: the text before the first newline is a constraint, the rest a version.
 */
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "text/semver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	diag_autofree char *text = diag_xstrndup((const char *)data, size);
	char *newline = strchr(text, '\n');
	diag_constraint_auto struct diag_constraint *constraint = NULL;
	struct diag_semver version diag_semver_auto = { 0 };

	if (newline)
		*newline = '\0';
	if (diag_constraint_parse_trimmed(text, &constraint, NULL) == 0 && newline &&
	    diag_semver_parse(newline + 1, &version, NULL) == 0)
		diag_constraint_holds(constraint, &version);
	free(diag_constraint_suggest(text));
	return 0;
}
