/* F02: a required Booklet entry without ModuleManifest stops the whole world. */
#include "checks/module/entries.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_missing_modules(ctx, true);
	return DIAG_OK;
}

DIAG_CHECK(module_missing) = {
	.id = "module.missing",
	.title = "Required modules have a ModuleManifest",
	.fault = "F02",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The world is not resolved; what an earlier state left keeps running.",
	.hint = "Apply the ModuleManifest, or set required: false on the Booklet's entry.",
	.requires = DIAG_RESOURCES("booklets.bindery.platform", "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.run = run,
};
