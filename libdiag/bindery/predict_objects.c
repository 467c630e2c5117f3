/* The objects as the operator would write them: only the fields it sets itself. */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"
#include "text/json.h"

static void set(json_t *object, const char *key, const char *value)
{
	json_t *string = json_string(value);

	json_object_set_new(object, key, string ? string : json_string(""));
}

static json_t *new_object(const char *api_version, const char *kind, const char *namespace_,
			  const char *name, json_t *labels)
{
	json_t *object = json_object(), *metadata = json_object();

	set(object, "apiVersion", api_version);
	set(object, "kind", kind);
	set(metadata, "name", name);
	set(metadata, "namespace", namespace_);
	json_object_set_new(metadata, "labels", labels);
	json_object_set_new(object, "metadata", metadata);
	return object;
}

static void set_owner(json_t *object, const char *kind, const char *name)
{
	json_t *owner = json_object(), *owners = json_array();

	set(owner, "kind", kind);
	set(owner, "name", name);
	json_array_append_new(owners, owner);
	json_object_set_new(json_object_get(object, "metadata"), "ownerReferences", owners);
}

static void set_shard_label(json_t *labels, int64_t shard)
{
	char text[32];

	if (shard < 0)
		return;
	snprintf(text, sizeof(text), "%lld", (long long)shard);
	set(labels, BINDERY_LABEL "shard", text);
}

static void own_by_world(struct bindery_prediction *p, json_t *object,
			 const struct bindery_world *world, int64_t shard)
{
	if (shard >= 0)
		set_owner(object, "WorldShard", bindery_name_shard(p->arena, world->name, shard));
	else
		set_owner(object, "WorldInstance", world->name);
}

static json_t *binding_labels(const struct bindery_binding *binding)
{
	json_t *labels = json_object();

	if (!binding->world) {
		set(labels, BINDERY_LABEL "managed-by", "realm-controller");
		set(labels, BINDERY_LABEL "realm", binding->realm->name);
		return labels;
	}
	set(labels, BINDERY_LABEL "managed-by", "capabilityresolver");
	set(labels, BINDERY_LABEL "world", binding->world->name);
	set(labels, BINDERY_LABEL "game", binding->world->booklet_name);
	set_shard_label(labels, binding->shard);
	return labels;
}

static void binding_object(struct bindery_prediction *p, struct bindery_binding *binding)
{
	json_t *requirement = json_object(), *consumer = json_object(), *provider = json_object();
	json_t *spec = json_object();

	set(consumer, "moduleManifestName", binding->consumer);
	if (binding->world) { /* a realm requires nothing */
		set(requirement, "versionConstraint", binding->constraint);
		set(requirement, "dependencyMode", binding->mode);
		json_object_set(consumer, "requirement", requirement);
	}
	json_decref(requirement);
	set(provider, "moduleManifestName", binding->provider);
	if (*binding->version)
		set(provider, "capabilityVersion", binding->version);
	set(spec, "capabilityId", binding->capability);
	set(spec, "scope", binding->scope);
	set(spec, "multiplicity", binding->multiplicity);
	json_object_set_new(spec, "consumer", consumer);
	json_object_set_new(spec, "provider", provider);
	if (binding->world)
		json_object_set_new(spec, "worldRef",
				    json_pack("{s:s}", "name", binding->world->name));
	binding->object = new_object("bindery.platform/v1alpha1", "CapabilityBinding",
				     binding->namespace_, binding->name, binding_labels(binding));
	json_object_set_new(binding->object, "spec", spec);
	if (binding->world)
		own_by_world(p, binding->object, binding->world, binding->shard);
	else
		set_owner(binding->object, "Realm", binding->realm->name);
}

static void shard_objects(struct bindery_prediction *p, const struct bindery_world *world)
{
	for (int64_t id = 0; id < world->shard_count; id++) {
		json_t *labels = json_object(), *object;

		set(labels, BINDERY_LABEL "managed-by", "worldshardcontroller");
		set(labels, BINDERY_LABEL "world", world->name);
		set(labels, BINDERY_LABEL "game", world->booklet_name);
		set_shard_label(labels, id);
		object = new_object("bindery.platform/v1alpha1", "WorldShard", world->namespace_,
				    bindery_name_shard(p->arena, world->name, id), labels);
		json_object_set_new(object, "spec",
				    json_pack("{s:{s:s},s:I}", "worldRef", "name", world->name,
					      "shardId", (json_int_t)id));
		set_owner(object, "WorldInstance", world->name);
		json_array_append_new(p->shards, object);
	}
}

