/* F108: a kind that the operator indexes cannot be listed: it waits for ever, before it elects a
 * leader. */
#include <string.h>

#include "bindery/operator.h"
#include "text/json.h"

#include "checks/operator/operators.h"

/* What the reflector says of each indexed kind (bindery-platform.md 5.1). */
static const char *const failures[] = {
	"failed to list *v1alpha1.WorldInstance:",
	"failed to list *v1alpha1.Booklet:",
	"failed to list *v1alpha1.CapabilityBinding:",
};

/* The log goes back to the start of the process, and the controllers have not started since. */
static bool has_not_started(const char *log)
{
	return log && strstr(log, "starting manager") && !strstr(log, "Starting EventSource") &&
	       !strstr(log, "successfully acquired lease");
}

static void report(const struct diag_check_ctx *ctx, const json_t *deployment, const char *failure)
{
	struct diag_ref ref = diag_ref_of(deployment), pod = diag_ref_of(operator_pod(ctx));
	const char *kind = strrchr(failure, '.') + 1;
	int length = (int)strcspn(kind, ":");
	bool forbidden = finding_operator_log(ctx, NULL, " is forbidden");
	struct diag_finding *finding = find_operator_fault(
		ctx, deployment,
		"the operator is Ready but waits for ever before its start: it cannot list %.*s",
		length, kind);

	diag_finding_related(finding, pod);
	finding_operator_log(ctx, finding, failure);
	if (forbidden)
		diag_finding_edit(finding,
				  "grant the operator's ClusterRole get, list and watch on "
				  "every resource of bindery.platform");
	else
		diag_finding_edit(finding,
				  "mend the %.*s that cannot be decoded: one of them stops all",
				  length, kind);
	diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "logs", pod.name,
			     "--tail=20", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *deployment = bindery_operator(ctx->snapshot), *pod = operator_pod(ctx);
	struct diag_ref ref = diag_ref_of(pod);
	const char *log;

	if (!deployment)
		diag_check_skip(ctx, OPERATOR_NOT_VISIBLE);
	if (!deployment || !pod || diag_check_is_young(ctx, diag_created_at(pod)))
		return DIAG_OK;
	log = diag_snapshot_log(ctx->snapshot, ref.namespace_, ref.name, "manager", false);
	if (!log)
		diag_check_skip(ctx, "the operator's log is not visible");
	for (size_t i = 0; has_not_started(log) && i < DIAG_ARRAY_SIZE(failures); i++) {
		if (!strstr(log, failures[i]))
			continue;
		report(ctx, deployment, failures[i]);
		return DIAG_OK;
	}
	return DIAG_OK;
}

DIAG_CHECK(operator_stuck) = {
	.id = "operator.stuck",
	.title = "The operator gets past its start",
	.fault = "F108",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The pod is Ready and nothing happens; no lease is taken.",
	.hint = "Restore the right to list that kind, or mend the object that cannot be decoded.",
	.requires = DIAG_RESOURCES("deployments.apps", "pods", "replicasets.apps"),
	.enriches = DIAG_RESOURCES("logs", "worldinstances.bindery.platform"),
	.supplementary = true,
	.run = run,
};
