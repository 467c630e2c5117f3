/* Storage that modules ask for by annotation, the claims, and the two PVC names that may differ
 * (F75). */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"

static const char *annotation(struct bindery_prediction *p, const struct bindery_member *member,
			      const char *name, const char *fallback)
{
	const char *value = bindery_manifest_trimmed(p->arena, member->manifest, name);

	return value ? value : fallback;
}

/* A list separated by commas; blanks between them are passed over. */
static void read_access_modes(struct bindery_prediction *p, struct bindery_storage *storage,
			      const char *text)
{
	size_t most = 1;

	for (const char *c = text; *c; c++)
		most += *c == ',';
	storage->access_modes = diag_arena_alloc(p->arena, most * sizeof(*storage->access_modes));
	for (;;) {
		size_t length = strcspn(text, ","), trimmed;
		char *mode = diag_arena_strndup(p->arena, text, length);
		const char *start = diag_str_trim(mode, &trimmed);

		mode[start - mode + (ptrdiff_t)trimmed] = '\0';
		if (trimmed)
			storage->access_modes[storage->access_mode_count++] = start;
		if (!text[length])
			return;
		text += length + 1;
	}
}

static void name_claim(struct bindery_prediction *p, const struct bindery_workload *workload,
		       struct bindery_storage *storage)
{
	const char *world = workload->world->name;
	const char *own_shard =
		workload->shard >= 0 ? bindery_name_shard(p->arena, world, workload->shard) : "";

	/* The claim's name and the mount follow the workload, the PVC follows the claim's scope
	 * (F75). */
	storage->shard_ref = diag_str_eq(storage->scope, "world-shard") ? own_shard : NULL;
	storage->claim = bindery_name_claim(p->arena, world, own_shard, storage->tier);
	storage->mounted = bindery_name_pvc(p->arena, world, own_shard, storage->tier);
	storage->pvc = bindery_name_pvc(
		p->arena, world, storage->shard_ref ? storage->shard_ref : "", storage->tier);
}

static void read_storage(struct bindery_prediction *p, const struct bindery_workload *workload,
			 struct bindery_member *member)
{
	struct bindery_storage *storage = &member->storage;

	*storage = (struct bindery_storage){
		.tier = annotation(p, member, "storage-tier", NULL),
		.workload = workload,
		.member = member,
	};
	if (!storage->tier)
		return;
	storage->size = annotation(p, member, "storage-size", "1Gi");
	storage->path = annotation(p, member, "storage-mount-path", "/var/bindery/state");
	storage->scope = annotation(p, member, "storage-scope",
				    workload->shard >= 0 ? "world-shard" : "world");
	read_access_modes(p, storage, annotation(p, member, "storage-access-modes", ""));
	storage->effective = !workload->global && diag_str_in(storage->tier, "server-low-latency",
							      "server-high-latency", NULL);
	if (storage->effective)
		name_claim(p, workload, storage);
}

static struct bindery_claim *claim_for(struct bindery_prediction *p, struct diag_map *claims,
				       const char *name)
{
	const size_t *known = diag_map_get(claims, name);
	size_t *index;

	if (known)
		return &p->claims[*known];
	index = diag_arena_alloc(p->arena, sizeof(*index));
	*index = p->claim_count;
	diag_map_set(claims, name, index);
	p->claims = diag_xgrow(p->claims, p->claim_count, &p->claim_capacity, sizeof(*p->claims));
	p->claims[p->claim_count] = (struct bindery_claim){ .name = name };
	return &p->claims[p->claim_count++];
}

static void add_asker(struct bindery_claim *claim, const struct bindery_storage *storage)
{
	claim->askers =
		diag_xgrow(claim->askers, claim->count, &claim->capacity, sizeof(*claim->askers));
	claim->askers[claim->count++] = storage;
}

static int compare_claims(const void *a, const void *b)
{
	return strcmp(((const struct bindery_claim *)a)->name,
		      ((const struct bindery_claim *)b)->name);
}

void bindery_predict_storage(struct bindery_prediction *p)
{
	diag_map_auto struct diag_map *claims = diag_map_new();

	for (size_t i = 0; i < p->workload_count; i++) {
		struct bindery_workload *workload = &p->workloads[i];

		for (size_t m = 0; m < workload->member_count; m++) {
			struct bindery_member *member = &workload->members[m];

			read_storage(p, workload, member);
			if (!workload->storage.tier ||
			    (!workload->storage.effective && member->storage.effective))
				workload->storage = member->storage;
			if (member->storage.effective)
				add_asker(claim_for(p, claims, member->storage.claim),
					  &member->storage);
		}
	}
	if (p->claim_count)
		qsort(p->claims, p->claim_count, sizeof(*p->claims), compare_claims);
}
