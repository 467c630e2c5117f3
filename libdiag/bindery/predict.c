#include "bindery/predict.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"
#include "text/json.h"

const char *bindery_manifest_annotation(const json_t *manifest, const char *name)
{
	const json_t *annotations = diag_json_object(manifest, "metadata", "annotations");
	const char *value;
	char key[128];

	snprintf(key, sizeof(key), "bindery.dev/%s", name);
	value = diag_json_str(annotations, key);
	return diag_str_empty(value) ? NULL : value;
}

const char *bindery_manifest_image(const json_t *manifest)
{
	const char *image = diag_json_str(manifest, "spec", "runtime", "image");

	return diag_str_empty(image) ? bindery_manifest_annotation(manifest, "runtime-image")
				     : image;
}

int64_t bindery_manifest_port(const json_t *manifest)
{
	int64_t port = diag_json_int(manifest, 0, "spec", "runtime", "port");
	const char *text = bindery_manifest_annotation(manifest, "runtime-port");
	char *end;

	if (port >= 1 && port <= 65535)
		return port;
	port = text ? strtol(text, &end, 10) : 0;
	return text && !*end && port >= 1 && port <= 65535 ? port : 50051;
}

const char *bindery_shard_label(struct diag_arena *arena, int64_t shard)
{
	return shard < 0 ? NULL : diag_arena_printf(arena, "%lld", (long long)shard);
}

static const char *name_of(const json_t *object)
{
	const char *name = diag_json_str(object, "metadata", "name");

	return name ? name : "";
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
			.name = name ? name : "",
			.object = entry,
			.index = i,
			.required = !json_is_false(json_object_get(entry, "required")),
			.manifest = name ? diag_map_get(p->manifests, name) : NULL,
		};
	}
}

static void read_manifests(struct bindery_prediction *p, const json_t *manifests)
{
	json_t *manifest;
	size_t i;

	json_array_foreach(manifests, i, manifest)
		diag_map_set(p->manifests, name_of(manifest), manifest);
}

static void read_booklets(struct bindery_prediction *p, const json_t *booklets)
{
	const json_t *object;
	size_t i;

	p->booklets = diag_arena_alloc(p->arena, json_array_size(booklets) * sizeof(*p->booklets));
	json_array_foreach(booklets, i, object) {
		struct bindery_booklet *booklet = &p->booklets[p->booklet_count++];

		*booklet = (struct bindery_booklet){ .object = object, .name = name_of(object) };
		read_entries(p, object, &booklet->entries);
		diag_map_set(p->booklets_by_name, booklet->name, booklet);
	}
}

static void read_realms(struct bindery_prediction *p, const json_t *realms)
{
	const json_t *object;
	size_t i;

	p->realms = diag_arena_alloc(p->arena, json_array_size(realms) * sizeof(*p->realms));
	json_array_foreach(realms, i, object) {
		struct bindery_realm *realm = &p->realms[p->realm_count++];

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

static void read_world(struct bindery_prediction *p, const json_t *object,
		       struct bindery_world *world)
{
	const char *booklet = diag_json_str(object, "spec", "gameRef", "name");
	const char *realm = diag_json_str(object, "spec", "realmRef", "name");
	size_t count;

	*world = (struct bindery_world){
		.object = object,
		.namespace_ = p->namespace_,
		.name = name_of(object),
		.booklet_name = booklet ? booklet : "",
		.booklet = booklet ? diag_map_get(p->booklets_by_name, booklet) : NULL,
		.realm_name = diag_str_empty(realm) ? NULL : realm,
		.realm = realm ? diag_map_get(p->realms_by_name, realm) : NULL,
		.shard_count = diag_json_int(object, 1, "spec", "shardCount"),
	};
	world->shard_count = DIAG_MAX(world->shard_count, INT64_C(1));
	world->shard_count = DIAG_MIN(world->shard_count, (int64_t)BINDERY_MAX_SHARDS);
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

static void read_worlds(struct bindery_prediction *p, const json_t *worlds)
{
	const json_t *object;
	size_t i;

	p->worlds = diag_arena_alloc(p->arena, json_array_size(worlds) * sizeof(*p->worlds));
	json_array_foreach(worlds, i, object)
		read_world(p, object, &p->worlds[p->world_count++]);
}

struct bindery_prediction *bindery_predict(const struct bindery_input *input)
{
	struct bindery_prediction *p = diag_xcalloc(1, sizeof(*p));

	p->arena = diag_arena_new();
	p->namespace_ = input->namespace_;
	p->manifests = diag_map_new();
	p->booklets_by_name = diag_map_new();
	p->realms_by_name = diag_map_new();
	p->workloads_by_key = diag_map_new();
	p->workloads_by_name = diag_map_new();
	p->workloads_by_service = diag_map_new();
	p->shards = json_array();
	read_manifests(p, input->manifests);
	read_booklets(p, input->booklets);
	read_realms(p, input->realms);
	read_worlds(p, input->worlds);
	bindery_predict_bindings(p);
	bindery_predict_workloads(p);
	bindery_predict_objects(p);
	bindery_predict_refusals(p);
	bindery_predict_cycles(p);
	return p;
}

static void free_workload(struct bindery_workload *workload)
{
	for (size_t i = 0; i < workload->member_count; i++) {
		free(workload->members[i].bindings);
		free(workload->members[i].dependencies);
		json_decref(workload->members[i].service_object);
	}
	free(workload->members);
	free(workload->waits);
	json_decref(workload->storage.claim_object);
	json_decref(workload->storage.pvc_object);
	json_decref(workload->object);
}

void bindery_prediction_free(struct bindery_prediction *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->workload_count; i++)
		free_workload(&p->workloads[i]);
	for (size_t i = 0; i < p->binding_count; i++)
		json_decref(p->bindings[i].object);
	for (size_t i = 0; i < p->world_count; i++)
		bindery_resolution_done(p->worlds[i].resolution);
	free(p->workloads);
	free(p->bindings);
	free(p->refusals);
	json_decref(p->shards);
	diag_map_free(p->manifests);
	diag_map_free(p->booklets_by_name);
	diag_map_free(p->realms_by_name);
	diag_map_free(p->workloads_by_key);
	diag_map_free(p->workloads_by_name);
	diag_map_free(p->workloads_by_service);
	diag_arena_free(p->arena);
	free(p);
}

const json_t *bindery_prediction_manifest(const struct bindery_prediction *prediction,
					  const char *name)
{
	return name ? diag_map_get(prediction->manifests, name) : NULL;
}

const struct bindery_workload *
bindery_prediction_service(const struct bindery_prediction *prediction, const char *service)
{
	const size_t *index =
		service ? diag_map_get(prediction->workloads_by_service, service) : NULL;

	return index ? &prediction->workloads[*index] : NULL;
}
