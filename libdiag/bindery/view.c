#include "bindery/view.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "model/event.h"
#include "text/json.h"

#define GROUP ".bindery.platform"

const char *const bindery_view_wants[] = {
	"worldinstances" GROUP,
	"booklets" GROUP,
	"modulemanifests" GROUP,
	"realms" GROUP,
	"capabilitybindings" GROUP,
	"worldshards" GROUP,
	"deployments.apps",
	"replicasets.apps",
	"pods",
	"services",
	"endpointslices.discovery.k8s.io",
	"namespaces",
	"events",
	"logs",
	NULL,
};

/* The inputs of one prediction, while objects are dealt out to their namespaces. */
struct input {
	json_t *lists[4];
};

static const char *const input_resources[] = {
	"worldinstances" GROUP,
	"booklets" GROUP,
	"modulemanifests" GROUP,
	"realms" GROUP,
};

/* One pass over each resource, however many namespaces there are. */
static void deal(const struct diag_snapshot *snapshot, const struct diag_map *inputs, size_t list)
{
	json_t *object;
	size_t i;

	json_array_foreach(diag_snapshot_subjects(snapshot, input_resources[list]), i, object) {
		const char *namespace_ = diag_json_str(object, "metadata", "namespace");
		struct input *input = namespace_ ? diag_map_get(inputs, namespace_) : NULL;

		if (input)
			json_array_append(input->lists[list], object);
	}
}

/* The objects stay when their lists go: the snapshot holds them too. */
static void predict(struct bindery_view *view, const char *namespace_, struct input *input)
{
	struct bindery_input lists = {
		.namespace_ = namespace_,
		.worlds = input->lists[0],
		.booklets = input->lists[1],
		.manifests = input->lists[2],
		.realms = input->lists[3],
	};
	struct bindery_prediction *p = bindery_predict(&lists);

	view->predictions[view->prediction_count++] = p;
	diag_map_set(view->predictions_by_namespace, namespace_, p);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(input->lists); i++)
		json_decref(input->lists[i]);
}

static void predict_all(struct bindery_view *view)
{
	diag_map_auto struct diag_map *by_namespace = diag_map_new();
	size_t count;
	const char *const *namespaces = diag_snapshot_namespaces(view->snapshot, &count);
	diag_autofree struct input *inputs = diag_xcalloc(count, sizeof(*inputs));

	view->predictions = diag_xcalloc(count, sizeof(*view->predictions));
	for (size_t i = 0; i < count; i++) {
		for (size_t l = 0; l < DIAG_ARRAY_SIZE(inputs->lists); l++)
			inputs[i].lists[l] = json_array();
		diag_map_set(by_namespace, namespaces[i], &inputs[i]);
	}
	for (size_t l = 0; l < DIAG_ARRAY_SIZE(inputs->lists); l++)
		deal(view->snapshot, by_namespace, l);
	for (size_t i = 0; i < count; i++)
		predict(view, namespaces[i], &inputs[i]);
}

static const struct bindery_workload *predicted_workload(const struct bindery_view *view,
							 const char *namespace_, const char *name)
{
	const struct bindery_prediction *p = bindery_view_prediction(view, namespace_);

	return p ? bindery_prediction_workload(p, name) : NULL;
}

/* "namespace/name", for the look-ups by both. */
static void make_key(struct diag_buf *key, const char *namespace_, const char *name)
{
	diag_buf_init(key, DIAG_MAX_MESSAGE);
	diag_buf_printf(key, "%s/%s", namespace_ ? namespace_ : "", name ? name : "");
}

static void index_runtimes(struct bindery_view *view)
{
	for (size_t i = 0; i < view->runtime_count; i++) {
		struct bindery_runtime *runtime = &view->runtimes[i];
		struct diag_buf key diag_buf_auto = { 0 };

		make_key(&key, runtime->namespace_, runtime->name);
		diag_map_set(view->runtimes_by_name, diag_buf_str(&key), runtime);
	}
}

static void index_publishers(struct bindery_view *view)
{
	json_t *binding;
	size_t i;

	json_array_foreach(diag_snapshot_subjects(view->snapshot, "capabilitybindings" GROUP), i,
			   binding) {
		const char *service = bindery_binding_endpoint(binding);
		struct diag_buf key diag_buf_auto = { 0 };

		if (!service)
			continue;
		make_key(&key, diag_ref_of(binding).namespace_, service);
		if (!diag_map_get(view->publishers, diag_buf_str(&key)))
			diag_map_set(view->publishers, diag_buf_str(&key), binding);
	}
}

