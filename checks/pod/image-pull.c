/* F61: the image of a module cannot be pulled. */
#include "base/str.h"

#include "checks/pod/pods.h"

static void suggest(struct diag_finding *finding, const struct troubled_pod *found)
{
	struct diag_ref subject = finding->subject;

	if (diag_str_eq(found->state.reason, "InvalidImageName"))
		diag_finding_edit(finding,
				  "'%s' is no image name: correct spec.runtime.image of %s %s; "
				  "then:",
				  asked_image(found), subject.kind, subject.name);
	else
		diag_finding_edit(
			finding,
			"set spec.runtime.image of %s %s to an image that can be pulled, or "
			"add pull secrets to the namespace's default service account; then:",
			subject.kind, subject.name);
	finding_roll_out(finding, found->runtime);
}

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	struct diag_finding *finding;
	char brief[512];

	if (is_wait_container(&found->state) || pull_refusal(ctx, found))
		return;
	finding = diag_check_find(ctx, workload_subject(found),
				  "%s cannot start: image %s cannot be "
				  "pulled",
				  found->runtime->name, asked_image(found));
	finding_about_pod(finding, found);
	diag_finding_field(finding, diag_ref_of(found->pod), "status.containerStatuses", "%s: %s",
			   found->state.reason ? found->state.reason : "",
			   brief_message(found->state.message, brief, sizeof(brief)));
	suggest(finding, found);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_troubled_pod(ctx, DIAG_POD_IMAGE, report);
	return DIAG_OK;
}

DIAG_CHECK(pod_image_pull) = {
	.id = "pod.image-pull",
	.title = "Images of modules can be pulled",
	.fault = "F61",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module never starts, and what waits for it does not either.",
	.hint = "Check the image name, the registry, and the pull secrets.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.enriches = DIAG_RESOURCES("events"),
	.run = run,
};
