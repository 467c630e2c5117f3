/* F98: a Pod group is one pod for each scope and shard: members that run elsewhere are not in it.
 */
#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"

#include "checks/module/placements.h"

/* Two members of a group that never share a pod. */
struct split {
	const char *one, *other;
	unsigned one_placed, other_placed;
};

/* Shared modules join no group. */
static bool find_split(struct placements *placements, const struct bindery_world *world,
		       const struct bindery_group *group, struct split *ret_split)
{
	const char *first = NULL;
	unsigned first_placed = 0;

	for (size_t i = 0; i < group->module_count; i++) {
		const char *module = group->modules[i];
		unsigned placed = placements_of(placements, world, module);

		if (!placed || diag_map_get(world->booklet->group_of, module) != group)
			continue;
		if (first && !(placed & first_placed & ~(unsigned)PLACED_SHARED)) {
			*ret_split = (struct split){ first, module, first_placed, placed };
			return true;
		}
		first = first ? first : module;
		first_placed = first_placed ? first_placed : placed;
	}
	return false;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   const struct bindery_group *group, const struct split *split)
{
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_booklet(world),
		"%s and %s are to share a pod (group %s), but %s runs %s and %s %s", split->one,
		split->other, group->name, split->one, placements_text(split->one_placed),
		split->other, placements_text(split->other_placed));

	diag_finding_discriminate(finding, group->name);
	finding_about_world(finding, world);
	diag_finding_related(finding, bindery_ref_manifest(world->namespace_, split->one));
	diag_finding_related(finding, bindery_ref_manifest(world->namespace_, split->other));
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, group->object));
	finding_at_spec(ctx, finding, world->booklet->object, "colocation");
	diag_finding_edit(
		finding,
		"let %s and %s provide in one scope, world or world-shard, or take one of "
		"them out of group %s",
		split->one, split->other, group->name);
}

/* Worlds of one Booklet repeat the fault: the first stands for all. */
static void check_world(const struct diag_check_ctx *ctx, const struct bindery_world *world,
			struct placements *placements, struct diag_map *told)
{
	struct diag_buf key diag_buf_auto = { 0 };
	struct split split;

	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	for (size_t i = 0; world->booklet && i < world->booklet->group_count; i++) {
		const struct bindery_group *group = &world->booklet->groups[i];

		diag_buf_clear(&key);
		diag_buf_printf(&key, "%s/%zu", world->booklet->name, i);
		if (group->strategy != BINDERY_GROUP_POD ||
		    diag_map_get(told, diag_buf_str(&key)) ||
		    !find_split(placements, world, group, &split))
			continue;
		report(ctx, world, group, &split);
		diag_map_set(told, diag_buf_str(&key), told);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p) {
		struct placements *placements placements_auto = placements_new(p);
		diag_map_auto struct diag_map *told = diag_map_new();

		foreach_world(p, world)
			if (!bindery_is_deleting(world->object))
				check_world(ctx, world, placements, told);
	}
	return DIAG_OK;
}

DIAG_CHECK(colocation_scope_split) = {
	.id = "colocation.scope-split",
	.title = "Modules of a Pod group run in one scope",
	.fault = "F98",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Their sockets are in different pods: the paths in BINDERY_UDS_ do not exist.",
	.hint = "Give all members of the group the same scope.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