static void index_events(struct bindery_view *view)
{
	json_t *event;
	size_t i;

	json_array_foreach(diag_snapshot_subjects(view->snapshot, "events"), i, event) {
		struct diag_buf key diag_buf_auto = { 0 };
		json_t *about;

		diag_buf_init(&key, DIAG_MAX_MESSAGE);
		diag_ref_name(diag_event_object(event), &key);
		about = json_object_get(view->events, diag_buf_str(&key));
		if (!about) {
			about = json_array();
			json_object_set_new(view->events, diag_buf_str(&key), about);
		}
		json_array_append(about, event);
	}
}

static bool is_operators(const json_t *deployment)
{
	return diag_str_eq(
		diag_json_str(deployment, "metadata", "labels", BINDERY_LABEL "managed-by"),
		"runtimeorchestrator");
}

static void add_runtime(struct bindery_view *view, const json_t *deployment)
{
	struct diag_ref ref = diag_ref_of(deployment);
	const struct bindery_workload *predicted =
		predicted_workload(view, ref.namespace_, ref.name);

	if (!predicted && !is_operators(deployment))
		return;
	view->runtimes = diag_xgrow(view->runtimes, view->runtime_count, &view->runtime_capacity,
				    sizeof(*view->runtimes));
	view->runtimes[view->runtime_count++] = (struct bindery_runtime){
		.namespace_ = ref.namespace_,
		.name = ref.name,
		.real = diag_workloads_get(view->workloads, ref.namespace_, ref.name),
		.predicted = predicted,
	};
}

struct bindery_view *bindery_view_new(const struct diag_snapshot *snapshot)
{
	struct bindery_view *view = diag_xcalloc(1, sizeof(*view));
	const json_t *deployment;

	view->snapshot = snapshot;
	view->predictions_by_namespace = diag_map_new();
	predict_all(view);
	view->workloads = diag_workloads_new(snapshot);
	diag_snapshot_foreach(snapshot, "deployments.apps", deployment)
		add_runtime(view, deployment);
	view->runtimes_by_name = diag_map_new();
	view->publishers = diag_map_new();
	view->events = json_object();
	index_runtimes(view);
	index_publishers(view);
	index_events(view);
	return view;
}

void bindery_view_free(struct bindery_view *view)
{
	if (!view)
		return;
	for (size_t i = 0; i < view->prediction_count; i++)
		bindery_prediction_free(view->predictions[i]);
	free(view->predictions);
	diag_map_free(view->predictions_by_namespace);
	free(view->runtimes);
	diag_map_free(view->runtimes_by_name);
	diag_map_free(view->publishers);
	json_decref(view->events);
	diag_workloads_free(view->workloads);
	free(view);
}

const struct bindery_prediction *bindery_view_prediction(const struct bindery_view *view,
							 const char *namespace_)
{
	return namespace_ ? diag_map_get(view->predictions_by_namespace, namespace_) : NULL;
}

const struct bindery_runtime *bindery_view_runtime(const struct bindery_view *view,
						   const char *namespace_, const char *deployment)
{
	struct diag_buf key diag_buf_auto = { 0 };

	make_key(&key, namespace_, deployment);
	return diag_map_get(view->runtimes_by_name, diag_buf_str(&key));
}

const json_t *bindery_view_publisher(const struct bindery_view *view, const char *namespace_,
				     const char *service)
{
	struct diag_buf key diag_buf_auto = { 0 };

	make_key(&key, namespace_, service);
	return diag_map_get(view->publishers, diag_buf_str(&key));
}

const json_t *bindery_view_events(const struct bindery_view *view, struct diag_ref about)
{
	struct diag_buf key diag_buf_auto = { 0 };

	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	diag_ref_name(about, &key);
	return json_object_get(view->events, diag_buf_str(&key));
}

const json_t *bindery_view_binding(const struct bindery_view *view,
				   const struct bindery_binding *binding)
{
	return diag_snapshot_get(view->snapshot, "capabilitybindings" GROUP, binding->namespace_,
				 binding->name);
}

const char *bindery_binding_endpoint(const json_t *binding)
{
	const json_t *endpoint = diag_json_object(binding, "status", "provider", "endpoint");
	const char *service = diag_json_str(endpoint, "value");

	if (!diag_str_eq(diag_json_str(endpoint, "type"), "kubernetesService"))
		return NULL;
	return diag_str_empty(service) ? NULL : service;
}

struct diag_ref bindery_ref_world(const struct bindery_world *world)
{
	return diag_ref_make("WorldInstance", world->namespace_, world->name);
}

struct diag_ref bindery_ref_booklet(const struct bindery_world *world)
{
	return diag_ref_make("Booklet", world->namespace_, world->booklet_name);
}

struct diag_ref bindery_ref_manifest(const char *namespace_, const char *module)
{
	return diag_ref_make("ModuleManifest", namespace_, module);
}

bool bindery_is_deleting(const json_t *object)
{
	return diag_json_get(object, "metadata", "deletionTimestamp") != NULL;
}
