/* F111: the operator is killed for memory: the chart fixes its limit and ignores the values. */
#include <inttypes.h>

#include "base/str.h"
#include "base/timestamp.h"
#include "bindery/operator.h"
#include "model/pod.h"
#include "text/json.h"

#include "checks/operator/operators.h"

/* Kills so many, the last so lately, are no single accident that is over. */
#define MANY_RESTARTS 3
static const int64_t lately_ms = 10 * DIAG_MINUTE_MS;

static bool is_killed(const struct diag_check_ctx *ctx, const json_t *pod)
{
	const json_t *status =
		diag_json_named(diag_json_array(pod, "status", "containerStatuses"), "manager");
	int64_t ended =
		diag_time_parse(diag_json_str(status, "lastState", "terminated", "finishedAt"));

	if (diag_pod_state(pod).trouble == DIAG_POD_OOM)
		return true;
	return diag_str_eq(diag_json_str(status, "lastState", "terminated", "reason"),
			   "OOMKilled") &&
	       diag_json_int(status, 0, "restartCount") >= MANY_RESTARTS &&
	       diag_check_age(ctx, ended) < lately_ms;
}

static void report(const struct diag_check_ctx *ctx, const json_t *deployment, const json_t *pod)
{
	struct diag_ref ref = diag_ref_of(deployment);
	const json_t *container = diag_json_named(
		diag_json_array(deployment, "spec", "template", "spec", "containers"), "manager");
	const json_t *status =
		diag_json_named(diag_json_array(pod, "status", "containerStatuses"), "manager");
	const char *limit = diag_json_str(container, "resources", "limits", "memory");
	struct diag_finding *finding = find_operator_fault(
		ctx, deployment, "the operator is killed for memory again and again: it has %s%s",
		limit ? "a limit of " : "no limit", limit ? limit : "");

	diag_finding_related(finding, diag_ref_of(pod));
	diag_finding_field(finding, diag_ref_of(pod), "status.lastState.terminated.reason",
			   "OOMKilled, %" PRId64 " restarts",
			   diag_json_int(status, 0, "restartCount"));
	diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "set", "resources",
			     "deployment", ref.name, "-c", "manager", "--limits=memory=1Gi", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *deployment = bindery_operator(ctx->snapshot);
	struct diag_ref ref = diag_ref_of(deployment);
	const struct diag_workload *workload;

	if (!deployment) {
		diag_check_skip(ctx, OPERATOR_NOT_VISIBLE);
		return DIAG_OK;
	}
	workload = diag_workloads_get(view_of(ctx)->workloads, ref.namespace_, ref.name);
	for (size_t i = 0; workload && i < workload->pod_count; i++) {
		if (!is_killed(ctx, workload->pods[i]))
			continue;
		report(ctx, deployment, workload->pods[i]);
		break;
	}
	return DIAG_OK;
}

DIAG_CHECK(operator_out_of_memory) = {
	.id = "operator.out-of-memory",
	.title = "The operator has the memory it needs",
	.fault = "F111",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The operator starts over and over, and falls behind with all worlds.",
	.hint = "Raise the memory limit in its Deployment: the chart's values do not reach it.",
	.requires = DIAG_RESOURCES("deployments.apps", "pods", "replicasets.apps"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.supplementary = true,
	.run = run,
};
