/* F96: shards cost a pod and a Service for each module that runs per shard, and nothing bounds
 * their number. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "text/json.h"

#include "checks/support.h"

/* Without nodes to count: pods of one world that need more than a handful of full nodes, at the
 * kubelet's default of 110 pods; and shards that keep the operator (20 requests a second) busy. */
#define MANY_PODS   500
#define MANY_SHARDS 2000

/* Workloads of the first shard, counted by world. */
static void count_workloads(const struct bindery_prediction *p, struct diag_map *counts)
{
	const struct bindery_workload *workload;

	foreach_workload(p, workload) {
		uintptr_t count;

		if (workload->shard != 0)
			continue;
		count = (uintptr_t)diag_map_get(counts, workload->world->name) + 1;
		/* NOLINTNEXTLINE(performance-no-int-to-ptr): a number, never followed */
		diag_map_set(counts, workload->world->name, (void *)count);
	}
}

/* Pods that all schedulable nodes take together; 0: not known. */
static int64_t capacity(const struct diag_check_ctx *ctx)
{
	const json_t *node;
	int64_t sum = 0;

	diag_snapshot_foreach(ctx->snapshot, "nodes", node) {
		const char *pods = diag_json_str(node, "status", "allocatable", "pods");

		if (pods && !diag_json_true_at(node, DIAG_PATH("spec", "unschedulable")))
			sum += strtol(pods, NULL, 10);
	}
	return sum;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   int64_t workloads, int64_t room)
{
	int64_t shards = world->shards_asked, pods = shards * workloads;
	struct diag_ref subject = bindery_ref_world(world);
	struct diag_finding *finding;
	char made[64];

	snprintf(made, sizeof(made), ", which makes %" PRId64 " pods", pods);
	if (room && pods > room)
		finding =
			diag_check_find(ctx, subject,
					"world %s asks for %" PRId64 " shards, which makes %" PRId64
					" pods; all nodes together take %" PRId64,
					world->name, shards, pods, room);
	else
		finding = diag_check_find(ctx, subject,
					  "world %s asks for %" PRId64
					  " shards%s, and nothing bounds their number",
					  world->name, shards, pods ? made : "");
	finding_about_world(finding, world);
	diag_finding_related(finding, bindery_ref_booklet(world));
	diag_finding_field(finding, subject, "spec.shardCount", "%" PRId64, shards);
	diag_finding_note(finding, "%" PRId64 " of its workloads run once per shard", workloads);
	finding_at_spec(ctx, finding, world->object, "shardCount");
	diag_finding_edit(finding,
			  "lower spec.shardCount of WorldInstance %s; the highest shards go, and "
			  "their data with them",
			  world->name);
}

static void check_world(const struct diag_check_ctx *ctx, const struct bindery_world *world,
			int64_t workloads, int64_t room)
{
	int64_t shards = world->shards_asked;

	/* Above 32 bits the operator cannot read it at all (F13). */
	if (shards > INT32_MAX || bindery_is_deleting(world->object))
		return;
	if ((room && workloads && shards * workloads > room) || shards * workloads >= MANY_PODS ||
	    shards >= MANY_SHARDS)
		report(ctx, world, workloads, room);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;
	int64_t room = capacity(ctx);

	foreach_prediction(ctx, p) {
		diag_map_auto struct diag_map *counts = diag_map_new();

		count_workloads(p, counts);
		foreach_world(p, world)
			check_world(ctx, world,
				    (int64_t)(uintptr_t)diag_map_get(counts, world->name), room);
	}
	return DIAG_OK;
}

DIAG_CHECK(world_shard_count) = {
	.id = "world.shard-count",
	.title = "Worlds have no more shards than the cluster can run",
	.fault = "F96",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "Many pods stay pending, and the operator becomes slow for all worlds.",
	.hint = "Lower shardCount.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.enriches = DIAG_RESOURCES("booklets.bindery.platform", "modulemanifests.bindery.platform",
				   "realms.bindery.platform", "nodes"),
	.run = run,
};
