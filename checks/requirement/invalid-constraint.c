/* F19: the constraint does not parse. */
#include "checks/requirement/unresolved.h"

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	report_unresolved(ctx, UNRESOLVED_INVALID_CONSTRAINT);
	return DIAG_OK;
}

DIAG_CHECK(requirement_invalid_constraint) = {
	.id = "requirement.invalid-constraint",
	.title = "Version constraints parse",
	.fault = "F19",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The world ends in phase Error; the consumer runs without this dependency.",
	.hint = "Correct the constraint; docs/checks/requirement.invalid-constraint.md has the grammar.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform", "realms.bindery.platform"),
	.run = run,
};
