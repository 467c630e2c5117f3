#include "bindery/objects.h"

#include <stdio.h>

#include "base/arena.h"
#include "bindery/names.h"
#include "bindery/objects_internal.h"

#define GROUP_VERSION "bindery.platform/v1alpha1"

void bindery_set(json_t *object, const char *key, const char *value)
{
	json_t *string = value ? json_string(value) : NULL;

	json_object_set_new(object, key, string ? string : json_string(""));
}

json_t *bindery_new_object(const char *api_version, const char *kind, const char *namespace_,
			   const char *name, json_t *labels)
{
	json_t *object = json_object(), *metadata = json_object();

	bindery_set(object, "apiVersion", api_version);
	bindery_set(object, "kind", kind);
	bindery_set(metadata, "name", name);
	bindery_set(metadata, "namespace", namespace_);
	json_object_set_new(metadata, "labels", labels);
	json_object_set_new(object, "metadata", metadata);
	return object;
}

void bindery_set_owner(json_t *object, const char *kind, const char *name)
{
	json_t *owner = json_object(), *owners = json_array();

	bindery_set(owner, "kind", kind);
	bindery_set(owner, "name", name);
	json_array_append_new(owners, owner);
	json_object_set_new(json_object_get(object, "metadata"), "ownerReferences", owners);
}

void bindery_set_shard_label(json_t *labels, int64_t shard)
{
	char text[32];

	if (shard < 0)
		return;
	snprintf(text, sizeof(text), "%lld", (long long)shard);
	bindery_set(labels, BINDERY_LABEL "shard", text);
}

void bindery_own_by_world(json_t *object, const struct bindery_world *world, int64_t shard)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();

	if (shard >= 0)
		bindery_set_owner(object, "WorldShard",
				  bindery_name_shard(arena, world->name, shard));
	else
		bindery_set_owner(object, "WorldInstance", world->name);
}

void bindery_own_workload(json_t *object, const struct bindery_workload *workload)
{
	if (workload->world)
		bindery_own_by_world(object, workload->world, workload->shard);
}

static json_t *world_labels(const char *manager, const struct bindery_world *world, int64_t shard)
{
	json_t *labels = json_object();

	bindery_set(labels, BINDERY_LABEL "managed-by", manager);
	bindery_set(labels, BINDERY_LABEL "world", world->name);
	bindery_set(labels, BINDERY_LABEL "game", world->booklet_name);
	bindery_set_shard_label(labels, shard);
	return labels;
}

static json_t *binding_labels(const struct bindery_binding *binding)
{
	json_t *labels;

	if (binding->world)
		return world_labels("capabilityresolver", binding->world, binding->shard);
	labels = json_object();
	bindery_set(labels, BINDERY_LABEL "managed-by", "realm-controller");
	bindery_set(labels, BINDERY_LABEL "realm", binding->realm->name);
	return labels;
}

static json_t *reference(const char *name)
{
	json_t *object = json_object();

	bindery_set(object, "name", name);
	return object;
}

static json_t *consumer_of(const struct bindery_binding *binding)
{
	json_t *consumer = json_object(), *requirement;

	bindery_set(consumer, "moduleManifestName", binding->consumer);
	if (!binding->world) /* a realm requires nothing */
		return consumer;
	requirement = json_object();
	bindery_set(requirement, "versionConstraint", binding->constraint);
	if (*binding->mode)
		bindery_set(requirement, "dependencyMode", binding->mode);
	json_object_set_new(consumer, "requirement", requirement);
	return consumer;
}

json_t *bindery_binding_object(const struct bindery_binding *binding)
{
	json_t *provider = json_object(), *spec = json_object();
	json_t *object = bindery_new_object(GROUP_VERSION, "CapabilityBinding", binding->namespace_,
					    binding->name, binding_labels(binding));

	bindery_set(provider, "moduleManifestName", binding->provider);
	if (*binding->version)
		bindery_set(provider, "capabilityVersion", binding->version);
	bindery_set(spec, "capabilityId", binding->capability);
	bindery_set(spec, "scope", binding->scope);
	bindery_set(spec, "multiplicity", binding->multiplicity);
	json_object_set_new(spec, "consumer", consumer_of(binding));
	json_object_set_new(spec, "provider", provider);
	if (binding->world)
		json_object_set_new(spec, "worldRef", reference(binding->world->name));
	json_object_set_new(object, "spec", spec);
	if (binding->world)
		bindery_own_by_world(object, binding->world, binding->shard);
	else
		bindery_set_owner(object, "Realm", binding->realm->name);
	return object;
}

json_t *bindery_shard_object(const struct bindery_world *world, int64_t id)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	json_t *spec = json_object();
	json_t *object = bindery_new_object(GROUP_VERSION, "WorldShard", world->namespace_,
					    bindery_name_shard(arena, world->name, id),
					    world_labels("worldshardcontroller", world, id));

	json_object_set_new(spec, "worldRef", reference(world->name));
	json_object_set_new(spec, "shardId", json_integer(id));
	json_object_set_new(object, "spec", spec);
	bindery_set_owner(object, "WorldInstance", world->name);
	return object;
}

json_t *bindery_selector(const struct bindery_workload *workload, const char *module)
{
	json_t *labels = json_object();

	bindery_set(labels, BINDERY_LABEL "managed-by", "runtimeorchestrator");
	if (workload->world)
		bindery_set(labels, BINDERY_LABEL "world", workload->world->name);
	bindery_set_shard_label(labels, workload->shard);
	if (workload->strategy == BINDERY_GROUP_POD)
		bindery_set(labels, BINDERY_LABEL "coloc-group", workload->group);
	else
		bindery_set(labels, BINDERY_LABEL "module", module);
	return labels;
}

json_t *bindery_service_object(const struct bindery_workload *workload,
			       const struct bindery_member *member)
{
	json_t *selector = bindery_selector(workload, member->module);
	/* Equal maps are one value: it halves what a prediction holds. */
	bool pod = workload->strategy == BINDERY_GROUP_POD;
	json_t *labels = pod ? json_copy(selector) : json_incref(selector), *object;
	json_t *port = json_pack("{s:s,s:s,s:I,s:I}", "name", "grpc", "protocol", "TCP", "port",
				 (json_int_t)member->port, "targetPort", (json_int_t)member->port);

	if (pod)
		bindery_set(labels, BINDERY_LABEL "module", member->module);
	object = bindery_new_object("v1", "Service", workload->namespace_, member->service, labels);
	json_object_set_new(object, "spec",
			    json_pack("{s:s,s:[o],s:o}", "type", "ClusterIP", "ports", port,
				      "selector", selector));
	bindery_own_workload(object, workload);
	return object;
}
