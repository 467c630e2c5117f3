/* F91: two autoscalers write one world's shardCount in turn. */
#include "text/json.h"

#include "checks/autoscaler/autoscalers.h"

static void report(const struct diag_check_ctx *ctx, const json_t *a, const json_t *b)
{
	struct diag_ref first = diag_ref_of(a), second = diag_ref_of(b);
	struct diag_finding *finding = diag_check_find(
		ctx, second, "autoscalers %s and %s both set the shards of world %s", first.name,
		second.name, autoscaler_world(a));
	const json_t *both[] = { a, b };

	diag_finding_related(finding, first);
	diag_finding_related(finding,
			     diag_ref_make("WorldInstance", first.namespace_, autoscaler_world(a)));
	diag_finding_at(finding, "world", first.namespace_, autoscaler_world(a));
	for (size_t i = 0; i < 2; i++)
		diag_finding_field(finding, diag_ref_of(both[i]), "spec", "%lld to %lld shards",
				   (long long)diag_json_int(both[i], 0, "spec", "minShards"),
				   (long long)diag_json_int(both[i], 0, "spec", "maxShards"));
	finding_at_spec(ctx, finding, b, "worldRef");
	diag_finding_edit(finding,
			  "delete one of the two ShardAutoscalers; the other keeps the shards "
			  "within its own bounds, and shards that go take their data with them");
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	struct autoscalers all = autoscalers_of(ctx);
	const json_t *autoscaler;

	diag_snapshot_foreach(ctx->snapshot, "shardautoscalers.bindery.platform", autoscaler) {
		const json_t *first = autoscaler_first(&all, autoscaler);

		if (first && first != autoscaler)
			report(ctx, first, autoscaler);
	}
	autoscalers_done(&all);
	return DIAG_OK;
}

DIAG_CHECK(autoscaler_twins) = {
	.id = "autoscaler.twins",
	.title = "A world has at most one autoscaler",
	.fault = "F91",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The number of shards jumps every 30 seconds, and shards lose their data.",
	.hint = "Delete one of the two.",
	.requires = DIAG_RESOURCES("shardautoscalers.bindery.platform"),
	.run = run,
};
