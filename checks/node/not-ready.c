/* K01: a node with our pods on it is not ready, or its kubelet is silent. */
#include "base/str.h"
#include "model/condition.h"
#include "text/json.h"

#include "checks/node/nodes.h"

static struct diag_finding *judge(const struct diag_check_ctx *ctx, const json_t *node)
{
	const json_t *ready = diag_condition(node, "Ready");
	const char *message = diag_json_str(ready, "message");
	struct diag_finding *finding;

	if (!ready || diag_condition_is(node, "Ready", "True") ||
	    node_is_changing(ctx, node, "Ready"))
		return NULL;
	finding = diag_check_find(ctx, diag_ref_of(node), "node %s is not ready: %s",
				  diag_ref_of(node).name, message ? message : "no reason given");
	finding_about_node(finding, node, "Ready");
	if (diag_condition_is(node, "Ready", "Unknown"))
		diag_finding_edit(finding, "look at the machine and its kubelet: nothing is heard "
					   "of it, so what its pods report is old");
	return finding;
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_node_in_use(ctx, judge);
	return DIAG_OK;
}

DIAG_CHECK(node_not_ready) = {
	.id = "node.not-ready",
	.title = "Nodes that run modules are ready",
	.fault = "K01",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "No module on the node is reachable, and none of its pods changes.",
	.hint = "Mend the node, or take it out of the cluster so that its pods move.",
	.requires = DIAG_RESOURCES("nodes", "pods", "deployments.apps", "replicasets.apps"),
	.supplementary = true,
	.run = run,
};
