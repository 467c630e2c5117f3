/* K05: the container cannot be created or started: no such command, wrong architecture, bad mount.
 */
#include "checks/pod/pods.h"

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	char brief[512];
	struct diag_finding *finding;

	brief_message(found->state.message, brief, sizeof(brief));
	finding = diag_check_find(ctx, workload_subject(found),
				  "%s cannot start: container %s cannot be run: %s",
				  found->runtime->name, found->state.container, brief);
	finding_about_pod(finding, found);
	diag_finding_field(finding, diag_ref_of(found->pod), "status.containerStatuses", "%s: %s",
			   found->state.reason ? found->state.reason : "",
			   found->state.message ? found->state.message : "");
	diag_finding_edit(finding,
			  "correct spec.runtime.command of %s %s, or use an image that has it; "
			  "then:",
			  finding->subject.kind, finding->subject.name);
	finding_roll_out(finding, found->runtime);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_troubled_pod(ctx, DIAG_POD_CREATE, report);
	return DIAG_OK;
}

DIAG_CHECK(pod_start_failed) = {
	.id = "pod.start-failed",
	.title = "Containers of modules can be started",
	.fault = "K05",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module never starts.",
	.hint = "Check the command, its arguments and the image's architecture.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.run = run,
};
