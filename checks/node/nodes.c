#include "checks/node/nodes.h"

#include "base/map.h"
#include "base/str.h"
#include "model/condition.h"
#include "model/pod.h"
#include "text/json.h"

#include "checks/operator/operators.h"
#include "checks/pod/pods.h"

/* What was made of a node: judged once, whether or not something was found. */
struct nodes {
	const struct diag_check_ctx *ctx;
	node_judge *judge;
	struct diag_map *findings; /* node -> struct diag_finding */
	struct diag_map *fine;     /* node -> the node, which nothing is wrong with */
};

static struct diag_finding *finding_of(struct nodes *nodes, const char *name)
{
	struct diag_finding *finding = diag_map_get(nodes->findings, name);
	const json_t *node;

	if (finding || diag_map_get(nodes->fine, name))
		return finding;
	node = diag_snapshot_get(nodes->ctx->snapshot, "nodes", NULL, name);
	if (node)
		finding = nodes->judge(nodes->ctx, node);
	if (finding)
		diag_map_set(nodes->findings, name, finding);
	else
		diag_map_set(nodes->fine, name, nodes);
	return finding;
}

static void add_pod(struct nodes *nodes, const struct bindery_runtime *runtime, const json_t *pod)
{
	const char *name = diag_json_str(pod, "spec", "nodeName");
	const char *phase = diag_json_str(pod, "status", "phase");
	struct diag_finding *finding;

	if (!name || diag_str_eq(phase, "Succeeded") || diag_str_eq(phase, "Failed"))
		return;
	finding = finding_of(nodes, name);
	if (!finding || diag_pod_is_ready(pod))
		return;
	finding_about_runtime(finding, runtime);
	diag_finding_related(finding, diag_ref_of(pod));
}

/* When the operator stands on the node, nothing that it should do is done. */
static void add_operator(struct nodes *nodes)
{
	const json_t *pod = operator_pod(nodes->ctx);
	const char *name = diag_json_str(pod, "spec", "nodeName");
	struct diag_finding *finding = name ? finding_of(nodes, name) : NULL;

	if (finding && !diag_pod_is_ready(pod))
		diag_finding_at(finding, "operator", NULL, "operator");
}

void each_node_in_use(const struct diag_check_ctx *ctx, node_judge *judge)
{
	diag_map_auto struct diag_map *findings = diag_map_new();
	diag_map_auto struct diag_map *fine = diag_map_new();
	struct nodes nodes = { ctx, judge, findings, fine };
	const struct bindery_runtime *runtime;

	foreach_runtime(ctx, runtime)
		for (size_t i = 0; i < runtime->real->pod_count; i++)
			add_pod(&nodes, runtime, runtime->real->pods[i]);
	add_operator(&nodes);
}

void finding_about_node(struct diag_finding *finding, const json_t *node, const char *condition)
{
	const json_t *state = diag_condition(node, condition);
	const char *reason = diag_json_str(state, "reason");
	const char *message = diag_json_str(state, "message");
	struct diag_ref ref = diag_ref_of(node);

	diag_finding_at(finding, "node", NULL, ref.name);
	diag_finding_field(finding, ref, "status.conditions", "%s %s, %s: %s", condition,
			   diag_json_str(state, "status") ? diag_json_str(state, "status")
							  : "absent",
			   reason ? reason : "no reason given", message ? message : "");
	diag_finding_command(finding, "kubectl", "describe", "node", ref.name, NULL);
}

bool node_is_changing(const struct diag_check_ctx *ctx, const json_t *node, const char *condition)
{
	if (!diag_check_is_young(ctx, diag_condition_time(diag_condition(node, condition))))
		return false;
	diag_check_progress(ctx, diag_ref_of(node), "%s changed a moment ago", condition);
	return true;
}
