/*
 * The predicted objects in the API's shape, with the fields that the operator sets and no others,
 * for comparing with real ones. Source: bindery-platform.md sections 2.1, 3, 5 and 6, and
 * recordings.
 *
 * Each call builds a new object that the caller owns (json_decref()); a prediction of ten thousand
 * workloads would not fit in memory with all of them. ownerReferences hold kind and name only; a
 * shared workload has none, for its owner is whichever binding came first (F47).
 */
#pragma once

#include <jansson.h>

#include "bindery/predict.h"

/** The CapabilityBinding. */
json_t *bindery_binding_object(const struct bindery_binding *binding);

/** The WorldShard of an id. */
json_t *bindery_shard_object(const struct bindery_world *world, int64_t id);

/** The Service of a member. */
json_t *bindery_service_object(const struct bindery_workload *workload,
			       const struct bindery_member *member);

/**
 * The Deployment. With strategy Node it has one affinity term more than the manifest; a real one
 * may have more of the same (F101). In a Pod group, settings of the pod are those of the last
 * member that has them; in the cluster, of the one written last.
 */
json_t *bindery_deployment_object(const struct bindery_workload *workload);

/**
 * The environment of a member's container as a map: spec.runtime.env, then what is injected.
 * Dependencies that give the same variables overwrite each other in their order (F50).
 */
json_t *bindery_environment_object(const struct bindery_workload *workload,
				   const struct bindery_member *member);

/** The WorldStorageClaim and its PersistentVolumeClaim; NULL when the storage is not effective. */
json_t *bindery_claim_object(const struct bindery_storage *storage);
json_t *bindery_pvc_object(const struct bindery_storage *storage);
