/* K02: a node with our pods on it is short of memory, disk or process ids. */
#include "base/macros.h"
#include "model/condition.h"
#include "text/json.h"

#include "checks/node/nodes.h"

static const struct {
	const char *condition;
	const char *lacks;
} pressures[] = {
	{ "MemoryPressure", "memory" },
	{ "DiskPressure", "disk space" },
	{ "PIDPressure", "process ids" },
};

static struct diag_finding *judge(const struct diag_check_ctx *ctx, const json_t *node)
{
	const char *name = diag_ref_of(node).name;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(pressures); i++) {
		struct diag_finding *finding;

		if (!diag_condition_is(node, pressures[i].condition, "True") ||
		    node_is_changing(ctx, node, pressures[i].condition))
			continue;
		finding = diag_check_find(ctx, diag_ref_of(node), "node %s is short of %s", name,
					  pressures[i].lacks);
		diag_finding_discriminate(finding, pressures[i].condition);
		finding_about_node(finding, node, pressures[i].condition);
		return finding;
	}
	return NULL;
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_node_in_use(ctx, judge);
	return DIAG_OK;
}

DIAG_CHECK(node_pressure) = {
	.id = "node.pressure",
	.title = "Nodes that run modules have memory, disk and process ids",
	.fault = "K02",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The kubelet evicts modules, and no new pod is placed on the node.",
	.hint = "Free what is short on the node, or move pods away; requests keep modules from it.",
	.requires = DIAG_RESOURCES("nodes", "pods", "deployments.apps", "replicasets.apps"),
	.supplementary = true,
	.run = run,
};
