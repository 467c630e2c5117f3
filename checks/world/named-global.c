/* F44: `global` is the world part of shared workloads' names; a world of that name may fight with
 * them. */
#include "checks/workload/shared.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_shared_names(ctx, true);
	return DIAG_OK;
}

DIAG_CHECK(world_named_global) = {
	.id = "world.named-global",
	.title = "No world shares its workload names with shared modules",
	.fault = "F44",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "A workload of the world and a shared one fight over one name.",
	.hint = "Rename the world.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
