/* Nodes in trouble, as far as pods of the operator's workloads stand on them. */
#pragma once

#include "checks/support.h"

/* Judges one node that carries such a pod: the finding, or NULL when nothing is wrong with it. */
typedef struct diag_finding *node_judge(const struct diag_check_ctx *ctx, const json_t *node);

/**
 * Judge the nodes that carry pods of workloads, each once, and add to its finding whatever stands
 * on it: the workloads whose pods are not ready there, and the operator.
 */
void each_node_in_use(const struct diag_check_ctx *ctx, node_judge *judge);

/** Evidence and keys of a node's condition, and the command that shows the node. */
void finding_about_node(struct diag_finding *finding, const json_t *node, const char *condition);

/** True while the condition has been what it is for less than the grace: said as in progress. */
bool node_is_changing(const struct diag_check_ctx *ctx, const json_t *node, const char *condition);
