/* K24: the pod had to make room for one of higher priority. */
#include "checks/pod/ended.h"

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	const char *message = found->state.message ? found->state.message : "no reason given";
	struct diag_finding *finding =
		diag_check_find(ctx, workload_subject(found), "%s had to make room: %s",
				found->runtime->name, message);

	finding_about_pod(finding, found);
	diag_finding_field(finding, diag_ref_of(found->pod), "status.reason", "Preempted: %s",
			   message);
	diag_finding_edit(finding, "give the module a PriorityClass of its own in "
				   "spec.scheduling.priorityClassName, or add room");
	diag_finding_command(finding, "kubectl", "-n", found->runtime->namespace_, "describe",
			     "pod", diag_ref_of(found->pod).name, NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_ended_pod(ctx, "Preempted", report);
	return DIAG_OK;
}

DIAG_CHECK(pod_preempted) = {
	.id = "pod.preempted",
	.title = "Pods of modules need not make room for others",
	.fault = "K24",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module is away until there is room for it again.",
	.hint = "Give the module a higher priority, or the cluster more room.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.run = run,
};
