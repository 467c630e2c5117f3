/* F63: killed for memory; the operator sets no limit, so it comes from a LimitRange or the node. */
#include "text/json.h"

#include "checks/pod/pods.h"

static const char *memory_limit(const struct troubled_pod *found)
{
	const json_t *container;
	size_t i;

	json_array_foreach(diag_json_array(found->pod, "spec", "containers"), i, container) {
		const char *limit = diag_json_str(container, "resources", "limits", "memory");

		if (limit)
			return limit;
	}
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	const char *limit = memory_limit(found);
	struct diag_finding *finding = diag_check_find(
		ctx, workload_subject(found), "%s is killed for memory: container %s has %s%s",
		found->runtime->name, found->state.container, limit ? "a limit of " : "no limit",
		limit ? limit : "");
	const json_t *range;

	finding_about_pod(finding, found);
	finding_add_last_words(ctx, finding, found);
	diag_snapshot_foreach(ctx->snapshot, "limitranges", range)
		diag_finding_related(finding, diag_ref_of(range));
	if (limit)
		diag_finding_edit(finding, "raise the default memory limit of the namespace's "
					   "LimitRange: the operator sets none itself");
	diag_finding_command(finding, "kubectl", "-n", found->runtime->namespace_, "get",
			     "limitranges", "-o", "yaml", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_troubled_pod(ctx, DIAG_POD_OOM, report);
	return DIAG_OK;
}

DIAG_CHECK(pod_out_of_memory) = {
	.id = "pod.out-of-memory",
	.title = "Modules have the memory they need",
	.fault = "F63",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module restarts without end.",
	.hint = "Raise the limit that a LimitRange gives, or let the module use less.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.enriches = DIAG_RESOURCES("logs", "limitranges"),
	.run = run,
};