/* The labels that select a workload's pods: by module, or by group when several share the pod. */
static json_t *selector(const struct bindery_workload *workload, const char *module)
{
	json_t *labels = json_object();

	set(labels, BINDERY_LABEL "managed-by", "runtimeorchestrator");
	if (workload->world)
		set(labels, BINDERY_LABEL "world", workload->world->name);
	set_shard_label(labels, workload->shard);
	if (workload->strategy == BINDERY_GROUP_POD)
		set(labels, BINDERY_LABEL "coloc-group", workload->group);
	else
		set(labels, BINDERY_LABEL "module", module);
	return labels;
}

static void own_workload(struct bindery_prediction *p, json_t *object,
			 const struct bindery_workload *workload)
{
	if (workload->world)
		own_by_world(p, object, workload->world, workload->shard);
}

static void service_object(struct bindery_prediction *p, const struct bindery_workload *workload,
			   struct bindery_member *member)
{
	json_t *labels = selector(workload, member->module);
	json_t *port = json_pack("{s:s,s:I,s:I}", "name", "grpc", "port", (json_int_t)member->port,
				 "targetPort", (json_int_t)member->port);

	set(labels, BINDERY_LABEL "module", member->module);
	member->service_object =
		new_object("v1", "Service", workload->namespace_, member->service, labels);
	json_object_set_new(member->service_object, "spec",
			    json_pack("{s:s,s:[o],s:o}", "type", "ClusterIP", "ports", port,
				      "selector", selector(workload, member->module)));
	own_workload(p, member->service_object, workload);
}

static bool in_group(const struct bindery_workload *workload, const char *module)
{
	const json_t *groups, *group, *entry;
	size_t i, j;

	groups = diag_json_array(workload->world->booklet->object, "spec", "colocation");
	json_array_foreach(groups, i, group) {
		if (!diag_str_eq(diag_json_str(group, "name"), workload->group))
			continue;
		json_array_foreach(diag_json_array(group, "modules"), j, entry) {
			if (diag_str_eq(json_string_value(entry), module))
				return true;
		}
	}
	return false;
}

static void inject(struct bindery_prediction *p, const struct bindery_workload *workload,
		   const struct bindery_binding *dependency, json_t *env)
{
	const char *id = bindery_name_env(p->arena, dependency->capability);
	const char *host = bindery_name_runtime(
		p->arena, dependency->global ? "global" : dependency->world->name,
		bindery_shard_label(p->arena, dependency->shard), dependency->provider);
	int64_t port = bindery_manifest_port(dependency->manifest);

	if (!dependency->manifest || !bindery_manifest_image(dependency->manifest))
		return;
	set(env, diag_arena_printf(p->arena, "BINDERY_CAPABILITY_%s_ENDPOINT", id),
	    diag_arena_printf(p->arena, "%s:%lld", host, (long long)port));
	set(env, diag_arena_printf(p->arena, "BINDERY_CAPABILITY_%s_HOST", id), host);
	set(env, diag_arena_printf(p->arena, "BINDERY_CAPABILITY_%s_PORT", id),
	    diag_arena_printf(p->arena, "%lld", (long long)port));
	if (workload->strategy == BINDERY_GROUP_POD && in_group(workload, dependency->provider))
		set(env, diag_arena_printf(p->arena, "BINDERY_UDS_%s", id),
		    diag_arena_printf(p->arena, "/var/run/bindery/%s.sock", dependency->provider));
}

/* As a list sorted by name; injected values override the manifest's own. */
static json_t *env_list(struct bindery_prediction *p, const struct bindery_workload *workload,
			const struct bindery_member *member)
{
	json_t *env = json_object(), *list = json_array();
	const char *name;
	json_t *value;

	json_object_foreach(diag_json_object(member->manifest, "spec", "runtime", "env"), name,
			    value) {
		if (json_is_string(value))
			json_object_set(env, name, value);
	}
	for (size_t i = 0; i < member->dependency_count; i++)
		inject(p, workload, member->dependencies[i], env);
	if (workload->strategy == BINDERY_GROUP_POD) {
		set(env, "BINDERY_UDS_DIR", "/var/run/bindery");
		set(env, "BINDERY_MODULE_NAME", member->module);
	}
	json_object_foreach(env, name, value)
		json_array_append_new(list, json_pack("{s:s,s:O}", "name", name, "value", value));
	json_decref(env);
	return list;
}

static void copy_list(json_t *container, const json_t *manifest, const char *key)
{
	json_t *list = diag_json_array(manifest, "spec", "runtime", key);

	if (json_array_size(list))
		json_object_set(container, key, list);
}

