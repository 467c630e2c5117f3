/* From bindings to Deployments and Services: who runs where, who waits for whom. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"
#include "text/json.h"

static const char *world_part(const struct bindery_binding *binding)
{
	return binding->global ? "global" : binding->world->name;
}

static bool lists_module(const json_t *group, const char *module)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(diag_json_array(group, "modules"), i, entry) {
		if (diag_str_eq(json_string_value(entry), module))
			return true;
	}
	return false;
}

/* The first group that lists the module counts; global bindings have none. */
static const json_t *group_of(const struct bindery_binding *binding)
{
	const json_t *groups, *group;
	size_t i;

	if (binding->global || !binding->world->booklet)
		return NULL;
	groups = diag_json_array(binding->world->booklet->object, "spec", "colocation");
	json_array_foreach(groups, i, group) {
		if (lists_module(group, binding->provider))
			return group;
	}
	return NULL;
}

static enum bindery_strategy strategy_of(const json_t *group)
{
	const char *strategy = diag_json_str(group, "strategy");

	if (diag_str_eq(strategy, "Pod"))
		return BINDERY_GROUP_POD;
	return diag_str_eq(strategy, "Node") ? BINDERY_GROUP_NODE : BINDERY_ALONE;
}

/* Position of a workload in the array, kept as a pointer to a number: the array may move. */
static void remember(struct bindery_prediction *p, struct diag_map *map, const char *key,
		     size_t index)
{
	size_t *slot = diag_arena_alloc(p->arena, sizeof(*slot));

	*slot = index;
	diag_map_set(map, key, slot);
}

static struct bindery_workload *workload_for(struct bindery_prediction *p,
					     const struct bindery_binding *binding)
{
	const json_t *group = group_of(binding);
	enum bindery_strategy strategy = strategy_of(group);
	const char *label = bindery_shard_label(p->arena, binding->shard);
	const char *group_name = group ? diag_json_str(group, "name") : NULL;
	const char *name = strategy == BINDERY_GROUP_POD
				   ? bindery_name_group(p->arena, world_part(binding), label,
							group_name ? group_name : "")
				   : bindery_name_runtime(p->arena, world_part(binding), label,
							  binding->provider);
	/* Two worlds may compute one name (F43): they are two workloads that fight over one object.
	 */
	const char *key = diag_arena_printf(p->arena, "%s|%s|%s", name,
					    binding->global ? "" : binding->world->name,
					    strategy == BINDERY_GROUP_POD ? "" : binding->provider);
	const size_t *index = diag_map_get(p->workloads_by_key, key);

	if (index)
		return &p->workloads[*index];
	p->workloads = diag_xgrow(p->workloads, p->workload_count, &p->workload_capacity,
				  sizeof(*p->workloads));
	p->workloads[p->workload_count] = (struct bindery_workload){
		.namespace_ = p->namespace_,
		.name = name,
		.world = binding->global ? NULL : binding->world,
		.shard = binding->shard,
		.global = binding->global,
		.strategy = strategy,
		.group = strategy == BINDERY_ALONE ? NULL
			 : group_name              ? group_name
						   : "",
	};
	remember(p, p->workloads_by_key, key, p->workload_count);
	if (!diag_map_get(p->workloads_by_name, name))
		remember(p, p->workloads_by_name, name, p->workload_count);
	return &p->workloads[p->workload_count++];
}

static struct bindery_member *member_for(struct bindery_prediction *p,
					 struct bindery_workload *workload,
					 const struct bindery_binding *binding)
{
	struct bindery_member *member;

	for (size_t i = 0; i < workload->member_count; i++)
		if (strcmp(workload->members[i].module, binding->provider) == 0)
			return &workload->members[i];
	workload->members = diag_xgrow(workload->members, workload->member_count,
				       &workload->member_capacity, sizeof(*workload->members));
	member = &workload->members[workload->member_count++];
	*member = (struct bindery_member){
		.module = binding->provider,
		.manifest = binding->manifest,
		.service = bindery_name_runtime(p->arena, world_part(binding),
						bindery_shard_label(p->arena, binding->shard),
						binding->provider),
		.image = bindery_manifest_image(binding->manifest),
		.port = bindery_manifest_port(binding->manifest),
	};
	remember(p, p->workloads_by_service, member->service, (size_t)(workload - p->workloads));
	return member;
}

static void add_binding(struct bindery_prediction *p, const struct bindery_binding *binding)
{
	struct bindery_workload *workload;
	struct bindery_member *member;

	if (!binding->manifest || !bindery_manifest_image(binding->manifest))
		return;
	workload = workload_for(p, binding);
	member = member_for(p, workload, binding);
	workload->contested |= binding->contested;
	member->bindings = diag_xgrow(member->bindings, member->binding_count,
				      &member->binding_capacity, sizeof(*member->bindings));
	member->bindings[member->binding_count++] = binding;
}

