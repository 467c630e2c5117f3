/* The policy of bindery-check: the command line before the configuration before the defaults. */
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/timestamp.h"

#include "tools/bindery-check.h"

#define CONFIG_NAME "." TOOL_NAME ".yaml"

int read_config(const struct options *options, struct diag_config **ret_config,
		struct diag_error *err)
{
	struct diag_buf path diag_buf_auto = { 0 };
	diag_autofree char *here = NULL, *folder = NULL;

	if (options->config)
		return diag_config_read(options->config, ret_config, err);
	here = options->no_config ? NULL : getcwd(NULL, 0);
	folder = here ? diag_file_upwards(here, CONFIG_NAME) : NULL;
	if (!folder) {
		*ret_config = diag_config_new();
		return DIAG_OK;
	}
	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	diag_buf_printf(&path, "%s/%s", folder, CONFIG_NAME);
	return diag_config_read(diag_buf_str(&path), ret_config, err);
}

static int first_given(int option, int configured, int otherwise)
{
	return option >= 0 ? option : configured >= 0 ? configured : otherwise;
}

struct diag_policy policy_of(const struct options *options, const struct diag_config *config)
{
	int64_t grace_ms = options->grace_ms >= 0 ? options->grace_ms : config->grace_ms;

	return (struct diag_policy){
		.only = options->only.count ? options->only.items : config->only,
		.skip = options->skip.count ? options->skip.items : config->skip,
		.show = (enum diag_severity)first_given(options->show, config->show,
							DIAG_SEVERITY_INFO),
		.fail_on = (enum diag_severity)first_given(options->fail_on, config->fail_on,
							   DIAG_SEVERITY_ERROR),
		.grace_ms = grace_ms >= 0 ? grace_ms : 30 * DIAG_SECOND_MS,
		.worlds = options->worlds.items,
		.severities = config->severities,
		.severity_count = config->severity_count,
	};
}
