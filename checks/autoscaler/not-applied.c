/* F86: the autoscaler wants another number of shards, and the world does not follow. */
#include <inttypes.h>

#include "base/timestamp.h"
#include "text/json.h"

#include "checks/actor.h"
#include "checks/autoscaler/autoscalers.h"
#include "checks/operator/operators.h"

static void report(const struct diag_check_ctx *ctx, const json_t *autoscaler, const json_t *world)
{
	struct diag_ref ref = diag_ref_of(autoscaler);
	int64_t desired = diag_json_int(autoscaler, 0, "status", "desiredShards");
	int64_t count = diag_json_int(world, 0, "spec", "shardCount");
	bool refused = finding_operator_log(ctx, NULL, "unable to update WorldInstance");
	struct diag_finding *finding = diag_check_find(
		ctx, ref,
		"autoscaler %s wants %" PRId64 " shards, but world %s stays at %" PRId64 "%s",
		ref.name, desired, diag_ref_of(world).name, count,
		refused ? ": the operator may not write it" : "");

	diag_finding_related(finding, diag_ref_of(world));
	diag_finding_at(finding, "world", ref.namespace_, diag_ref_of(world).name);
	diag_finding_field(finding, ref, "status.desiredShards", "%" PRId64, desired);
	diag_finding_field(finding, diag_ref_of(world), "spec.shardCount", "%" PRId64, count);
	finding_actor(ctx, finding, ref);
	diag_finding_edit(finding,
			  "grant the operator's role update on worldinstances.bindery.platform: "
			  "the shipped role lacks it");
}

/* A pass comes every 30 seconds: two without effect are no delay any more. */
static bool is_overdue(const struct diag_check_ctx *ctx, const json_t *autoscaler)
{
	return diag_check_age(ctx, diag_created_at(autoscaler)) > DIAG_MINUTE_MS;
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	struct autoscalers all = autoscalers_of(ctx);
	const json_t *autoscaler;

	diag_snapshot_foreach(ctx->snapshot, "shardautoscalers.bindery.platform", autoscaler) {
		const json_t *world = diag_snapshot_get(
			ctx->snapshot, "worldinstances.bindery.platform",
			diag_ref_of(autoscaler).namespace_, autoscaler_world(autoscaler));
		int64_t desired = diag_json_int(autoscaler, 0, "status", "desiredShards");

		if (world && desired > 0 && is_overdue(ctx, autoscaler) &&
		    !autoscaler_has_rival(&all, autoscaler) &&
		    desired != diag_json_int(world, desired, "spec", "shardCount"))
			report(ctx, autoscaler, world);
	}
	autoscalers_done(&all);
	return DIAG_OK;
}

DIAG_CHECK(autoscaler_not_applied) = {
	.id = "autoscaler.not-applied",
	.title = "Worlds have the shards that their autoscaler wants",
	.fault = "F86",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The number of shards never changes.",
	.hint = "Give the operator the right to update worlds.",
	.requires = DIAG_RESOURCES("shardautoscalers.bindery.platform",
				   "worldinstances.bindery.platform"),
	.enriches = DIAG_RESOURCES(ACTOR_RESOURCES),
	.run = run,
};