static void add_mount(json_t *container, const char *volume, const char *path)
{
	json_t *mounts = json_object_get(container, "volumeMounts");

	if (!mounts) {
		mounts = json_array();
		json_object_set_new(container, "volumeMounts", mounts);
	}
	json_array_append_new(mounts, json_pack("{s:s,s:s}", "name", volume, "mountPath", path));
}

static json_t *container(struct bindery_prediction *p, const struct bindery_workload *workload,
			 const struct bindery_member *member)
{
	const char *stop = diag_json_str(member->manifest, "spec", "runtime", "preStopCommand");
	const char *path = bindery_manifest_annotation(member->manifest, "storage-mount-path");
	json_t *object = json_object();
	json_t *env = env_list(p, workload, member);

	set(object, "name", workload->strategy == BINDERY_GROUP_POD ? member->module : "module");
	set(object, "image", member->image);
	json_object_set_new(object, "ports",
			    json_pack("[{s:s,s:I}]", "name", "grpc", "containerPort",
				      (json_int_t)member->port));
	copy_list(object, member->manifest, "command");
	copy_list(object, member->manifest, "args");
	if (json_array_size(env))
		json_object_set(object, "env", env);
	json_decref(env);
	if (diag_str_empty(stop))
		stop = bindery_manifest_annotation(member->manifest, "pre-stop-command");
	if (stop)
		json_object_set_new(object, "lifecycle",
				    json_pack("{s:{s:{s:[s,s,s]}}}", "preStop", "exec", "command",
					      "/bin/sh", "-c", stop));
	if (workload->strategy == BINDERY_GROUP_POD)
		add_mount(object, "shared-socket", "/var/run/bindery");
	if (workload->storage.effective &&
	    bindery_manifest_annotation(member->manifest, "storage-tier"))
		add_mount(object, "bindery-state", path ? path : "/var/bindery/state");
	return object;
}

/* The shell loop of the operator, word for word: it is compared with what really runs. */
static json_t *init_container(const struct bindery_workload *workload)
{
	struct diag_buf script diag_buf_auto = { 0 };

	diag_buf_init(&script, DIAG_MAX_FILE_BYTES);
	diag_buf_puts(&script, "for target in");
	for (size_t i = 0; i < workload->wait_count; i++)
		diag_buf_printf(&script, " %s:%lld", workload->waits[i].service,
				(long long)workload->waits[i].port);
	diag_buf_puts(&script, "; do host=${target%%:*}; port=${target##*:}; "
			       "until nc -z -w 2 $host $port; do echo waiting for $target; "
			       "sleep 2; done; done");
	return json_pack("{s:s,s:s,s:[s,s,s]}", "name", "wait-for-deps", "image", "busybox:1.36",
			 "command", "sh", "-c", diag_buf_str(&script));
}

static void set_termination(const struct bindery_workload *workload, json_t *spec)
{
	for (size_t i = 0; i < workload->member_count; i++) {
		const json_t *manifest = workload->members[i].manifest;
		int64_t seconds = diag_json_int(manifest, -1, "spec", "runtime",
						"terminationGracePeriodSeconds");

		if (seconds >= 0)
			json_object_set_new(spec, "terminationGracePeriodSeconds",
					    json_integer(seconds));
	}
}

static void set_scheduling(const struct bindery_workload *workload, json_t *spec)
{
	static const char *const keys[] = { "affinity", "tolerations", "nodeSelector",
					    "priorityClassName" };

	for (size_t i = 0; i < workload->member_count; i++) {
		for (size_t k = 0; k < DIAG_ARRAY_SIZE(keys); k++) {
			json_t *value = diag_json_get(workload->members[i].manifest, "spec",
						      "scheduling", keys[k]);

			if (value && !json_is_null(value))
				json_object_set(spec, keys[k], value);
		}
	}
}

static void set_volumes(const struct bindery_workload *workload, json_t *spec)
{
	json_t *volumes = json_array();

	if (workload->strategy == BINDERY_GROUP_POD)
		json_array_append_new(volumes,
				      json_pack("{s:s,s:{}}", "name", "shared-socket", "emptyDir"));
	if (workload->storage.effective)
		json_array_append_new(volumes, json_pack("{s:s,s:{s:s}}", "name", "bindery-state",
							 "persistentVolumeClaim", "claimName",
							 workload->storage.mounted));
	if (json_array_size(volumes))
		json_object_set(spec, "volumes", volumes);
	json_decref(volumes);
}

