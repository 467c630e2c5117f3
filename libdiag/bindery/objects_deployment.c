/* The Deployment of a workload: containers, environment, waits, volumes, placement. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/objects_internal.h"
#include "text/json.h"

#define SOCKETS "/var/run/bindery"

/* The object under way; names live in the arena until it is done. */
struct making {
	struct diag_arena *arena;
	const struct bindery_workload *workload;
};

static bool in_pod_group(const struct bindery_workload *workload, const char *module)
{
	const struct bindery_group *group =
		diag_map_get(workload->world->booklet->group_of, module);

	return group && group->strategy == BINDERY_GROUP_POD &&
	       strcmp(group->name, workload->group) == 0;
}

/* Only what publishes an endpoint can be injected. */
static void inject_address(struct making *m, const struct bindery_binding *dependency,
			   const char *id, json_t *env)
{
	const struct bindery_member *target = dependency->member;

	if (!target || target->refused || dependency->refused)
		return;
	bindery_set(
		env, diag_arena_printf(m->arena, "BINDERY_CAPABILITY_%s_ENDPOINT", id),
		diag_arena_printf(m->arena, "%s:%lld", target->service, (long long)target->port));
	bindery_set(env, diag_arena_printf(m->arena, "BINDERY_CAPABILITY_%s_HOST", id),
		    target->service);
	bindery_set(env, diag_arena_printf(m->arena, "BINDERY_CAPABILITY_%s_PORT", id),
		    diag_arena_printf(m->arena, "%lld", (long long)target->port));
}

/* The socket's path is given whether or not anybody listens there. */
static void inject_socket(struct making *m, const struct bindery_binding *dependency,
			  const char *id, json_t *env)
{
	if (m->workload->strategy != BINDERY_GROUP_POD || dependency->refused ||
	    !in_pod_group(m->workload, dependency->provider))
		return;
	bindery_set(env, diag_arena_printf(m->arena, "BINDERY_UDS_%s", id),
		    diag_arena_printf(m->arena, SOCKETS "/%s.sock", dependency->provider));
}

/* Name to value: injected values override the manifest's own, and of equal names the last wins. */
static json_t *environment(struct making *m, const struct bindery_member *member)
{
	json_t *env = json_object(), *value;
	const char *name;

	json_object_foreach(diag_json_object(member->manifest, "spec", "runtime", "env"), name,
			    value) {
		if (json_is_string(value))
			json_object_set(env, name, value);
	}
	if (m->workload->strategy == BINDERY_GROUP_POD) {
		bindery_set(env, "BINDERY_UDS_DIR", SOCKETS);
		bindery_set(env, "BINDERY_MODULE_NAME", member->module);
	}
	for (size_t i = 0; i < member->dependency_count; i++) {
		const struct bindery_binding *dependency = member->dependencies[i];
		const char *id = bindery_name_env(m->arena, dependency->capability);

		inject_socket(m, dependency, id, env);
		inject_address(m, dependency, id, env);
	}
	return env;
}

json_t *bindery_environment_object(const struct bindery_workload *workload,
				   const struct bindery_member *member)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	struct making m = { .arena = arena, .workload = workload };

	return environment(&m, member);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* As the list of a container, sorted by name; NULL when empty. */
static json_t *env_list(struct making *m, const struct bindery_member *member)
{
	json_auto_t *env = environment(m, member);
	size_t count = 0, size = json_object_size(env);
	diag_autofree const char **names = diag_xcalloc(size, sizeof(*names));
	json_t *list, *value;
	const char *name;

	if (!size)
		return NULL;
	json_object_foreach(env, name, value)
		names[count++] = name;
	qsort(names, count, sizeof(*names), compare_names);
	list = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(list, json_pack("{s:s,s:O}", "name", names[i], "value",
						      json_object_get(env, names[i])));
	return list;
}