/* Bindings by consumer, so that finding a module's dependencies is a look-up. */
struct consumers {
	const struct bindery_binding **items;
	size_t count, capacity;
};

static void index_consumer(struct bindery_prediction *p, struct diag_map *map,
			   const struct bindery_binding *binding)
{
	struct consumers *list = diag_map_get(map, binding->consumer);

	if (!list) {
		list = diag_arena_alloc(p->arena, sizeof(*list));
		diag_map_set(map, binding->consumer, list);
	}
	list->items = diag_xgrow(list->items, list->count, &list->capacity, sizeof(*list->items));
	list->items[list->count++] = binding;
}

static void free_consumers(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	free(((struct consumers *)value)->items);
}

/* The same world unless the workload is shared; shard-scoped ones only into the same shard. */
static bool is_injected(const struct bindery_workload *workload,
			const struct bindery_binding *binding)
{
	if (!workload->global && binding->world != workload->world)
		return false;
	return binding->shard < 0 || binding->shard == workload->shard;
}

static void add_wait(struct bindery_prediction *p, struct bindery_workload *workload,
		     const struct bindery_binding *binding)
{
	const char *service = bindery_name_runtime(p->arena, world_part(binding),
						   bindery_shard_label(p->arena, binding->shard),
						   binding->provider);
	int64_t port = bindery_manifest_port(binding->manifest);

	for (size_t i = 0; i < workload->wait_count; i++)
		if (strcmp(workload->waits[i].service, service) == 0 &&
		    workload->waits[i].port == port)
			return;
	workload->waits = diag_xgrow(workload->waits, workload->wait_count,
				     &workload->wait_capacity, sizeof(*workload->waits));
	workload->waits[workload->wait_count++] = (struct bindery_wait){
		.service = service,
		.port = port,
		.binding = binding,
		.target = bindery_prediction_service(p, service),
	};
}

static void add_dependencies(struct bindery_prediction *p, struct bindery_workload *workload,
			     struct bindery_member *member, const struct diag_map *consumers)
{
	const struct consumers *list = diag_map_get(consumers, member->module);

	for (size_t i = 0; list && i < list->count; i++) {
		const struct bindery_binding *binding = list->items[i];

		if (!is_injected(workload, binding))
			continue;
		member->dependencies =
			diag_xgrow(member->dependencies, member->dependency_count,
				   &member->dependency_capacity, sizeof(*member->dependencies));
		member->dependencies[member->dependency_count++] = binding;
		if (workload->strategy != BINDERY_GROUP_POD && binding->manifest &&
		    bindery_manifest_image(binding->manifest))
			add_wait(p, workload, binding);
	}
}

static int compare_waits(const void *a, const void *b)
{
	const struct bindery_wait *one = a, *two = b;
	int order = strcmp(one->service, two->service);

	return order ? order : (one->port > two->port) - (one->port < two->port);
}

static int compare_dependencies(const void *a, const void *b)
{
	const struct bindery_binding *one = *(const struct bindery_binding *const *)a;
	const struct bindery_binding *two = *(const struct bindery_binding *const *)b;
	int order = strcmp(one->capability, two->capability);

	if (!order)
		order = strcmp(one->scope, two->scope);
	if (!order)
		order = strcmp(one->provider, two->provider);
	return order ? order : strcmp(one->name, two->name);
}

static void finish_workload(struct bindery_prediction *p, struct bindery_workload *workload,
			    const struct diag_map *consumers)
{
	for (size_t i = 0; i < workload->member_count; i++) {
		struct bindery_member *member = &workload->members[i];

		add_dependencies(p, workload, member, consumers);
		if (member->dependency_count)
			qsort(member->dependencies, member->dependency_count,
			      sizeof(*member->dependencies), compare_dependencies);
	}
	if (workload->wait_count)
		qsort(workload->waits, workload->wait_count, sizeof(*workload->waits),
		      compare_waits);
	bindery_predict_storage(p, workload);
}

void bindery_predict_workloads(struct bindery_prediction *p)
{
	diag_map_auto struct diag_map *consumers = diag_map_new();

	for (size_t i = 0; i < p->binding_count; i++) {
		add_binding(p, &p->bindings[i]);
		index_consumer(p, consumers, &p->bindings[i]);
	}
	for (size_t i = 0; i < p->workload_count; i++)
		finish_workload(p, &p->workloads[i], consumers);
	diag_map_each(consumers, free_consumers, NULL);
}
