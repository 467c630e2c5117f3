/*
 * Deployments with what hangs on them, joined once for all checks: the current ReplicaSet, its
 * pods, older pods that still serve, and for each Service the addresses that answer.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"

struct diag_workload {
	const json_t *deployment; /* NULL for pods whose Deployment is not there */
	const json_t *replicaset; /* the current one (highest revision), or NULL */
	const json_t **pods;      /* of the current ReplicaSet */
	size_t pod_count, pod_capacity;
	const json_t **old_pods; /* of earlier ReplicaSets */
	size_t old_pod_count, old_pod_capacity;
};

/* What stands behind a Service. */
struct diag_backends {
	size_t slices;    /* EndpointSlices seen */
	size_t ready;     /* ready addresses */
	size_t not_ready; /* addresses that are not ready */
	int64_t port;     /* first port number of a slice, 0 when none */
};

struct diag_workloads;

/** Join everything in the snapshot; borrowed from it. The caller frees the result. */
struct diag_workloads *diag_workloads_new(const struct diag_snapshot *snapshot);
void diag_workloads_free(struct diag_workloads *workloads);

/** The workload of a Deployment, or NULL. */
const struct diag_workload *diag_workloads_get(const struct diag_workloads *workloads,
					       const char *namespace_, const char *deployment);

/** What stands behind a Service, all zero when nothing does. */
struct diag_backends diag_workloads_backends(const struct diag_workloads *workloads,
					     const char *namespace_, const char *service);

/** Wanted replicas (spec.replicas, 1 when unset). */
int64_t diag_workload_replicas(const struct diag_workload *workload);

/** True when the current template's pods are all there and available. */
bool diag_workload_is_healthy(const struct diag_workload *workload);
