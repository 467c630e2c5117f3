/* From what the resolver wants to the objects that would exist: names, shards, realm bindings. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"
#include "text/json.h"

static struct bindery_binding *add(struct bindery_prediction *p)
{
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
		for (int64_t shard = 0; shard < world->shard_count; shard++)
			add_desired(p, world, desired, shard);
	}
}

static void add_realm(struct bindery_prediction *p, const struct bindery_realm *realm)
{
	for (size_t i = 0; i < realm->entries.count; i++) {
		const struct bindery_entry *entry = &realm->entries.items[i];
		const char *version = diag_json_str(entry->object, "version");
		struct bindery_binding *binding = add(p);

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
}

static int compare(const void *a, const void *b)
{
	const struct bindery_binding *one = a, *two = b;
	int order = strcmp(one->name, two->name);

	return order ? order : strcmp(one->provider, two->provider);
}

/* The same in every field is no fight: the operator writes the same object twice (Q7). */
static bool differs(const struct bindery_binding *a, const struct bindery_binding *b)
{
	return a->world != b->world || a->realm != b->realm ||
	       strcmp(a->provider, b->provider) != 0 || strcmp(a->version, b->version) != 0 ||
	       strcmp(a->constraint, b->constraint) != 0 || strcmp(a->consumer, b->consumer) != 0;
}

static void mark_contested(struct bindery_prediction *p)
{
	for (size_t i = 1; i < p->binding_count; i++) {
		struct bindery_binding *one = &p->bindings[i - 1], *two = &p->bindings[i];

		if (strcmp(one->name, two->name) == 0 && (one->contested || differs(one, two)))
			one->contested = two->contested = true;
	}
}

void bindery_predict_bindings(struct bindery_prediction *p)
{
	for (size_t i = 0; i < p->world_count; i++)
		add_world(p, &p->worlds[i]);
	for (size_t i = 0; i < p->realm_count; i++)
		add_realm(p, &p->realms[i]);
	if (p->binding_count)
		qsort(p->bindings, p->binding_count, sizeof(*p->bindings), compare);
	mark_contested(p);
}
