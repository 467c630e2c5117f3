/* F68: the node ran short of something and ended the pod. */
#include "checks/pod/ended.h"

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	const char *message = found->state.message ? found->state.message : "no reason given";
	struct diag_finding *finding = diag_check_find(
		ctx, workload_subject(found), "%s was evicted: %s", found->runtime->name, message);

	finding_about_pod(finding, found);
	diag_finding_field(finding, diag_ref_of(found->pod), "status.reason", "Evicted: %s",
			   message);
	diag_finding_edit(finding, "give the namespace a LimitRange with default requests: the "
				   "operator sets none, so modules go first");
	diag_finding_command(finding, "kubectl", "-n", found->runtime->namespace_, "describe",
			     "pod", diag_ref_of(found->pod).name, NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_ended_pod(ctx, "Evicted", report);
	return DIAG_OK;
}

DIAG_CHECK(pod_evicted) = {
	.id = "pod.evicted",
	.title = "Pods of modules are not evicted",
	.fault = "F68",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module is away until its pod finds room again.",
	.hint = "Free the node, and give modules requests through a LimitRange.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.run = run,
};
