#include "model/workloads.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "text/json.h"

struct diag_workloads {
	struct diag_arena *arena;
	struct diag_map *by_name; /* "namespace/deployment" -> struct diag_workload */
	struct diag_map
		*of_replicaset;    /* "namespace/uid" of a ReplicaSet -> struct diag_workload */
	struct diag_map *backends; /* "namespace/service" -> struct diag_backends */
};

static const char *key_of(struct diag_workloads *workloads, const char *namespace_,
			  const char *name)
{
	return diag_arena_printf(workloads->arena, "%s/%s", namespace_ ? namespace_ : "",
				 name ? name : "");
}

/* The controlling owner of a kind, or NULL. */
static const json_t *controller(const json_t *object, const char *kind)
{
	const json_t *owner;
	size_t i;

	json_array_foreach(diag_json_array(object, "metadata", "ownerReferences"), i, owner) {
		if (diag_json_true(owner, "controller") &&
		    diag_str_eq(diag_json_str(owner, "kind"), kind))
			return owner;
	}
	return NULL;
}

static struct diag_workload *workload_of(struct diag_workloads *workloads, const char *namespace_,
					 const char *deployment)
{
	const char *key = key_of(workloads, namespace_, deployment);
	struct diag_workload *workload = diag_map_get(workloads->by_name, key);

	if (!workload) {
		workload = diag_arena_alloc(workloads->arena, sizeof(*workload));
		diag_map_set(workloads->by_name, key, workload);
	}
	return workload;
}

static long revision(const json_t *object)
{
	const char *text = diag_json_str(object, "metadata", "annotations",
					 "deployment.kubernetes.io/revision");

	return text ? strtol(text, NULL, 10) : 0;
}

static void add_replicaset(struct diag_workloads *workloads, const json_t *replicaset)
{
	const json_t *owner = controller(replicaset, "Deployment");
	const char *uid = diag_json_str(replicaset, "metadata", "uid");
	struct diag_workload *workload;

	if (!owner || !uid)
		return;
	workload = workload_of(workloads, diag_ref_of(replicaset).namespace_,
			       diag_json_str(owner, "name"));
	diag_map_set(workloads->of_replicaset,
		     key_of(workloads, diag_ref_of(replicaset).namespace_, uid), workload);
	if (!workload->replicaset || revision(replicaset) > revision(workload->replicaset))
		workload->replicaset = replicaset;
}

static void add_pod(struct diag_workloads *workloads, const json_t *pod)
{
	const json_t *owner = controller(pod, "ReplicaSet");
	const char *uid = diag_json_str(owner, "uid");
	struct diag_workload *workload =
		uid ? diag_map_get(workloads->of_replicaset,
				   key_of(workloads, diag_ref_of(pod).namespace_, uid))
		    : NULL;

	if (!workload)
		return;
	if (diag_str_eq(uid, diag_json_str(workload->replicaset, "metadata", "uid"))) {
		workload->pods = diag_xgrow(workload->pods, workload->pod_count,
					    &workload->pod_capacity, sizeof(*workload->pods));
		workload->pods[workload->pod_count++] = pod;
		return;
	}
	workload->old_pods = diag_xgrow(workload->old_pods, workload->old_pod_count,
					&workload->old_pod_capacity, sizeof(*workload->old_pods));
	workload->old_pods[workload->old_pod_count++] = pod;
}

/* A missing ready condition counts as ready. Source: API reference, EndpointConditions. */
static bool endpoint_ready(const json_t *endpoint)
{
	return !json_is_false(diag_json_get(endpoint, "conditions", "ready"));
}

