/* F20: the API server takes the version, the resolver drops the entry. */
#include "checks/requirement/unresolved.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_unresolved(ctx, UNRESOLVED_PROVIDER_VERSION);
	return DIAG_OK;
}

DIAG_CHECK(requirement_provider_version) = {
	.id = "requirement.provider-version",
	.title = "Provided versions can be read by the resolver",
	.fault = "F20",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The world ends in phase Error; the consumer runs without this dependency.",
	.hint = "Write the version without leading zeros and with numbers of at most 64 bits.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform", "realms.bindery.platform"),
	.run = run,
};
