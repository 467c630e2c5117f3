/* K07: a pod is past the end of its grace period and still there. */
#include "base/str.h"
#include "base/timestamp.h"
#include "text/json.h"

#include "checks/pod/pods.h"

/* The kubelet kills and reports within seconds; the API server forgets the pod right after. */
static const int64_t usual_ms = DIAG_MINUTE_MS;

static void report(const struct diag_check_ctx *ctx, const json_t *pod, const char *since)
{
	struct diag_ref ref = diag_ref_of(pod);
	const char *node = diag_json_str(pod, "spec", "nodeName");
	const char *finalizer = json_string_value(
		json_array_get(diag_json_array(pod, "metadata", "finalizers"), 0));
	struct diag_finding *finding;

	if (finalizer)
		finding = diag_check_find(ctx, ref,
					  "pod %s should be gone since %s and is kept by the "
					  "finalizer %s",
					  ref.name, since, finalizer);
	else
		finding = diag_check_find(ctx, ref,
					  "pod %s should be gone since %s, and the kubelet of node "
					  "%s has not ended it",
					  ref.name, since, node ? node : "(none)");
	diag_finding_at(finding, "namespace", NULL, ref.namespace_);
	diag_finding_field(finding, ref, "metadata.deletionTimestamp", "%s", since);
	if (finalizer)
		diag_finding_field(finding, ref, "metadata.finalizers", "%s", finalizer);
	if (node) {
		diag_finding_needs(finding, "node", NULL, node);
		diag_finding_related(finding, diag_ref_make("Node", NULL, node));
		diag_finding_command(finding, "kubectl", "describe", "node", node, NULL);
	}
	diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "get", "pod", ref.name, "-o",
			     "yaml", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *pod;

	diag_snapshot_foreach(ctx->snapshot, "pods", pod) {
		const char *since = diag_json_str(pod, "metadata", "deletionTimestamp");

		/* The stamp is when the grace period ends. */
		if (!since || !diag_str_eq(diag_json_str(pod, "metadata", "labels",
							 BINDERY_LABEL "managed-by"),
					   "runtimeorchestrator"))
			continue;
		if (diag_check_age(ctx, diag_time_parse(since)) < DIAG_MAX(ctx->grace_ms, usual_ms))
			diag_check_progress(ctx, diag_ref_of(pod), "being deleted");
		else
			report(ctx, pod, since);
	}
	return DIAG_OK;
}

DIAG_CHECK(pod_deletion_hangs) = {
	.id = "pod.deletion-hangs",
	.title = "Pods that are deleted go away",
	.fault = "K07",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The pod keeps its volumes and its place; a volume of one writer is not free.",
	.hint = "Mend the node's kubelet, or the owner of the finalizer.",
	.requires = DIAG_RESOURCES("pods"),
	.enriches = DIAG_RESOURCES("nodes"),
	.run = run,
};
