/* From bindings to Deployments and Services: who runs where. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"
#include "text/json.h"

/* Positions in arrays that still grow. */
struct place {
	size_t workload, member;
};

/*
 * Looked up while workloads are made. Keys are joined by a character that no name has; two worlds
 * may compute one name (F43): they are two workloads that fight over one object, so the name alone
 * is no key.
 */
struct places {
	struct diag_map *groups;  /* world, shard, group -> place, for strategy Pod */
	struct diag_map *members; /* world, shard, module -> place */
	struct diag_buf key;
};

static const char *key_of(struct places *places, const struct bindery_binding *binding,
			  const char *last)
{
	diag_buf_clear(&places->key);
	diag_buf_puts(&places->key, binding->global ? "" : binding->world->name);
	diag_buf_printf(&places->key, "\x1f%lld\x1f", (long long)binding->shard);
	diag_buf_puts(&places->key, last);
	return diag_buf_str(&places->key);
}

/* The first group that lists the module counts; shared modules have none. */
static const struct bindery_group *group_of(const struct bindery_binding *binding)
{
	if (binding->global || !binding->world->booklet)
		return NULL;
	return diag_map_get(binding->world->booklet->group_of, binding->provider);
}

static size_t add_workload(struct bindery_prediction *p, const struct bindery_binding *binding,
			   const struct bindery_group *group)
{
	enum bindery_strategy strategy = group ? group->strategy : BINDERY_ALONE;
	const char *label = bindery_shard_label(p->arena, binding->shard);
	const char *world = bindery_world_part(binding);

	p->workloads = diag_xgrow(p->workloads, p->workload_count, &p->workload_capacity,
				  sizeof(*p->workloads));
	p->workloads[p->workload_count] = (struct bindery_workload){
		.namespace_ = p->namespace_,
		.name = strategy == BINDERY_GROUP_POD
				? bindery_name_group(p->arena, world, label, group->name)
				: bindery_name_runtime(p->arena, world, label, binding->provider),
		.world = binding->global ? NULL : binding->world,
		.shard = binding->shard,
		.global = binding->global,
		.strategy = strategy,
		.group = strategy == BINDERY_ALONE ? NULL : group->name,
		.colocation = group,
	};
	return p->workload_count++;
}

static struct place *remember(struct bindery_prediction *p, struct diag_map *map, const char *key,
			      struct place place)
{
	struct place *slot = diag_arena_alloc(p->arena, sizeof(*slot));

	*slot = place;
	diag_map_set(map, key, slot);
	return slot;
}

/* Only members of a Pod group share a workload. */
static size_t workload_for(struct bindery_prediction *p, struct places *places,
			   const struct bindery_binding *binding)
{
	const struct bindery_group *group = group_of(binding);
	const struct place *place;
	size_t index;

	if (!group || group->strategy != BINDERY_GROUP_POD)
		return add_workload(p, binding, group);
	place = diag_map_get(places->groups, key_of(places, binding, group->name));
	if (place)
		return place->workload;
	index = add_workload(p, binding, group);
	remember(p, places->groups, diag_buf_str(&places->key),
		 (struct place){ .workload = index });
	return index;
}

static const char *image_of(struct bindery_prediction *p, const json_t *manifest)
{
	size_t length;
	const char *image = diag_str_trim(bindery_manifest_image(manifest), &length);

	return image[length] ? diag_arena_strndup(p->arena, image, length) : image;
}

static struct place *add_member(struct bindery_prediction *p, struct places *places,
				const struct bindery_binding *binding)
{
	size_t index = workload_for(p, places, binding);
	struct bindery_workload *workload = &p->workloads[index];
	const char *label = bindery_shard_label(p->arena, binding->shard);
	struct place place = { index, workload->member_count };

	workload->members = diag_xgrow(workload->members, workload->member_count,
				       &workload->member_capacity, sizeof(*workload->members));
	workload->members[workload->member_count++] = (struct bindery_member){
		.module = binding->provider,
		.manifest = binding->manifest,
		.service = workload->strategy == BINDERY_GROUP_POD
				   ? bindery_name_runtime(p->arena, bindery_world_part(binding),
							  label, binding->provider)
				   : workload->name,
		.image = image_of(p, binding->manifest),
		.port = bindery_manifest_port(binding->manifest),
	};
	return remember(p, places->members, key_of(places, binding, binding->provider), place);
}

static struct place *add_binding(struct bindery_prediction *p, struct places *places,
				 const struct bindery_binding *binding)
{
	struct place *place;
	struct bindery_member *member;

	if (!binding->manifest || !bindery_manifest_image(binding->manifest))
		return NULL;
	place = diag_map_get(places->members, key_of(places, binding, binding->provider));
	if (!place)
		place = add_member(p, places, binding);
	member = &p->workloads[place->workload].members[place->member];
	member->bindings = diag_xgrow(member->bindings, member->binding_count,
				      &member->binding_capacity, sizeof(*member->bindings));
	member->bindings[member->binding_count++] = binding;
	return place;
}

/* The arrays are done: positions become pointers. */
static void link_bindings(struct bindery_prediction *p, struct place *const *places)
{
	for (size_t i = 0; i < p->binding_count; i++) {
		if (!places[i])
			continue;
		p->bindings[i].workload = &p->workloads[places[i]->workload];
		p->bindings[i].member = &p->bindings[i].workload->members[places[i]->member];
	}
}

static void share_name(struct diag_map *map, const char *name, struct bindery_workload *workload)
{
	struct bindery_workload *other = diag_map_get(map, name);

	if (!other)
		diag_map_set(map, name, workload);
	else if (other != workload)
		other->contested = workload->contested = true;
}

/* Workloads of one Deployment name form a chain, which begins in the map. */
static void link_rivals(struct bindery_prediction *p)
{
	diag_map_auto struct diag_map *last = diag_map_new();

	for (size_t i = 0; i < p->workload_count; i++) {
		struct bindery_workload *workload = &p->workloads[i];
		struct bindery_workload *before = diag_map_get(last, workload->name);

		if (before)
			before->rival = workload;
		diag_map_set(last, workload->name, workload);
		share_name(p->workloads_by_name, workload->name, workload);
		for (size_t m = 0; m < workload->member_count; m++)
			share_name(p->workloads_by_service, workload->members[m].service, workload);
	}
}

/* Nothing but contested bindings make it: it may come and go. */
static bool may_go(const struct bindery_workload *workload)
{
	for (size_t m = 0; m < workload->member_count; m++)
		for (size_t i = 0; i < workload->members[m].binding_count; i++)
			if (!workload->members[m].bindings[i]->contested)
				return false;
	return true;
}

void bindery_predict_workloads(struct bindery_prediction *p)
{
	diag_map_auto struct diag_map *groups = diag_map_new(), *members = diag_map_new();
	struct places places = { .groups = groups, .members = members };
	diag_autofree struct place **made = diag_xcalloc(p->binding_count, sizeof(*made));

	diag_buf_init(&places.key, 4 * DIAG_MAX_FILE_BYTES);
	for (size_t i = 0; i < p->binding_count; i++)
		made[i] = add_binding(p, &places, &p->bindings[i]);
	diag_buf_done(&places.key);
	link_bindings(p, made);
	link_rivals(p);
	for (size_t i = 0; i < p->workload_count; i++)
		p->workloads[i].contested |= may_go(&p->workloads[i]);
}
