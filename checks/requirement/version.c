/* F16: every provider of the right scope has a version that the constraint refuses. */
#include "checks/requirement/unresolved.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_unresolved(ctx, UNRESOLVED_VERSION);
	return DIAG_OK;
}

DIAG_CHECK(requirement_version) = {
	.id = "requirement.version",
	.title = "Providers satisfy the version that is required",
	.fault = "F16",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The world ends in phase Error; the consumer runs without this dependency.",
	.hint = "Widen the constraint or upgrade the provider.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform", "realms.bindery.platform"),
	.run = run,
};