static void copy_list(json_t *container, const json_t *manifest, const char *key)
{
	json_t *list = diag_json_array(manifest, "spec", "runtime", key);

	if (json_array_size(list))
		json_object_set(container, key, list);
}

static json_t *mount(const char *volume, const char *path)
{
	json_t *object = json_object();

	bindery_set(object, "name", volume);
	bindery_set(object, "mountPath", path);
	return object;
}

static json_t *mounts_of(const struct bindery_workload *workload,
			 const struct bindery_member *member)
{
	json_t *mounts = json_array();

	if (member->storage.effective)
		json_array_append_new(mounts, mount("bindery-state", member->storage.path));
	if (workload->strategy == BINDERY_GROUP_POD)
		json_array_append_new(mounts, mount("shared-socket", SOCKETS));
	return mounts;
}

static void set_unless_empty(json_t *object, const char *key, json_t *list)
{
	if (json_array_size(list))
		json_object_set(object, key, list);
	json_decref(list);
}

static void set_pre_stop(struct making *m, json_t *container, const json_t *manifest)
{
	const char *command = bindery_manifest_pre_stop(m->arena, manifest);
	json_t *words;

	if (!command)
		return;
	words = json_pack("[s,s]", "/bin/sh", "-c");
	json_array_append_new(words, json_string(command));
	json_object_set_new(container, "lifecycle",
			    json_pack("{s:{s:{s:o}}}", "preStop", "exec", "command", words));
}

static json_t *container(struct making *m, const struct bindery_member *member)
{
	bool pod = m->workload->strategy == BINDERY_GROUP_POD;
	json_t *object = json_object(), *env = env_list(m, member);

	bindery_set(object, "name", pod ? member->module : "module");
	bindery_set(object, "image", member->image);
	json_object_set_new(object, "ports",
			    json_pack("[{s:s,s:I}]", "name", "grpc", "containerPort",
				      (json_int_t)member->port));
	copy_list(object, member->manifest, "command");
	copy_list(object, member->manifest, "args");
	set_unless_empty(object, "env", env);
	set_pre_stop(m, object, member->manifest);
	set_unless_empty(object, "volumeMounts", mounts_of(m->workload, member));
	return object;
}

/* The shell loop of the operator, as it stands in real pods: it is compared with them. */
static json_t *init_container(const struct bindery_workload *workload)
{
	struct diag_buf script diag_buf_auto = { 0 };
	json_t *object = json_object(), *words = json_pack("[s,s]", "sh", "-c");

	diag_buf_init(&script, DIAG_MAX_FILE_BYTES);
	diag_buf_puts(&script, "for target in");
	for (size_t i = 0; i < workload->wait_count; i++)
		diag_buf_printf(&script, " %s", workload->waits[i].address);
	diag_buf_puts(&script, "; do host=${target%%:*}; port=${target##*:}; "
			       "until nc -z -w 2 $host $port; do echo waiting for $target; "
			       "sleep 2; done; done");
	bindery_set(object, "name", "wait-for-deps");
	bindery_set(object, "image", "busybox:1.36");
	json_array_append_new(words, json_string(diag_buf_str(&script)));
	json_object_set_new(object, "command", words);
	return object;
}

static void set_grace(const json_t *manifest, json_t *spec)
{
	int64_t seconds = bindery_manifest_grace(manifest);

	if (seconds >= 0)
		json_object_set_new(spec, "terminationGracePeriodSeconds", json_integer(seconds));
}

/* Copied when set; an empty affinity counts as set, other empty values do not. */
static void set_scheduling(const json_t *manifest, json_t *spec)
{
	const json_t *scheduling = diag_json_object(manifest, "spec", "scheduling");
	json_t *affinity = diag_json_object(scheduling, "affinity");
	json_t *tolerations = diag_json_array(scheduling, "tolerations");
	json_t *selector = diag_json_object(scheduling, "nodeSelector");
	const char *priority = diag_json_str(scheduling, "priorityClassName");

	if (affinity)
		json_object_set_new(spec, "affinity", json_deep_copy(affinity));
	if (json_array_size(tolerations))
		json_object_set(spec, "tolerations", tolerations);
	if (json_object_size(selector))
		json_object_set(spec, "nodeSelector", selector);
	if (!diag_str_empty(priority))
		bindery_set(spec, "priorityClassName", priority);
}

