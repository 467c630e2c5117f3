/* From what the resolver wants to the objects that would exist: names, shards, realm bindings. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"
#include "text/json.h"

const char *bindery_world_part(const struct bindery_binding *binding)
{
	return binding->global ? "global" : binding->world->name;
}

/* NULL when there are too many already. */
static struct bindery_binding *add(struct bindery_prediction *p)
{
	if (p->binding_count >= p->max_bindings) {
		p->cut = true;
		return NULL;
	}
	p->bindings = diag_xgrow(p->bindings, p->binding_count, &p->binding_capacity,
				 sizeof(*p->bindings));
	p->bindings[p->binding_count] =
		(struct bindery_binding){ .namespace_ = p->namespace_, .shard = -1 };
	return &p->bindings[p->binding_count++];
}

static void add_desired(struct bindery_prediction *p, const struct bindery_world *world,
			const struct bindery_desired *desired, int64_t shard)
{
	struct bindery_binding *binding = add(p);

	if (!binding)
		return;
	binding->name =
		bindery_name_binding(p->arena, world->name, desired->consumer, desired->capability,
				     desired->scope, desired->multiplicity, shard);
	binding->desired = desired;
	binding->world = world;
	binding->capability = desired->capability;
	binding->scope = desired->scope;
	binding->multiplicity = desired->multiplicity;
	binding->consumer = desired->consumer;
	binding->constraint = desired->constraint;
	binding->mode = desired->mode;
	binding->provider = desired->provider;
	binding->version = desired->version;
	binding->manifest = desired->provider_module->manifest;
	binding->shard = shard;
	binding->root = !desired->requirement;
	binding->global = bindery_scope_is_global(desired->scope);
}

static void add_world(struct bindery_prediction *p, const struct bindery_world *world)
{
	for (size_t i = 0; world->resolution && i < world->resolution->desired_count; i++) {
		const struct bindery_desired *desired = &world->resolution->desired[i];

		if (strcmp(desired->scope, "world-shard") != 0) {
			add_desired(p, world, desired, -1);
			continue;
		}
		for (int64_t shard = 0; shard < world->shard_count && !p->cut; shard++)
			add_desired(p, world, desired, shard);
	}
}

static void add_realm_entry(struct bindery_prediction *p, const struct bindery_realm *realm,
			    const struct bindery_entry *entry)
{
	const char *version = diag_json_str(entry->object, "version");
	struct bindery_binding *binding = add(p);

	if (!binding)
		return;
	binding->name = bindery_name_realm_binding(p->arena, realm->name, entry->name);
	binding->realm = realm;
	binding->realm_entry = entry;
	binding->capability = "system.root";
	binding->scope = "realm";
	binding->multiplicity = "1";
	binding->consumer = diag_arena_printf(p->arena, "realm-%s", realm->name);
	binding->constraint = "*";
	binding->mode = "required";
	binding->provider = entry->name;
	binding->version = version ? version : "";
	binding->manifest = entry->manifest;
	binding->root = true;
	binding->global = true;
}

/* By name; what shares one is in the order in which it was made, so that answers do not change. */
static int compare(const void *a, const void *b)
{
	const struct bindery_binding *one = a, *two = b;
	int order = strcmp(one->name, two->name);

	if (!order)
		order = (one->world > two->world) - (one->world < two->world);
	if (!order)
		order = (one->desired > two->desired) - (one->desired < two->desired);
	if (!order)
		order = (one->realm > two->realm) - (one->realm < two->realm);
	return order ? order
		     : (one->realm_entry > two->realm_entry) -
			       (one->realm_entry < two->realm_entry);
}

static bool same_owner(const struct bindery_binding *a, const struct bindery_binding *b)
{
	return a->world == b->world && a->realm == b->realm;
}

/* The same in every field is no fight: the operator writes the same object twice (Q7). */
static bool differs(const struct bindery_binding *a, const struct bindery_binding *b)
{
	return !same_owner(a, b) || strcmp(a->provider, b->provider) != 0 ||
	       strcmp(a->version, b->version) != 0 || strcmp(a->constraint, b->constraint) != 0 ||
	       strcmp(a->mode, b->mode) != 0 || strcmp(a->consumer, b->consumer) != 0 ||
	       strcmp(a->capability, b->capability) != 0 || strcmp(a->scope, b->scope) != 0 ||
	       strcmp(a->multiplicity, b->multiplicity) != 0;
}

/* The requirement as JSON: a manifest listed twice consumes twice by the same entry. */
static const json_t *entry_of(const struct bindery_binding *binding)
{
	return binding->desired && binding->desired->requirement
		       ? binding->desired->requirement->entry
		       : NULL;
}

static enum bindery_collision_kind kind_of(const struct bindery_binding *bindings, size_t count)
{
	bool roots = true, one_entry = true, alike = true;

	for (size_t i = 0; i < count; i++) {
		const struct bindery_binding *b = &bindings[i];

		if (!same_owner(b, bindings))
			return BINDERY_COLLISION_OWNERS;
		roots &= b->root && b->world;
		one_entry &= entry_of(b) == entry_of(bindings);
		alike &= strcmp(b->consumer, bindings->consumer) == 0 &&
			 strcmp(b->capability, bindings->capability) == 0 &&
			 (b->world || strcmp(b->provider, bindings->provider) == 0);
	}
	if (roots)
		return BINDERY_COLLISION_ROOTS;
	if (one_entry && entry_of(bindings))
		return BINDERY_COLLISION_MANY;
	return alike ? BINDERY_COLLISION_DUPLICATE : BINDERY_COLLISION_SPELLING;
}

/* How many neighbours from `first` on share its name; whether they differ. */
static size_t run_of(const struct bindery_prediction *p, size_t first, bool *ret_contested)
{
	size_t end = first + 1;

	*ret_contested = false;
	while (end < p->binding_count &&
	       strcmp(p->bindings[end].name, p->bindings[first].name) == 0)
		*ret_contested |= differs(&p->bindings[first], &p->bindings[end++]);
	return end - first;
}

static void find_collisions(struct bindery_prediction *p)
{
	size_t count, room = 0;
	bool contested;

	for (size_t i = 0; i < p->binding_count; i += count) {
		count = run_of(p, i, &contested);
		room += contested;
	}
	p->collisions = diag_arena_alloc(p->arena, room * sizeof(*p->collisions));
	for (size_t i = 0; i < p->binding_count; i += count) {
		struct bindery_collision *collision = &p->collisions[p->collision_count];

		count = run_of(p, i, &contested);
		if (!contested)
			continue;
		p->collision_count++;
		*collision = (struct bindery_collision){
			.kind = kind_of(&p->bindings[i], count),
			.name = p->bindings[i].name,
			.bindings = &p->bindings[i],
			.count = count,
		};
		for (size_t j = i; j < i + count; j++) {
			p->bindings[j].contested = true;
			p->bindings[j].collision = collision;
		}
	}
}

void bindery_predict_bindings(struct bindery_prediction *p)
{
	for (size_t i = 0; i < p->world_count; i++)
		add_world(p, &p->worlds[i]);
	for (size_t i = 0; i < p->realm_count; i++)
		for (size_t j = 0; j < p->realms[i].entries.count; j++)
			add_realm_entry(p, &p->realms[i], &p->realms[i].entries.items[j]);
	if (p->binding_count)
		qsort(p->bindings, p->binding_count, sizeof(*p->bindings), compare);
	find_collisions(p);
}
