/* F90: bounds that contradict each other, a target of 0, a world that does not exist: no CRD checks
 * them. */
#include <inttypes.h>

#include "base/str.h"
#include "text/json.h"

#include "checks/autoscaler/autoscalers.h"

static struct diag_finding *find(const struct diag_check_ctx *ctx, const json_t *autoscaler,
				 const char *field, const char *message)
{
	struct diag_ref ref = diag_ref_of(autoscaler);
	struct diag_finding *finding =
		diag_check_find(ctx, ref, "autoscaler %s: %s", ref.name, message);

	diag_finding_discriminate(finding, field);
	finding_about_target(finding, autoscaler);
	finding_at_spec(ctx, finding, autoscaler, field);
	return finding;
}

static void check_bounds(const struct diag_check_ctx *ctx, const json_t *autoscaler)
{
	int64_t min = diag_json_int(autoscaler, 1, "spec", "minShards");
	int64_t max = diag_json_int(autoscaler, 0, "spec", "maxShards");
	struct diag_ref ref = diag_ref_of(autoscaler);
	struct diag_finding *finding;

	if (max < 1) {
		finding = find(ctx, autoscaler, "maxShards",
			       "maxShards is below 1 or missing, so it wants 0 shards, which the "
			       "world refuses");
		diag_finding_edit(finding, "set spec.maxShards of ShardAutoscaler %s to at least 1",
				  ref.name);
	} else if (min > max) {
		finding = find(ctx, autoscaler, "minShards",
			       "minShards is above maxShards, so the maximum wins and the minimum "
			       "is ignored");
		diag_finding_edit(finding,
				  "set spec.minShards of ShardAutoscaler %s to at most %" PRId64
				  ", or raise spec.maxShards",
				  ref.name, max);
	} else if (min < 1) {
		finding = find(ctx, autoscaler, "minShards", "minShards is below 1");
		diag_finding_edit(finding, "set spec.minShards of ShardAutoscaler %s to at least 1",
				  ref.name);
	} else {
		return;
	}
	diag_finding_field(finding, ref, "spec", "minShards %" PRId64 ", maxShards %" PRId64, min,
			   max);
}

static void check_world(const struct diag_check_ctx *ctx, const json_t *autoscaler)
{
	struct diag_ref ref = diag_ref_of(autoscaler);
	const char *world = autoscaler_world(autoscaler), *nearest;
	struct diag_finding *finding;

	if (autoscaler_target(ctx, autoscaler))
		return;
	finding = find(ctx, autoscaler, "worldRef", "the world it names does not exist");
	diag_finding_field(finding, ref, "spec.worldRef.name", "%s", world ? world : "(none)");
	nearest =
		world ? nearest_name(ctx, "worldinstances.bindery.platform", ref.namespace_, world)
		      : NULL;
	if (nearest)
		diag_finding_edit(finding, "in ShardAutoscaler %s, spec.worldRef.name: %s (not %s)",
				  ref.name, nearest, world);
	else
		diag_finding_edit(finding,
				  "name a WorldInstance of namespace %s in spec.worldRef.name of "
				  "ShardAutoscaler %s",
				  ref.namespace_, ref.name);
}

static void check_targets(const struct diag_check_ctx *ctx, const json_t *autoscaler)
{
	const json_t *metric;
	size_t i;

	json_array_foreach(diag_json_array(autoscaler, "spec", "metrics"), i, metric) {
		struct diag_finding *finding;

		if (diag_json_int(metric, 1, "resource", "targetAverageUtilization") > 0)
			continue;
		finding = find(ctx, autoscaler, "metrics",
			       "a metric has target 0: what comes of it depends on the operator's "
			       "processor");
		diag_finding_field(finding, diag_ref_of(autoscaler), "spec.metrics",
				   "[%zu].resource.targetAverageUtilization: 0", i);
		diag_finding_edit(finding,
				  "set spec.metrics[%zu].resource.targetAverageUtilization to a "
				  "percentage above 0",
				  i);
		return;
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *autoscaler;

	diag_snapshot_foreach(ctx->snapshot, "shardautoscalers.bindery.platform", autoscaler) {
		check_world(ctx, autoscaler);
		check_bounds(ctx, autoscaler);
		check_targets(ctx, autoscaler);
	}
	return DIAG_OK;
}

DIAG_CHECK(autoscaler_bounds) = {
	.id = "autoscaler.bounds",
	.title = "Autoscalers have a world and bounds that make sense",
	.fault = "F90",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The number of shards is not what the autoscaler says.",
	.hint = "Set 1 <= minShards <= maxShards and a target above 0.",
	.requires = DIAG_RESOURCES("shardautoscalers.bindery.platform",
				   "worldinstances.bindery.platform"),
	.run = run,
};