/* The value of a key as a container that may be changed, made when it is not there. */
static json_t *child(json_t *object, const char *key, json_t *(*make)(void), bool array)
{
	json_t *value = json_object_get(object, key);

	if (array ? !json_is_array(value) : !json_is_object(value)) {
		value = make();
		json_object_set_new(object, key, value);
	}
	return value;
}

static void add_node_affinity(const struct bindery_workload *workload, json_t *spec)
{
	json_t *affinity = child(spec, "affinity", json_object, false);
	json_t *pods = child(affinity, "podAffinity", json_object, false);
	json_t *terms =
		child(pods, "requiredDuringSchedulingIgnoredDuringExecution", json_array, true);
	json_t *labels = json_object();

	bindery_set(labels, BINDERY_LABEL "coloc-group", workload->group);
	bindery_set(labels, BINDERY_LABEL "world", workload->world->name);
	bindery_set_shard_label(labels, workload->shard);
	json_array_append_new(terms, json_pack("{s:{s:o},s:s}", "labelSelector", "matchLabels",
					       labels, "topologyKey", "kubernetes.io/hostname"));
}

static void set_volumes(const struct bindery_workload *workload, json_t *spec)
{
	json_t *volumes = json_array(), *volume, *source;

	if (workload->strategy == BINDERY_GROUP_POD)
		json_array_append_new(volumes,
				      json_pack("{s:s,s:{}}", "name", "shared-socket", "emptyDir"));
	if (workload->storage.effective) {
		volume = json_object();
		source = json_object();
		bindery_set(volume, "name", "bindery-state");
		bindery_set(source, "claimName", workload->storage.mounted);
		json_object_set_new(volume, "persistentVolumeClaim", source);
		json_array_append_new(volumes, volume);
	}
	set_unless_empty(spec, "volumes", volumes);
}

static json_t *pod_spec(struct making *m)
{
	const struct bindery_workload *workload = m->workload;
	json_t *spec = json_object(), *containers = json_array();

	for (size_t i = 0; i < workload->member_count; i++) {
		json_array_append_new(containers, container(m, &workload->members[i]));
		set_grace(workload->members[i].manifest, spec);
		set_scheduling(workload->members[i].manifest, spec);
	}
	json_object_set_new(spec, "containers", containers);
	if (workload->wait_count)
		json_object_set_new(spec, "initContainers",
				    json_pack("[o]", init_container(workload)));
	if (workload->strategy == BINDERY_GROUP_NODE)
		add_node_affinity(workload, spec);
	set_volumes(workload, spec);
	return spec;
}

json_t *bindery_deployment_object(const struct bindery_workload *workload)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	struct making m = { .arena = arena, .workload = workload };
	json_t *selector = bindery_selector(workload, workload->members[0].module);
	bool node = workload->strategy == BINDERY_GROUP_NODE;
	json_t *labels = node ? json_copy(selector) : json_incref(selector), *object;

	if (node)
		bindery_set(labels, BINDERY_LABEL "coloc-group", workload->group);
	object = bindery_new_object("apps/v1", "Deployment", workload->namespace_, workload->name,
				    labels);
	json_object_set_new(object, "spec",
			    json_pack("{s:i,s:{s:o},s:{s:{s:o},s:o}}", "replicas", 1, "selector",
				      "matchLabels", selector, "template", "metadata", "labels",
				      json_incref(labels), "spec", pod_spec(&m)));
	bindery_own_workload(object, workload);
	return object;
}
