/* Who depends on whom: what is injected into a module, and what its pod waits for before it starts.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "bindery/predict_internal.h"

struct list {
	const struct bindery_binding **items;
	size_t count, capacity;
};

/*
 * Bindings by consumer, as workloads ask for them. One of a world sees the bindings of that world,
 * those per shard only of its own shard (F31); a shared one sees all worlds, and no shard.
 */
struct consumers {
	struct bindery_prediction *p;
	struct diag_map *lists; /* world, shard, consumer -> struct list */
	struct diag_buf key;
};

static const char *key_of(struct consumers *c, const char *world, int64_t shard,
			  const char *consumer)
{
	diag_buf_clear(&c->key);
	diag_buf_puts(&c->key, world);
	diag_buf_printf(&c->key, "\x1f%lld\x1f", (long long)shard);
	diag_buf_puts(&c->key, consumer);
	return diag_buf_str(&c->key);
}

static void append(struct consumers *c, const char *world, int64_t shard,
		   const struct bindery_binding *binding)
{
	const char *key = key_of(c, world, shard, binding->consumer);
	struct list *list = diag_map_get(c->lists, key);

	if (!list) {
		list = diag_arena_alloc(c->p->arena, sizeof(*list));
		diag_map_set(c->lists, key, list);
	}
	list->items = diag_xgrow(list->items, list->count, &list->capacity, sizeof(*list->items));
	list->items[list->count++] = binding;
}

/* Modules that run as a shared workload; others need no list over all worlds. */
static struct diag_map *shared_modules(const struct bindery_prediction *p)
{
	struct diag_map *modules = diag_map_new();

	for (size_t i = 0; i < p->workload_count; i++)
		if (p->workloads[i].global)
			diag_map_set(modules, p->workloads[i].members[0].module, modules);
	return modules;
}

static void index_bindings(struct consumers *c)
{
	diag_map_auto struct diag_map *shared = shared_modules(c->p);

	for (size_t i = 0; i < c->p->binding_count; i++) {
		const struct bindery_binding *binding = &c->p->bindings[i];

		if (binding->world)
			append(c, binding->world->name, binding->shard, binding);
		if (binding->shard < 0 && diag_map_get(shared, binding->consumer))
			append(c, "", -1, binding);
	}
}

static void depend(struct consumers *c, struct bindery_member *member, const char *world,
		   int64_t shard)
{
	const struct list *list = diag_map_get(c->lists, key_of(c, world, shard, member->module));

	for (size_t i = 0; list && i < list->count; i++) {
		member->dependencies =
			diag_xgrow(member->dependencies, member->dependency_count,
				   &member->dependency_capacity, sizeof(*member->dependencies));
		member->dependencies[member->dependency_count++] = list->items[i];
	}
}

/* The operator's order: for equal variables the last one wins. */
static int compare_dependencies(const void *a, const void *b)
{
	const struct bindery_binding *one = *(const struct bindery_binding *const *)a;
	const struct bindery_binding *two = *(const struct bindery_binding *const *)b;
	int order = strcmp(one->capability, two->capability);

	if (!order)
		order = strcmp(one->scope, two->scope);
	if (!order)
		order = strcmp(one->provider, two->provider);
	if (!order)
		order = strcmp(one->name, two->name);
	return order ? order : (one > two) - (one < two);
}

static void add_dependencies(struct consumers *c, struct bindery_workload *workload,
			     struct bindery_member *member)
{
	const char *world = workload->world ? workload->world->name : "";

	depend(c, member, world, -1);
	if (workload->shard >= 0)
		depend(c, member, world, workload->shard);
	if (member->dependency_count)
		qsort(member->dependencies, member->dependency_count, sizeof(*member->dependencies),
		      compare_dependencies);
	for (size_t i = 0; i < member->dependency_count; i++)
		workload->unsettled |= member->dependencies[i]->contested;
}

/* By address; of those who ask for one address, a required one first. */
static int compare_waits(const void *a, const void *b)
{
	const struct bindery_wait *one = a, *two = b;
	int order = strcmp(one->address, two->address);

	if (!order)
		order = one->optional - two->optional;
	return order ? order : (one->binding > two->binding) - (one->binding < two->binding);
}

static void add_waits(struct bindery_prediction *p, struct bindery_workload *workload,
		      const struct bindery_member *member)
{
	size_t count = 0;

	workload->waits =
		diag_arena_alloc(p->arena, member->dependency_count * sizeof(*workload->waits));
	for (size_t i = 0; i < member->dependency_count; i++) {
		const struct bindery_binding *binding = member->dependencies[i];

		if (!binding->member)
			continue;
		workload->waits[count++] = (struct bindery_wait){
			.service = binding->member->service,
			.port = binding->member->port,
			.address = diag_arena_printf(p->arena, "%s:%lld", binding->member->service,
						     (long long)binding->member->port),
			.binding = binding,
			.optional = strcmp(binding->mode, "optional") == 0,
			.waiter = workload,
			.target = binding->workload,
		};
	}
	if (count)
		qsort(workload->waits, count, sizeof(*workload->waits), compare_waits);
	for (size_t i = 0; i < count; i++)
		if (!i || strcmp(workload->waits[i].address,
				 workload->waits[workload->wait_count - 1].address) != 0)
			workload->waits[workload->wait_count++] = workload->waits[i];
}

/* wait->target is the same workload, through the array that may be written. */
static struct bindery_workload *target_of(struct bindery_prediction *p,
					  const struct bindery_wait *wait)
{
	return &p->workloads[wait->target - p->workloads];
}

static void add_waiters(struct bindery_prediction *p)
{
	for (size_t i = 0; i < p->workload_count; i++)
		for (size_t w = 0; w < p->workloads[i].wait_count; w++)
			target_of(p, &p->workloads[i].waits[w])->waiter_count++;
	for (size_t i = 0; i < p->workload_count; i++) {
		struct bindery_workload *workload = &p->workloads[i];

		workload->waiters = diag_arena_alloc(p->arena, workload->waiter_count *
								       sizeof(*workload->waiters));
		workload->waiter_count = 0;
	}
	for (size_t i = 0; i < p->workload_count; i++) {
		for (size_t w = 0; w < p->workloads[i].wait_count; w++) {
			const struct bindery_wait *wait = &p->workloads[i].waits[w];
			struct bindery_workload *target = target_of(p, wait);

			target->waiters[target->waiter_count++] = wait;
		}
	}
}

static void free_list(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	free(((struct list *)value)->items);
}

void bindery_predict_waits(struct bindery_prediction *p)
{
	diag_map_auto struct diag_map *lists = diag_map_new();
	struct consumers c = { .p = p, .lists = lists };

	diag_buf_init(&c.key, 4 * DIAG_MAX_FILE_BYTES);
	index_bindings(&c);
	for (size_t i = 0; i < p->workload_count; i++) {
		struct bindery_workload *workload = &p->workloads[i];

		for (size_t m = 0; m < workload->member_count; m++)
			add_dependencies(&c, workload, &workload->members[m]);
		if (workload->strategy != BINDERY_GROUP_POD)
			add_waits(p, workload, &workload->members[0]);
	}
	add_waiters(p);
	diag_map_each(lists, free_list, NULL);
	diag_buf_done(&c.key);
}
