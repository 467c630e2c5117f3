/* The WorldStorageClaim of a module, and the PVC that is made from it. */
#include "bindery/objects_internal.h"

static json_t *labels_of(const struct bindery_storage *storage)
{
	json_t *labels = json_object();

	bindery_set(labels, BINDERY_LABEL "world", storage->workload->world->name);
	bindery_set_shard_label(labels, storage->workload->shard);
	return labels;
}

static json_t *reference(const char *name)
{
	json_t *object = json_object();

	bindery_set(object, "name", name);
	return object;
}

static json_t *access_modes(const struct bindery_storage *storage)
{
	json_t *modes = json_array();

	for (size_t i = 0; i < storage->access_mode_count; i++)
		json_array_append_new(modes, json_string(storage->access_modes[i]));
	return modes;
}

json_t *bindery_claim_object(const struct bindery_storage *storage)
{
	const struct bindery_workload *workload = storage->workload;
	json_t *labels, *spec, *object;

	if (!storage->effective)
		return NULL;
	labels = labels_of(storage);
	bindery_set(labels, BINDERY_LABEL "managed-by", "runtimeorchestrator");
	object = bindery_new_object("bindery.platform/v1alpha1", "WorldStorageClaim",
				    workload->namespace_, storage->claim, labels);
	spec = json_object();
	bindery_set(spec, "scope", storage->scope);
	bindery_set(spec, "tier", storage->tier);
	bindery_set(spec, "size", storage->size);
	json_object_set_new(spec, "worldRef", reference(workload->world->name));
	if (storage->shard_ref)
		json_object_set_new(spec, "shardRef", reference(storage->shard_ref));
	if (storage->access_mode_count)
		json_object_set_new(spec, "accessModes", access_modes(storage));
	json_object_set_new(object, "spec", spec);
	bindery_own_by_world(object, workload->world, workload->shard);
	return object;
}

json_t *bindery_pvc_object(const struct bindery_storage *storage)
{
	json_t *labels, *spec, *object;

	if (!storage->effective)
		return NULL;
	labels = labels_of(storage);
	bindery_set(labels, BINDERY_LABEL "storage-tier", storage->tier);
	object = bindery_new_object("v1", "PersistentVolumeClaim", storage->workload->namespace_,
				    storage->pvc, labels);
	spec = json_object();
	json_object_set_new(spec, "accessModes",
			    storage->access_mode_count ? access_modes(storage)
						       : json_pack("[s]", "ReadWriteOnce"));
	json_object_set_new(spec, "resources", json_pack("{s:{}}", "requests"));
	bindery_set(json_object_get(json_object_get(spec, "resources"), "requests"), "storage",
		    storage->size);
	json_object_set_new(object, "spec", spec);
	bindery_set_owner(object, "WorldStorageClaim", storage->claim);
	return object;
}
