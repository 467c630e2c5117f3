/* Storage that a module asks for by annotation, and the two names that may differ (F75). */
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"
#include "text/json.h"

static const char *trimmed(struct bindery_prediction *p, const char *text)
{
	size_t length;
	const char *start = text ? diag_str_trim(text, &length) : NULL;

	return start && length ? diag_arena_strndup(p->arena, start, length) : NULL;
}

static const char *annotation(struct bindery_prediction *p, const struct bindery_member *member,
			      const char *name, const char *fallback)
{
	const char *value = trimmed(p, bindery_manifest_annotation(member->manifest, name));

	return value ? value : fallback;
}

void bindery_predict_storage(struct bindery_prediction *p, struct bindery_workload *workload)
{
	struct bindery_storage *storage = &workload->storage;
	const struct bindery_member *member = NULL;
	const char *own_shard, *world;

	for (size_t i = 0; !member && i < workload->member_count; i++)
		if (annotation(p, &workload->members[i], "storage-tier", NULL))
			member = &workload->members[i];
	if (!member)
		return;
	storage->tier = annotation(p, member, "storage-tier", NULL);
	storage->size = annotation(p, member, "storage-size", "1Gi");
	storage->scope = annotation(p, member, "storage-scope",
				    workload->shard >= 0 ? "world-shard" : "world");
	storage->effective = !workload->global && diag_str_in(storage->tier, "server-low-latency",
							      "server-high-latency", NULL);
	if (!storage->effective)
		return;
	world = workload->world->name;
	own_shard =
		workload->shard >= 0 ? bindery_name_shard(p->arena, world, workload->shard) : "";
	/* The claim's name and the mount follow the workload, the PVC follows the claim's scope
	 * (F75). */
	storage->shard_ref = diag_str_eq(storage->scope, "world-shard") ? own_shard : "";
	storage->claim = bindery_name_claim(p->arena, world, own_shard, storage->tier);
	storage->pvc = bindery_name_pvc(p->arena, world, storage->shard_ref, storage->tier);
	storage->mounted = bindery_name_pvc(p->arena, world, own_shard, storage->tier);
}
