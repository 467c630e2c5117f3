/*
 * F81: a claim belongs to the world or shard it was made for, and the volume to the claim: what
 * deletes the one deletes the other. Told of every world that keeps data; a warning where it is
 * about to happen.
 */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "text/json.h"

#include "checks/storage/storage.h"

/* By the world's name, of one namespace. */
struct kept {
	struct diag_map *storage; /* the first workload with a claim */
	struct diag_map *surplus; /* a WorldShard beyond the count that is asked for */
};

static void note_storage(const struct bindery_prediction *p, struct kept *kept)
{
	for (size_t i = 0; i < p->workload_count; i++) {
		struct bindery_workload *workload = &p->workloads[i];

		if (workload->world && workload->storage.effective &&
		    !diag_map_get(kept->storage, workload->world->name))
			diag_map_set(kept->storage, workload->world->name, workload);
	}
}

/* It goes, and its claims with it. */
static void note_surplus(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			 struct kept *kept)
{
	const json_t *list = diag_snapshot_subjects(ctx->snapshot, "worldshards.bindery.platform");
	json_t *shard;
	size_t i;

	json_array_foreach(list, i, shard) {
		const char *namespace_ = diag_ref_of(shard).namespace_;
		const struct bindery_world *world =
			namespace_ && strcmp(namespace_, p->namespace_) == 0
				? bindery_prediction_world(
					  p, diag_json_str(shard, "spec", "worldRef", "name"))
				: NULL;

		if (world && diag_json_int(shard, 0, "spec", "shardId") >= world->shard_count)
			diag_map_set(kept->surplus, world->name, shard);
	}
}

static void add_keeping(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			const struct bindery_workload *workload)
{
	const json_t *pvc = diag_snapshot_get(ctx->snapshot, "persistentvolumeclaims",
					      workload->namespace_, workload->storage.pvc);
	const char *volume = diag_json_str(pvc, "spec", "volumeName");

	diag_finding_edit(
		finding, "take a snapshot of the volumes before the world shrinks or goes, or keep "
			 "them:");
	if (volume)
		diag_finding_command(finding, "kubectl", "patch", "pv", volume, "-p",
				     "{\"spec\":{\"persistentVolumeReclaimPolicy\":\"Retain\"}}",
				     NULL);
	else
		diag_finding_command(finding, "kubectl", "-n", workload->namespace_, "get", "pvc",
				     "-l", "bindery.platform/world", NULL);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   const struct bindery_workload *workload, const json_t *shard)
{
	bool deleting = bindery_is_deleting(world->object);
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_world(world), "the data of %s (%s) goes when world %s %s",
		workload->storage.member->module, workload->storage.pvc, world->name,
		deleting               ? "is deleted, which it is now"
		: shard                ? "shrinks, which it does now"
		: workload->shard >= 0 ? "is deleted or gets fewer shards"
				       : "is deleted");

	if (deleting || shard)
		finding->severity = DIAG_SEVERITY_WARNING;
	diag_finding_at(finding, "world", world->namespace_, world->name);
	diag_finding_related(finding, diag_ref_make("PersistentVolumeClaim", world->namespace_,
						    workload->storage.pvc));
	diag_finding_related(finding, diag_ref_make("WorldStorageClaim", world->namespace_,
						    workload->storage.claim));
	diag_finding_related(
		finding, bindery_ref_manifest(world->namespace_, workload->storage.member->module));
	if (shard) {
		diag_finding_related(finding, diag_ref_of(shard));
		diag_finding_field(finding, bindery_ref_world(world), "spec.shardCount", "%" PRId64,
				   world->shards_asked);
	}
	finding_at_spec(ctx, finding, world->object, "shardCount");
	add_keeping(ctx, finding, workload);
}

static void check_namespace(const struct diag_check_ctx *ctx, const struct bindery_prediction *p)
{
	diag_map_auto struct diag_map *storage = diag_map_new(), *surplus = diag_map_new();
	struct kept kept = { storage, surplus };
	const struct bindery_world *world;

	note_storage(p, &kept);
	if (diag_map_count(storage))
		note_surplus(ctx, p, &kept);
	foreach_world(p, world) {
		const struct bindery_workload *workload = diag_map_get(storage, world->name);

		if (workload)
			report(ctx, world, workload, diag_map_get(surplus, world->name));
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p)
		check_namespace(ctx, p);
	return DIAG_OK;
}

DIAG_CHECK(storage_data_loss) = {
	.id = "storage.data-loss",
	.title = "No world keeps data that goes with it",
	.fault = "F81",
	.severity = DIAG_SEVERITY_INFO,
	.impact = "Deleting a world or lowering its shardCount deletes its claims, and with most "
		  "classes their data.",
	.hint = "Take a snapshot first, or set the reclaim policy Retain.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldshards.bindery.platform", "persistentvolumeclaims",
				   "realms.bindery.platform"),
	.run = run,
};
