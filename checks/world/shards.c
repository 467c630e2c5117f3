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
	bool *seen; /* one for each id that is wanted */
	size_t wanted, there;
	const json_t *surplus; /* one whose id is too high, or NULL */
};

static void set_key(struct diag_buf *key, const char *namespace_, const char *world)
{
	diag_buf_clear(key);
	diag_buf_printf(key, "%s/%s", namespace_ ? namespace_ : "", world);
}

/* All shards, as "namespace/world" -> array: one pass, however many worlds there are. */
static json_t *group_shards(const struct diag_check_ctx *ctx)
{
	json_t *groups = json_object(), *shard;
	const json_t *list = diag_snapshot_subjects(ctx->snapshot, "worldshards.bindery.platform");
	struct diag_buf key diag_buf_auto = { 0 };
	size_t i;

	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	json_array_foreach(list, i, shard) {
		const char *world = diag_json_str(shard, "spec", "worldRef", "name");
		json_t *group;

		if (!world || bindery_is_deleting(shard))
			continue;
		set_key(&key, diag_ref_of(shard).namespace_, world);
		group = json_object_get(groups, diag_buf_str(&key));
		if (!group) {
			group = json_array();
			json_object_set_new(groups, diag_buf_str(&key), group);
		}
		json_array_append(group, shard);
	}
	return groups;
}

static struct shards count_shards(const json_t *groups, const struct bindery_world *world)
{
	struct shards shards = { .wanted = (size_t)world->shard_count };
	struct diag_buf key diag_buf_auto = { 0 };
	const json_t *shard;
	size_t i;

	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	set_key(&key, world->namespace_, world->name);
	shards.seen = diag_xcalloc(shards.wanted, sizeof(*shards.seen));
	json_array_foreach(json_object_get(groups, diag_buf_str(&key)), i, shard) {
		int64_t id = diag_json_int(shard, -1, "spec", "shardId");

		if (id < 0 || id >= world->shard_count) {
			shards.surplus = shard;
		} else if (!shards.seen[id]) {
			shards.seen[id] = true;
			shards.there++;
		}
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

static void check_world(const struct diag_check_ctx *ctx, const struct bindery_world *world,
			const struct shards *shards)
{
	struct diag_finding *finding;

	if (shards->there == shards->wanted && !shards->surplus)
		return;
	if (diag_check_is_young(ctx, diag_changed_at(world->object))) {
		diag_check_progress(ctx, bindery_ref_world(world), "it has %zu of %zu shards",
				    shards->there, shards->wanted);
		return;
	}
	if (shards->there < shards->wanted) {
		finding = find_missing(ctx, world, shards);
		describe(ctx, world, shards, finding);
		finding_poke(finding, "world", world->namespace_, world->name);
		return;
	}
	finding = diag_check_find(ctx, bindery_ref_world(world),
				  "world %s asks for %zu shard%s, but %s with id %" PRId64
				  " exists besides",
				  world->name, shards->wanted, shards->wanted == 1 ? "" : "s",
				  diag_ref_of(shards->surplus).name,
				  diag_json_int(shards->surplus, -1, "spec", "shardId"));
	describe(ctx, world, shards, finding);
	diag_finding_edit(finding,
			  "delete WorldShard %s, unless spec.shardCount was meant to be "
			  "higher; its claims go with it",
			  diag_ref_of(shards->surplus).name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	json_auto_t *groups = group_shards(ctx);
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p) {
		foreach_world(p, world) {
			struct shards shards;

			if (bindery_is_deleting(world->object))
				continue;
			shards = count_shards(groups, world);
			check_world(ctx, world, &shards);
			free(shards.seen);
		}
	}
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
