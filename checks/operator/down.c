/* F106: the operator does not run: nothing reconciles. */
#include <inttypes.h>

#include "bindery/operator.h"
#include "model/condition.h"
#include "model/pod.h"
#include "text/json.h"

#include "checks/operator/operators.h"

static void report(const struct diag_check_ctx *ctx, const json_t *deployment)
{
	struct diag_ref ref = diag_ref_of(deployment);
	int64_t replicas = diag_json_int(deployment, 1, "spec", "replicas");
	const json_t *pod = operator_pod(ctx);
	struct diag_pod_state state = pod ? diag_pod_state(pod) : (struct diag_pod_state){ 0 };
	struct diag_finding *finding =
		replicas ? find_operator_fault(ctx, deployment,
					       "the operator does not run: none of its %" PRId64
					       " pods is available%s%s",
					       replicas, state.reason ? ": " : "",
					       state.reason ? state.reason : "")
			 : find_operator_fault(ctx, deployment,
					       "the operator does not run: it is scaled to 0");

	diag_finding_field(finding, ref, "spec.replicas", "%" PRId64, replicas);
	diag_finding_field(finding, ref, "status.availableReplicas", "%" PRId64,
			   diag_json_int(deployment, 0, "status", "availableReplicas"));
	if (pod)
		diag_finding_related(finding, diag_ref_of(pod));
	if (replicas)
		diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "describe",
				     "deployment", ref.name, NULL);
	else
		diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "scale",
				     "deployment", ref.name, "--replicas=1", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *deployment = bindery_operator(ctx->snapshot);
	int64_t since = diag_condition_time(diag_condition(deployment, "Available"));
	bool scaled = diag_json_int(deployment, 1, "spec", "replicas") == 0;

	if (!deployment)
		diag_check_skip(ctx, OPERATOR_NOT_VISIBLE);
	if (!deployment || diag_json_int(deployment, 0, "status", "availableReplicas") > 0)
		return DIAG_OK;
	if (!scaled && diag_check_is_young(ctx, since))
		diag_check_progress(ctx, diag_ref_of(deployment), "no pod is available yet");
	else
		report(ctx, deployment);
	return DIAG_OK;
}

DIAG_CHECK(operator_down) = {
	.id = "operator.down",
	.title = "The operator runs",
	.fault = "F106",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Nothing reconciles: new worlds stay without status, changes have no effect.",
	.hint = "Start the operator; look at its pod when it does not come up.",
	.requires = DIAG_RESOURCES("deployments.apps"),
	.enriches = DIAG_RESOURCES("pods", "replicasets.apps", "worldinstances.bindery.platform"),
	.run = run,
};
