/* What the inputs say: Booklets, realms, and worlds with the modules that take part. */
#include "base/map.h"
#include "base/str.h"
#include "bindery/predict_internal.h"
#include "text/json.h"

/* NULL for what can be no object of a cluster. */
static const char *name_of(const json_t *object)
{
	const char *name = diag_json_str(object, "metadata", "name");

	return diag_str_empty(name) ? NULL : name;
}

static const char *text_or_empty(const char *text)
{
	return text ? text : "";
}

/* A missing `required` means true: the CRD's default. */
static void read_entries(struct bindery_prediction *p, const json_t *object,
			 struct bindery_entries *entries)
{
	const json_t *list = diag_json_array(object, "spec", "modules");
	const json_t *entry;
	size_t i;

	entries->items =
		diag_arena_alloc(p->arena, json_array_size(list) * sizeof(*entries->items));
	json_array_foreach(list, i, entry) {
		const char *name = diag_json_str(entry, "name");

		entries->items[entries->count++] = (struct bindery_entry){
			.name = text_or_empty(name),
			.object = entry,
			.index = i,
			.required = !json_is_false(json_object_get(entry, "required")),
			.manifest = bindery_prediction_manifest(p, name),
		};
	}
}

static enum bindery_strategy strategy_of(const json_t *group)
{
	const char *strategy = diag_json_str(group, "strategy");

	if (diag_str_eq(strategy, "Pod"))
		return BINDERY_GROUP_POD;
	return diag_str_eq(strategy, "Node") ? BINDERY_GROUP_NODE : BINDERY_ALONE;
}

static void read_group(struct bindery_prediction *p, struct bindery_booklet *booklet,
		       const json_t *object, size_t index)
{
	struct bindery_group *group = &booklet->groups[booklet->group_count++];
	const json_t *list = diag_json_array(object, "modules"), *entry;
	size_t i;

	*group = (struct bindery_group){
		.name = text_or_empty(diag_json_str(object, "name")),
		.object = object,
		.index = index,
		.strategy = strategy_of(object),
		.modules =
			diag_arena_alloc(p->arena, json_array_size(list) * sizeof(*group->modules)),
	};
	json_array_foreach(list, i, entry) {
		const char *module = json_string_value(entry);

		if (!module)
			continue;
		group->modules[group->module_count++] = module;
		if (!diag_map_get(booklet->group_of, module))
			diag_map_set(booklet->group_of, module, group);
	}
}

static void read_booklets(struct bindery_prediction *p, const json_t *booklets)
{
	const json_t *object;
	size_t i;

	p->booklets = diag_arena_alloc(p->arena, json_array_size(booklets) * sizeof(*p->booklets));
	json_array_foreach(booklets, i, object) {
		const json_t *groups = diag_json_array(object, "spec", "colocation"), *group;
		struct bindery_booklet *booklet;
		size_t j;

		if (!name_of(object))
			continue;
		booklet = &p->booklets[p->booklet_count++];
		*booklet = (struct bindery_booklet){
			.object = object,
			.name = name_of(object),
			.groups = diag_arena_alloc(p->arena, json_array_size(groups) *
								     sizeof(*booklet->groups)),
			.group_of = diag_map_new(),
		};
		read_entries(p, object, &booklet->entries);
		json_array_foreach(groups, j, group)
			read_group(p, booklet, group, j);
		diag_map_set(p->booklets_by_name, booklet->name, booklet);
	}
}

static void read_realms(struct bindery_prediction *p, const json_t *realms)
{
	const json_t *object;
	size_t i;

	p->realms = diag_arena_alloc(p->arena, json_array_size(realms) * sizeof(*p->realms));
	json_array_foreach(realms, i, object) {
		struct bindery_realm *realm;

		if (!name_of(object))
			continue;
		realm = &p->realms[p->realm_count++];
		*realm = (struct bindery_realm){ .object = object, .name = name_of(object) };
		read_entries(p, object, &realm->entries);
		diag_map_set(p->realms_by_name, realm->name, realm);
	}
}

static void add_modules(struct bindery_world *world, const struct bindery_entries *entries,
			bool external)
{
	for (size_t i = 0; i < entries->count; i++) {
		const struct bindery_entry *entry = &entries->items[i];

		if (entry->manifest)
			world->modules[world->module_count++] =
				(struct bindery_module){ entry->name, entry->manifest, external };
		else if (!external && entry->required)
			world->missing_required++;
	}
}

static void resolve(struct bindery_prediction *p, struct bindery_world *world)
{
	size_t count;

	if (!world->booklet)
		return;
	count = world->booklet->entries.count + (world->realm ? world->realm->entries.count : 0);
	world->modules = diag_arena_alloc(p->arena, count * sizeof(*world->modules));
	add_modules(world, &world->booklet->entries, false);
	if (world->missing_required)
		return;
	if (world->realm)
		add_modules(world, &world->realm->entries, true);
	world->resolution =
		bindery_resolve(p->arena, world->name, world->modules, world->module_count);
}

static void read_world(struct bindery_prediction *p, const json_t *object,
		       struct bindery_world *world)
{
	const char *booklet = diag_json_str(object, "spec", "gameRef", "name");
	const char *realm = diag_json_str(object, "spec", "realmRef", "name");
	int64_t shards = diag_json_int(object, 0, "spec", "shardCount");

	*world = (struct bindery_world){
		.object = object,
		.namespace_ = p->namespace_,
		.name = name_of(object),
		.booklet_name = text_or_empty(booklet),
		.booklet = booklet ? diag_map_get(p->booklets_by_name, booklet) : NULL,
		.realm_name = diag_str_empty(realm) ? NULL : realm,
		.realm = realm ? diag_map_get(p->realms_by_name, realm) : NULL,
		/* Below 1 counts as 1. */
		.shard_count = DIAG_MIN(DIAG_MAX(shards, INT64_C(1)), (int64_t)BINDERY_MAX_SHARDS),
		.shards_asked = shards,
	};
	resolve(p, world);
	diag_map_set(p->worlds_by_name, world->name, world);
}

void bindery_predict_worlds(struct bindery_prediction *p, const struct bindery_input *input)
{
	json_t *object;
	size_t i;

	json_array_foreach(input->manifests, i, object) {
		if (name_of(object))
			diag_map_set(p->manifests, name_of(object), object);
	}
	read_booklets(p, input->booklets);
	read_realms(p, input->realms);
	p->worlds = diag_arena_alloc(p->arena, json_array_size(input->worlds) * sizeof(*p->worlds));
	json_array_foreach(input->worlds, i, object) {
		if (name_of(object))
			read_world(p, object, &p->worlds[p->world_count++]);
	}
}