static void add_slice(struct diag_workloads *workloads, const json_t *slice)
{
	const char *service =
		diag_json_str(slice, "metadata", "labels", "kubernetes.io/service-name");
	const char *key = key_of(workloads, diag_ref_of(slice).namespace_, service);
	struct diag_backends *backends;
	const json_t *endpoint;
	size_t i;

	if (!service)
		return;
	backends = diag_map_get(workloads->backends, key);
	if (!backends) {
		backends = diag_arena_alloc(workloads->arena, sizeof(*backends));
		diag_map_set(workloads->backends, key, backends);
	}
	backends->slices++;
	if (!backends->port)
		backends->port = diag_json_int(json_array_get(diag_json_array(slice, "ports"), 0),
					       0, "port");
	json_array_foreach(diag_json_array(slice, "endpoints"), i, endpoint) {
		size_t addresses = json_array_size(diag_json_array(endpoint, "addresses"));

		if (endpoint_ready(endpoint))
			backends->ready += addresses;
		else
			backends->not_ready += addresses;
	}
}

static void each(struct diag_workloads *workloads, const struct diag_snapshot *snapshot,
		 const char *resource, void (*add)(struct diag_workloads *, const json_t *))
{
	const json_t *object;
	size_t i;

	json_array_foreach(diag_snapshot_list(snapshot, resource), i, object)
		add(workloads, object);
}

static void add_deployment(struct diag_workloads *workloads, const json_t *deployment)
{
	struct diag_ref ref = diag_ref_of(deployment);

	workload_of(workloads, ref.namespace_, ref.name)->deployment = deployment;
}

struct diag_workloads *diag_workloads_new(const struct diag_snapshot *snapshot)
{
	struct diag_workloads *workloads = diag_xcalloc(1, sizeof(*workloads));

	workloads->arena = diag_arena_new();
	workloads->by_name = diag_map_new();
	workloads->of_replicaset = diag_map_new();
	workloads->backends = diag_map_new();
	each(workloads, snapshot, "deployments.apps", add_deployment);
	each(workloads, snapshot, "replicasets.apps", add_replicaset);
	each(workloads, snapshot, "pods", add_pod);
	each(workloads, snapshot, "endpointslices.discovery.k8s.io", add_slice);
	return workloads;
}

static void free_lists(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	struct diag_workload *workload = value;

	free(workload->pods);
	free(workload->old_pods);
}

void diag_workloads_free(struct diag_workloads *workloads)
{
	if (!workloads)
		return;
	diag_map_each(workloads->by_name, free_lists, NULL);
	diag_map_free(workloads->by_name);
	diag_map_free(workloads->of_replicaset);
	diag_map_free(workloads->backends);
	diag_arena_free(workloads->arena);
	free(workloads);
}

const struct diag_workload *diag_workloads_get(const struct diag_workloads *workloads,
					       const char *namespace_, const char *deployment)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();

	return diag_map_get(workloads->by_name,
			    diag_arena_printf(arena, "%s/%s", namespace_ ? namespace_ : "",
					      deployment ? deployment : ""));
}

struct diag_backends diag_workloads_backends(const struct diag_workloads *workloads,
					     const char *namespace_, const char *service)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	const struct diag_backends *backends = diag_map_get(
		workloads->backends, diag_arena_printf(arena, "%s/%s", namespace_ ? namespace_ : "",
						       service ? service : ""));

	return backends ? *backends : (struct diag_backends){ 0 };
}

int64_t diag_workload_replicas(const struct diag_workload *workload)
{
	return diag_json_int(workload->deployment, 1, "spec", "replicas");
}

bool diag_workload_is_healthy(const struct diag_workload *workload)
{
	const json_t *status = diag_json_object(workload->deployment, "status");
	int64_t wanted = diag_workload_replicas(workload);

	return diag_json_int(status, 0, "observedGeneration") >=
		       diag_json_int(workload->deployment, 0, "metadata", "generation") &&
	       diag_json_int(status, 0, "updatedReplicas") >= wanted &&
	       diag_json_int(status, 0, "availableReplicas") >= wanted &&
	       diag_json_int(status, 0, "unavailableReplicas") == 0;
}
