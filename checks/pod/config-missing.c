/* K04: a ConfigMap, a Secret or a key of one that the container needs is not there. */
#include "checks/pod/pods.h"

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	struct diag_finding *finding = diag_check_find(
		ctx, workload_subject(found), "%s cannot start: %s", found->runtime->name,
		found->state.message ? found->state.message : "its configuration is not there");

	finding_about_pod(finding, found);
	diag_finding_field(finding, diag_ref_of(found->pod), "status.containerStatuses", "%s",
			   found->state.reason ? found->state.reason : "");
	diag_finding_command(finding, "kubectl", "-n", found->runtime->namespace_, "describe",
			     "pod", diag_ref_of(found->pod).name, NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_troubled_pod(ctx, DIAG_POD_CONFIG, report);
	return DIAG_OK;
}

DIAG_CHECK(pod_config_missing) = {
	.id = "pod.config-missing",
	.title = "ConfigMaps and Secrets that pods use exist",
	.fault = "K04",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module never starts.",
	.hint = "Create the object or the key, or drop the reference.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.run = run,
};
