/* F121: somebody scaled a published Deployment to zero; the operator looks again only when its
 * binding changes. */
#include "text/json.h"

#include "checks/pod/pods.h"
#include "checks/workload/published.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		   const json_t *binding)
{
	struct diag_ref deployment =
		diag_ref_make("Deployment", runtime->namespace_, runtime->name);
	struct diag_finding *finding = diag_check_find(
		ctx, deployment,
		"%s was scaled to 0 replicas by hand, but its address is published", runtime->name);

	finding_about_runtime(finding, runtime);
	diag_finding_related(finding, diag_ref_of(binding));
	diag_finding_field(finding, deployment, "spec.replicas", "0");
	diag_finding_command(finding, "kubectl", "-n", runtime->namespace_, "scale", "deployment",
			     runtime->name, "--replicas=1", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_runtime *runtime;
	const json_t *binding;
	const char *service;

	foreach_runtime(ctx, runtime) {
		if (diag_workload_replicas(runtime->real) != 0 ||
		    bindery_is_deleting(runtime->real->deployment))
			continue;
		binding = publishing_binding_of(ctx, runtime, &service);
		if (binding)
			report(ctx, runtime, binding);
	}
	return DIAG_OK;
}

DIAG_CHECK(workload_scaled_to_zero) = {
	.id = "workload.scaled-to-zero",
	.title = "Published Deployments are not scaled to zero",
	.fault = "F121",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Connections to the published address fail.",
	.hint = "Scale it back to 1; take the module out of the Booklet to stop it.",
	.requires = DIAG_RESOURCES("deployments.apps", "capabilitybindings.bindery.platform"),
	.run = run,
};
