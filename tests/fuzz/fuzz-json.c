/* JSON with positions: no input crashes, and what loads has positions inside its text. */
#include <stdint.h>

#include "text/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	diag_positions_auto struct diag_positions *positions = diag_positions_new();
	json_t *documents = NULL;

	if (diag_json_load((const char *)data, size, positions, "f", 1, &documents, NULL) == 0)
		json_decref(documents);
	return 0;
}
