/* F91: two autoscalers write one world's shardCount in turn. */
#include "base/str.h"
#include "text/json.h"

#include "checks/support.h"

static const char *world_of(const json_t *autoscaler)
{
	return diag_json_str(autoscaler, "spec", "worldRef", "name");
}

static bool same_world(const json_t *a, const json_t *b)
{
	return world_of(a) && diag_str_eq(world_of(a), world_of(b)) &&
	       diag_str_eq(diag_ref_of(a).namespace_, diag_ref_of(b).namespace_);
}

static void report(const struct diag_check_ctx *ctx, const json_t *a, const json_t *b)
{
	struct diag_ref first = diag_ref_of(a), second = diag_ref_of(b);
	struct diag_finding *finding = diag_check_find(
		ctx, second, "autoscalers %s and %s both set the shards of world %s", first.name,
		second.name, world_of(a));
	const json_t *both[] = { a, b };

	diag_finding_related(finding, first);
	diag_finding_related(finding,
			     diag_ref_make("WorldInstance", first.namespace_, world_of(a)));
	diag_finding_at(finding, "world", first.namespace_, world_of(a));
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
	const json_t *list =
		diag_snapshot_subjects(ctx->snapshot, "shardautoscalers.bindery.platform");

	for (size_t i = 1; i < json_array_size(list); i++) {
		for (size_t j = 0; j < i; j++) {
			if (!same_world(json_array_get(list, j), json_array_get(list, i)))
				continue;
			report(ctx, json_array_get(list, j), json_array_get(list, i));
			break;
		}
	}
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