static json_t *pod_spec(struct bindery_prediction *p, const struct bindery_workload *workload)
{
	json_t *spec = json_object(), *containers = json_array();

	for (size_t i = 0; i < workload->member_count; i++)
		json_array_append_new(containers, container(p, workload, &workload->members[i]));
	json_object_set_new(spec, "containers", containers);
	if (workload->wait_count)
		json_object_set_new(spec, "initContainers",
				    json_pack("[o]", init_container(workload)));
	set_termination(workload, spec);
	set_scheduling(workload, spec);
	set_volumes(workload, spec);
	return spec;
}

static void deployment_object(struct bindery_prediction *p, struct bindery_workload *workload)
{
	const char *module = workload->members[0].module;
	json_t *labels = selector(workload, module);
	json_t *template_labels, *selected = selector(workload, module);

	if (workload->strategy == BINDERY_GROUP_NODE)
		set(labels, BINDERY_LABEL "coloc-group", workload->group);
	template_labels = json_copy(labels);
	workload->object =
		new_object("apps/v1", "Deployment", workload->namespace_, workload->name, labels);
	json_object_set_new(workload->object, "spec",
			    json_pack("{s:i,s:{s:o},s:{s:{s:o},s:o}}", "replicas", 1, "selector",
				      "matchLabels", selected, "template", "metadata", "labels",
				      template_labels, "spec", pod_spec(p, workload)));
	own_workload(p, workload->object, workload);
}

static void set_access_modes(const struct bindery_workload *workload, json_t *spec, bool claim)
{
	json_t *modes = json_array();

	for (size_t i = 0; i < workload->member_count; i++) {
		const char *text = bindery_manifest_annotation(workload->members[i].manifest,
							       "storage-access-modes");

		while (text && *text) {
			size_t length = strcspn(text, ","), trimmed;
			char mode[64];
			const char *start;

			snprintf(mode, sizeof(mode), "%.*s",
				 (int)DIAG_MIN(length, sizeof(mode) - 1), text);
			start = diag_str_trim(mode, &trimmed);
			if (trimmed)
				json_array_append_new(modes, json_stringn(start, trimmed));
			text += length + (text[length] == ',');
		}
	}
	if (!json_array_size(modes) && !claim)
		json_array_append_new(modes, json_string("ReadWriteOnce"));
	if (json_array_size(modes))
		json_object_set(spec, "accessModes", modes);
	json_decref(modes);
}

static void storage_objects(struct bindery_prediction *p, struct bindery_workload *workload)
{
	struct bindery_storage *storage = &workload->storage;
	bool sharded = diag_str_eq(storage->scope, "world-shard");
	json_t *labels = json_object(), *spec;

	set(labels, BINDERY_LABEL "world", workload->world->name);
	set_shard_label(labels, workload->shard);
	spec = json_pack("{s:s,s:s,s:{s:s},s:s}", "scope", storage->scope, "tier", storage->tier,
			 "worldRef", "name", workload->world->name, "size", storage->size);
	if (sharded)
		json_object_set_new(spec, "shardRef",
				    json_pack("{s:s}", "name", storage->shard_ref));
	set_access_modes(workload, spec, true);
	storage->pvc_object = new_object("v1", "PersistentVolumeClaim", workload->namespace_,
					 storage->pvc, json_copy(labels));
	set(json_object_get(json_object_get(storage->pvc_object, "metadata"), "labels"),
	    BINDERY_LABEL "storage-tier", storage->tier);
	json_object_set_new(
		storage->pvc_object, "spec",
		json_pack("{s:{s:{s:s}}}", "resources", "requests", "storage", storage->size));
	set_access_modes(workload, json_object_get(storage->pvc_object, "spec"), false);
	set_owner(storage->pvc_object, "WorldStorageClaim", storage->claim);
	set(labels, BINDERY_LABEL "managed-by", "runtimeorchestrator");
	storage->claim_object = new_object("bindery.platform/v1alpha1", "WorldStorageClaim",
					   workload->namespace_, storage->claim, labels);
	json_object_set_new(storage->claim_object, "spec", spec);
	own_by_world(p, storage->claim_object, workload->world, workload->shard);
}

void bindery_predict_objects(struct bindery_prediction *p)
{
	for (size_t i = 0; i < p->binding_count; i++)
		binding_object(p, &p->bindings[i]);
	for (size_t i = 0; i < p->world_count; i++)
		shard_objects(p, &p->worlds[i]);
	for (size_t i = 0; i < p->workload_count; i++) {
		struct bindery_workload *workload = &p->workloads[i];

		for (size_t m = 0; m < workload->member_count; m++)
			service_object(p, workload, &workload->members[m]);
		deployment_object(p, workload);
		if (workload->storage.effective)
			storage_objects(p, workload);
	}
}
