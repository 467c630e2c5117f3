/* F14: no module of the Booklet or realm provides the capability. */
#include "checks/requirement/unresolved.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_unresolved(ctx, UNRESOLVED_NO_PROVIDER);
	return DIAG_OK;
}

DIAG_CHECK(requirement_no_provider) = {
	.id = "requirement.no-provider",
	.title = "Required capabilities have a provider",
	.fault = "F14",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The world ends in phase Error; the consumer runs without this dependency.",
	.hint = "Add a module that provides it to the Booklet or its realm, or correct the capabilityId.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform", "realms.bindery.platform"),
	.run = run,
};
