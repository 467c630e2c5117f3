/* F15: the capability is provided, but only in another scope. */
#include "checks/requirement/unresolved.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_unresolved(ctx, UNRESOLVED_SCOPE);
	return DIAG_OK;
}

DIAG_CHECK(requirement_scope) = {
	.id = "requirement.scope",
	.title = "Providers are in the scope that is required",
	.fault = "F15",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The world ends in phase Error; the consumer runs without this dependency.",
	.hint = "Make both scopes equal; there is no inheritance between scopes.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform", "realms.bindery.platform"),
	.run = run,
};
