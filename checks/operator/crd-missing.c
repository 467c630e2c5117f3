/* F109, F110: a kind that the operator watches is not defined: it exits every two minutes; at once
 * when it indexes that kind. */
#include "base/str.h"
#include "bindery/operator.h"

#include "checks/operator/operators.h"

static const char *const watched[] = {
	"booklets.bindery.platform",         "capabilitybindings.bindery.platform",
	"modulemanifests.bindery.platform",  "realms.bindery.platform",
	"shardautoscalers.bindery.platform", "worldinstances.bindery.platform",
	"worldshards.bindery.platform",      "worldstorageclaims.bindery.platform",
};

/* bindery-platform.md 5.1 */
static bool is_indexed(const char *name)
{
	return diag_str_in(name, "booklets.bindery.platform", "capabilitybindings.bindery.platform",
			   "worldinstances.bindery.platform", NULL);
}

static void report(const struct diag_check_ctx *ctx, const json_t *deployment, const char *name)
{
	struct diag_finding *finding = find_operator_fault(
		ctx, deployment, "the operator exits %s: the CRD %s is not installed",
		is_indexed(name) ? "at once" : "every two minutes", name);

	if (is_indexed(name))
		finding->fault = "F110";
	diag_finding_discriminate(finding, name);
	diag_finding_related(finding, diag_ref_make("CustomResourceDefinition", NULL, name));
	if (operator_pod(ctx))
		diag_finding_related(finding, diag_ref_of(operator_pod(ctx)));
	finding_operator_log(ctx, finding, "problem running manager");
	finding_operator_log(ctx, finding, "unable to create controller");
	finding_operator_log(ctx, finding, "no matches for kind");
	diag_finding_edit(finding,
			  "install the CRD %s of the operator's version (the chart does not ship "
			  "every one)",
			  name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *deployment = bindery_operator(ctx->snapshot);

	if (!deployment)
		diag_check_skip(ctx, OPERATOR_NOT_VISIBLE);
	for (size_t i = 0; deployment && i < DIAG_ARRAY_SIZE(watched); i++)
		if (!diag_snapshot_get(ctx->snapshot,
				       "customresourcedefinitions.apiextensions.k8s.io", NULL,
				       watched[i]))
			report(ctx, deployment, watched[i]);
	return DIAG_OK;
}

DIAG_CHECK(operator_crd_missing) = {
	.id = "operator.crd-missing",
	.title = "Every kind that the operator watches is defined",
	.fault = "F109",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Worlds progress by fits and starts between two exits of the operator.",
	.hint = "Install the missing CRD.",
	.requires = DIAG_RESOURCES("customresourcedefinitions.apiextensions.k8s.io"),
	.enriches = DIAG_RESOURCES("deployments.apps", "pods", "replicasets.apps", "logs",
				   "worldinstances.bindery.platform"),
	.supplementary = true,
	.run = run,
};
