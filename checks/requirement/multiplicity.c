/* F18: many are required, and the fitting providers are declared "1". */
#include "checks/requirement/unresolved.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_unresolved(ctx, UNRESOLVED_MULTIPLICITY);
	return DIAG_OK;
}

DIAG_CHECK(requirement_multiplicity) = {
	.id = "requirement.multiplicity",
	.title = "Providers offer the multiplicity that is required",
	.fault = "F18",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The world ends in phase Error; the consumer runs without this dependency.",
	.hint = "Require \"1\", or declare the provider many.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform", "realms.bindery.platform"),
	.run = run,
};
