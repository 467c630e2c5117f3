/* F107: the operator's pod is Ready, but it does not hold the lease: nothing ever runs. */
#include <stdio.h>

#include "base/str.h"
#include "base/timestamp.h"
#include "bindery/operator.h"
#include "text/json.h"

#include "checks/operator/operators.h"

#define LEASE "capabilityresolver.bindery.platform"

/* A lease is renewed every two seconds; so long without, nobody leads. */
static const int64_t stale_ms = DIAG_MINUTE_MS;

static bool elects_leader(const json_t *deployment)
{
	const json_t *container, *arg;
	size_t i, j;

	json_array_foreach(diag_json_array(deployment, "spec", "template", "spec", "containers"), i,
			   container) {
		json_array_foreach(diag_json_array(container, "args"), j, arg) {
			const char *text = json_string_value(arg);

			if (diag_str_in(text, "--leader-elect", "--leader-elect=true",
					"-leader-elect", NULL))
				return true;
		}
	}
	return false;
}

/* A world that the resolver has not looked at, or not since its last change. */
static bool any_world_unobserved(const struct diag_check_ctx *ctx)
{
	const json_t *world;

	diag_snapshot_foreach(ctx->snapshot, "worldinstances.bindery.platform", world) {
		if (diag_json_int(world, 0, "status", "observedGeneration") <
		    diag_json_int(world, 1, "metadata", "generation"))
			return true;
	}
	return false;
}

/* A lease that is merely old may have been read long before the rest, or be a recording's: it takes
 * a sign of inaction too. */
static bool is_inert(const struct diag_check_ctx *ctx, const json_t *lease)
{
	int64_t renewed = diag_time_parse(diag_json_str(lease, "spec", "renewTime"));

	if (!lease)
		return true;
	return diag_check_age(ctx, renewed) > stale_ms &&
	       (any_world_unobserved(ctx) ||
		finding_operator_log(ctx, NULL, "error retrieving resource lock"));
}

static void report(const struct diag_check_ctx *ctx, const json_t *deployment, const json_t *lease)
{
	struct diag_ref ref = diag_ref_of(deployment);
	char target[300];
	bool forbidden = finding_operator_log(ctx, NULL, "error retrieving resource lock");
	struct diag_finding *finding = find_operator_fault(
		ctx, deployment, "the operator is Ready but leads nothing: its lease is %s%s",
		lease ? "not renewed" : "not there", forbidden ? ", and it may not use it" : "");

	if (lease)
		diag_finding_field(finding, diag_ref_of(lease), "spec.renewTime", "%s",
				   diag_json_str(lease, "spec", "renewTime")
					   ? diag_json_str(lease, "spec", "renewTime")
					   : "absent");
	else
		diag_finding_related(finding, diag_ref_make("Lease", ref.namespace_, LEASE));
	finding_operator_log(ctx, finding, "error retrieving resource lock");
	if (forbidden)
		diag_finding_edit(finding,
				  "grant the operator's service account get, create and update on "
				  "leases.coordination.k8s.io in namespace %s, or start it without "
				  "--leader-elect",
				  ref.namespace_);
	snprintf(target, sizeof(target), "deploy/%s", ref.name);
	diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "logs", target, "--tail=20",
			     NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *deployment = bindery_operator(ctx->snapshot);
	struct diag_ref ref = diag_ref_of(deployment);
	const json_t *pod = operator_pod(ctx), *lease;

	if (!deployment)
		diag_check_skip(ctx, OPERATOR_NOT_VISIBLE);
	if (!deployment || !elects_leader(deployment) ||
	    diag_json_int(deployment, 0, "status", "availableReplicas") == 0 ||
	    !diag_snapshot_has(ctx->snapshot, "leases.coordination.k8s.io", ref.namespace_) ||
	    diag_check_is_young(ctx, diag_created_at(pod)))
		return DIAG_OK;
	lease = diag_snapshot_get(ctx->snapshot, "leases.coordination.k8s.io", ref.namespace_,
				  LEASE);
	if (is_inert(ctx, lease))
		report(ctx, deployment, lease);
	return DIAG_OK;
}

DIAG_CHECK(operator_no_leader) = {
	.id = "operator.no-leader",
	.title = "The operator holds its lease",
	.fault = "F107",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The pod is Ready and nothing happens; all status stays empty.",
	.hint = "Give the operator rights on leases in its namespace.",
	.requires = DIAG_RESOURCES("deployments.apps", "leases.coordination.k8s.io"),
	.enriches = DIAG_RESOURCES("pods", "replicasets.apps", "logs",
				   "worldinstances.bindery.platform"),
	.supplementary = true,
	.run = run,
};
