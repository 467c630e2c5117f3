/* F93, F94: each world has one WorldShard for each id from 0 to its count, and no other. */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/condition.h"
#include "text/json.h"

#include "checks/actor.h"

enum { MOST_NAMED = 5 };

/* How the world's shards are, by id. */
struct shards {
	unsigned char *seen; /* one for each id that is wanted */
	size_t wanted, there;
	const json_t *surplus; /* one whose id is too high, or NULL */
};

static struct shards count_shards(const struct diag_check_ctx *ctx,
				  const struct bindery_world *world)
{
	struct shards shards = { .wanted = (size_t)world->shard_count };
	const json_t *shard;

	shards.seen = diag_xcalloc(shards.wanted, 1);
	diag_snapshot_foreach(ctx->snapshot, "worldshards.bindery.platform", shard) {
		int64_t id = diag_json_int(shard, -1, "spec", "shardId");

		if (!diag_str_eq(diag_ref_of(shard).namespace_, world->namespace_) ||
		    !diag_str_eq(diag_json_str(shard, "spec", "worldRef", "name"), world->name) ||
		    bindery_is_deleting(shard))
			continue;
		if (id < 0 || id >= world->shard_count)
			shards.surplus = shard;
		else if (!shards.seen[id]++)
			shards.there++;
	}
	return shards;
}

static void name_missing(const struct shards *shards, struct diag_buf *out)
{
	size_t named = 0;

	for (size_t id = 0; id < shards->wanted && named < MOST_NAMED; id++)
		if (!shards->seen[id])
			diag_buf_printf(out, "%s%zu", named++ ? ", " : "", id);
	if (shards->wanted - shards->there > named)
		diag_buf_puts(out, " and more");
}

static struct diag_finding *find_missing(const struct diag_check_ctx *ctx,
					 const struct bindery_world *world,
					 const struct shards *shards)
{
	struct diag_buf ids diag_buf_auto = { 0 };

	diag_buf_init(&ids, DIAG_MAX_MESSAGE);
	name_missing(shards, &ids);
	return diag_check_find(ctx, bindery_ref_world(world),
			       "world %s asks for %zu shard%s, but has %zu: shard %s %s missing",
			       world->name, shards->wanted, shards->wanted == 1 ? "" : "s",
			       shards->there, diag_buf_str(&ids),
			       shards->wanted - shards->there == 1 ? "is" : "are");
}

static void describe(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		     const struct shards *shards, struct diag_finding *finding)
{
	const json_t *condition = diag_condition(world->object, "BindingsResolved");
	struct diag_ref subject = bindery_ref_world(world);

	finding_about_world(finding, world);
	diag_finding_at(finding, "shards", world->namespace_, world->name);
	diag_finding_needs(finding, "operator", NULL, "operator");
	if (shards->surplus)
		diag_finding_related(finding, diag_ref_of(shards->surplus));
	diag_finding_field(finding, subject, "spec.shardCount", "%" PRId64, world->shards_asked);
	if (diag_str_eq(diag_json_str(condition, "reason"), "WaitingForShards")) {
		finding->fault = "F94";
		diag_finding_field(finding, subject, "status.conditions[BindingsResolved]", "%s",
				   diag_json_str(condition, "message"));
	}
	finding_actor(ctx, finding, diag_ref_make("WorldShard", world->namespace_, world->name));
}

static void check_world(const struct diag_check_ctx *ctx, const struct bindery_world *world)
{
	struct shards shards = count_shards(ctx, world);
	diag_autofree unsigned char *seen DIAG_UNUSED = shards.seen;
	struct diag_finding *finding;

	if (shards.there == shards.wanted && !shards.surplus)
		return;
	if (diag_check_is_young(ctx, diag_changed_at(world->object))) {
		diag_check_progress(ctx, bindery_ref_world(world), "it has %zu of %zu shards",
				    shards.there, shards.wanted);
		return;
	}
	if (shards.there < shards.wanted) {
		finding = find_missing(ctx, world, &shards);
		describe(ctx, world, &shards, finding);
		finding_poke(finding, "world", world->namespace_, world->name);
		return;
	}
	finding = diag_check_find(ctx, bindery_ref_world(world),
				  "world %s asks for %zu shard%s, but %s with id %" PRId64
				  " exists besides",
				  world->name, shards.wanted, shards.wanted == 1 ? "" : "s",
				  diag_ref_of(shards.surplus).name,
				  diag_json_int(shards.surplus, -1, "spec", "shardId"));
	describe(ctx, world, &shards, finding);
	diag_finding_edit(finding,
			  "delete WorldShard %s, unless spec.shardCount was meant to be "
			  "higher; its claims go with it",
			  diag_ref_of(shards.surplus).name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p)
		foreach_world(p, world)
			if (!bindery_is_deleting(world->object))
				check_world(ctx, world);
	return DIAG_OK;
}

DIAG_CHECK(world_shards) = {
	.id = "world.shards",
	.title = "Worlds have exactly the shards that they ask for",
	.fault = "F93",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "A partition of the world does not run, or one runs that nobody asked for.",
	.hint = "Read the operator's log for its WorldShard controller; remove shards made by hand.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform",
				   "worldshards.bindery.platform"),
	.enriches = DIAG_RESOURCES(ACTOR_RESOURCES),
	.run = run,
};
