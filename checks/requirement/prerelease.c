/* F17: the fitting versions are prereleases, which the constraint does not let in. */
#include "checks/requirement/unresolved.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_unresolved(ctx, UNRESOLVED_PRERELEASE);
	return DIAG_OK;
}

DIAG_CHECK(requirement_prerelease) = {
	.id = "requirement.prerelease",
	.title = "Prereleases are asked for where only they exist",
	.fault = "F17",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The world ends in phase Error; the consumer runs without this dependency.",
	.hint = "Publish a release, or put a prerelease on every comparator, as in >=1.2.0-0.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform", "realms.bindery.platform"),
	.run = run,
};
