/* F60: the image of the operator's own init container cannot be pulled; one cause for all who wait.
 */
#include "base/str.h"

#include "checks/pod/pods.h"

/* The finding for all workloads of a namespace, made at the first. */
static struct diag_finding *start(const struct diag_check_ctx *ctx,
				  const struct troubled_pod *found)
{
	struct diag_finding *finding = diag_check_find(
		ctx, diag_ref_make("Deployment", found->runtime->namespace_, found->runtime->name),
		"wait-for-deps cannot start: the operator's init image %s cannot be pulled",
		diag_str_empty(found->state.image) ? "busybox" : found->state.image);
	char brief[512];

	diag_finding_field(finding, diag_ref_of(found->pod), "status.initContainerStatuses",
			   "%s: %s", found->state.reason ? found->state.reason : "",
			   brief_message(found->state.message, brief, sizeof(brief)));
	diag_finding_edit(finding,
			  "mirror the image where the nodes can pull it, or load it onto them; "
			  "its name is fixed in the operator");
	diag_finding_command(finding, "kubectl", "-n", found->runtime->namespace_, "describe",
			     "pod", diag_ref_of(found->pod).name, NULL);
	return finding;
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_runtime *runtime;
	struct diag_finding *finding = NULL;
	struct troubled_pod found;

	foreach_runtime(ctx, runtime) {
		if (!find_troubled_pod(ctx, runtime, DIAG_POD_IMAGE, &found) ||
		    !is_wait_container(&found.state))
			continue;
		if (!finding || !diag_str_eq(finding->subject.namespace_, runtime->namespace_))
			finding = start(ctx, &found);
		finding_about_runtime(finding, runtime);
		diag_finding_related(finding, diag_ref_of(found.pod));
	}
	return DIAG_OK;
}

DIAG_CHECK(wait_image) = {
	.id = "wait.image",
	.title = "The image of wait-for-deps can be pulled",
	.fault = "F60",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "No module with dependencies starts.",
	.hint = "Mirror the image, or load it onto the nodes.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.run = run,
};
