/* F64: no node fits. */
#include <string.h>

#include "base/str.h"
#include "text/json.h"

#include "checks/pod/pods.h"

static bool node_has(const json_t *node, const char *key, const char *value)
{
	return diag_str_eq(diag_json_str(node, "metadata", "labels", key), value);
}

/* The first label of the nodeSelector that no node carries. */
static void explain_selector(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			     const struct troubled_pod *found)
{
	const json_t *node;
	const char *key;
	json_t *value;
	size_t i;

	if (!diag_snapshot_has(ctx->snapshot, "nodes", NULL))
		return;
	json_object_foreach(diag_json_object(found->pod, "spec", "nodeSelector"), key, value) {
		bool matched = false;

		json_array_foreach(diag_snapshot_list(ctx->snapshot, "nodes"), i, node)
			matched |= node_has(node, key, json_string_value(value));
		if (matched)
			continue;
		diag_finding_field(finding, diag_ref_of(found->pod), "spec.nodeSelector",
				   "%s=%s, which no node has", key,
				   json_string_value(value) ? json_string_value(value) : "");
		diag_finding_edit(
			finding,
			"correct spec.scheduling.nodeSelector of %s %s, or label a node with "
			"%s=%s",
			finding->subject.kind, finding->subject.name, key,
			json_string_value(value) ? json_string_value(value) : "");
		return;
	}
}

/* Claims that the pod mounts: one that is not bound keeps it from being scheduled. */
static void need_claims(struct diag_finding *finding, const struct troubled_pod *found)
{
	const json_t *volume;
	size_t i;

	json_array_foreach(diag_json_array(found->pod, "spec", "volumes"), i, volume) {
		const char *claim = diag_json_str(volume, "persistentVolumeClaim", "claimName");

		if (!claim)
			continue;
		diag_finding_needs(finding, "pvc", found->runtime->namespace_, claim);
		diag_finding_related(finding, diag_ref_make("PersistentVolumeClaim",
							    found->runtime->namespace_, claim));
	}
}

/* "0/3 nodes are available: REASONS. preemption: …": what comes after is the scheduler thinking
 * aloud. */
static size_t reasons_length(const char *message)
{
	const char *end = strstr(message, " preemption:");
	const char *claims = strstr(message, " no new claims");

	if (claims && (!end || claims < end))
		end = claims;
	return end ? (size_t)(end - message) : strlen(message);
}

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	const char *message = found->state.message ? found->state.message : "no node fits";
	struct diag_finding *finding =
		diag_check_find(ctx, workload_subject(found), "%s cannot be scheduled: %.*s",
				found->runtime->name, (int)reasons_length(message), message);

	finding_about_pod(finding, found);
	diag_finding_field(finding, diag_ref_of(found->pod), "status.conditions[PodScheduled]",
			   "%s: %s", found->state.reason ? found->state.reason : "", message);
	diag_finding_needs(finding, "workload", found->runtime->namespace_, found->runtime->name);
	need_claims(finding, found);
	explain_selector(ctx, finding, found);
	diag_finding_command(finding, "kubectl", "-n", found->runtime->namespace_, "describe",
			     "pod", diag_ref_of(found->pod).name, NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_troubled_pod(ctx, DIAG_POD_UNSCHEDULABLE, report);
	return DIAG_OK;
}

DIAG_CHECK(pod_unschedulable) = {
	.id = "pod.unschedulable",
	.title = "Pods of modules find a node",
	.fault = "F64",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module never starts.",
	.hint = "Act on the scheduler's message: resources, taints, selectors, claims.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.enriches = DIAG_RESOURCES("nodes"),
	.run = run,
};
