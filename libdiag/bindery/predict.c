#include "bindery/predict.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "bindery/predict_internal.h"

struct bindery_prediction *bindery_predict(const struct bindery_input *input)
{
	struct bindery_prediction *p = diag_xcalloc(1, sizeof(*p));

	p->arena = diag_arena_new();
	p->namespace_ = input->namespace_;
	p->max_bindings = input->max_bindings ? input->max_bindings : BINDERY_MAX_BINDINGS;
	p->manifests = diag_map_new();
	p->worlds_by_name = diag_map_new();
	p->booklets_by_name = diag_map_new();
	p->realms_by_name = diag_map_new();
	p->workloads_by_name = diag_map_new();
	p->workloads_by_service = diag_map_new();
	bindery_predict_worlds(p, input);
	bindery_predict_bindings(p);
	bindery_predict_workloads(p);
	bindery_predict_storage(p);
	bindery_predict_refusals(p);
	bindery_predict_waits(p);
	bindery_predict_cycles(p);
	return p;
}

static void free_workload(struct bindery_workload *workload)
{
	for (size_t i = 0; i < workload->member_count; i++) {
		free(workload->members[i].bindings);
		free(workload->members[i].dependencies);
	}
	free(workload->members);
}

static void free_maps(struct bindery_prediction *p)
{
	diag_map_free(p->manifests);
	diag_map_free(p->worlds_by_name);
	diag_map_free(p->booklets_by_name);
	diag_map_free(p->realms_by_name);
	diag_map_free(p->workloads_by_name);
	diag_map_free(p->workloads_by_service);
	for (size_t i = 0; i < p->booklet_count; i++)
		diag_map_free(p->booklets[i].group_of);
}

void bindery_prediction_free(struct bindery_prediction *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->workload_count; i++)
		free_workload(&p->workloads[i]);
	for (size_t i = 0; i < p->claim_count; i++)
		free(p->claims[i].askers);
	for (size_t i = 0; i < p->world_count; i++)
		bindery_resolution_done(p->worlds[i].resolution);
	free(p->workloads);
	free(p->claims);
	free(p->bindings);
	free(p->refusals);
	free_maps(p);
	diag_arena_free(p->arena);
	free(p);
}

static void *named(const struct diag_map *map, const char *name)
{
	return name ? diag_map_get(map, name) : NULL;
}

const json_t *bindery_prediction_manifest(const struct bindery_prediction *prediction,
					  const char *name)
{
	return named(prediction->manifests, name);
}

const struct bindery_world *bindery_prediction_world(const struct bindery_prediction *prediction,
						     const char *name)
{
	return named(prediction->worlds_by_name, name);
}

const struct bindery_binding *
bindery_prediction_binding(const struct bindery_prediction *prediction, const char *name)
{
	size_t low = 0, high = prediction->binding_count;

	while (name && low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(prediction->bindings[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (!name || low == prediction->binding_count ||
	    strcmp(prediction->bindings[low].name, name) != 0)
		return NULL;
	return &prediction->bindings[low];
}

const struct bindery_workload *
bindery_prediction_workload(const struct bindery_prediction *prediction, const char *deployment)
{
	return named(prediction->workloads_by_name, deployment);
}

const struct bindery_workload *
bindery_prediction_service(const struct bindery_prediction *prediction, const char *service)
{
	return named(prediction->workloads_by_service, service);
}

const char *bindery_shard_label(struct diag_arena *arena, int64_t shard)
{
	return shard < 0 ? NULL : diag_arena_printf(arena, "%lld", (long long)shard);
}
