/* F03: an optional Booklet entry without ModuleManifest is skipped without a word. */
#include "checks/module/entries.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_missing_modules(ctx, false);
	return DIAG_OK;
}

DIAG_CHECK(module_optional_missing) = {
	.id = "module.optional-missing",
	.title = "Optional modules have a ModuleManifest",
	.fault = "F03",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module does not run, and nothing else says so.",
	.hint = "Apply the ModuleManifest, or drop the entry from the Booklet.",
	.requires = DIAG_RESOURCES("booklets.bindery.platform", "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.run = run,
};
