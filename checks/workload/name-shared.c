/* F43: two worlds compute one workload name; the second reuses what the first made. */
#include "checks/workload/shared.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_shared_names(ctx, false);
	return DIAG_OK;
}

DIAG_CHECK(workload_name_shared) = {
	.id = "workload.name-shared",
	.title = "No two worlds compute one workload name",
	.fault = "F43",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Traffic of one world reaches a module of the other.",
	.hint = "Rename a world or module: their names are joined by hyphens.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
