/*
 * What all Bindery checks share: for each subject namespace the prediction, and for each workload
 * that really exists its prediction beside it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "bindery/predict.h"
#include "model/snapshot.h"
#include "model/workloads.h"

/* A Deployment that the operator made, with what hangs on it. */
struct bindery_runtime {
	const char *namespace_;
	const char *name;
	const struct diag_workload *real;
	const struct bindery_workload *predicted; /* NULL: nothing asks for it */
};

struct bindery_view {
	const struct diag_snapshot *snapshot;
	struct bindery_prediction **predictions; /* one a subject namespace */
	size_t prediction_count;
	struct diag_map *predictions_by_namespace;
	struct diag_workloads *workloads;
	struct bindery_runtime *runtimes;
	size_t runtime_count, runtime_capacity;
	struct diag_map *runtimes_by_name; /* "namespace/deployment" -> struct bindery_runtime */
	json_t *events; /* "namespace/kind/name" of what they are about -> array of them */
	struct diag_map *publishers; /* "namespace/service" -> real binding with that endpoint */
};

/** Resources that the view reads beyond what checks require. NULL-terminated. */
extern const char *const bindery_view_wants[];

/** Build the view; the caller frees it before the snapshot. */
struct bindery_view *bindery_view_new(const struct diag_snapshot *snapshot);
void bindery_view_free(struct bindery_view *view);

/** The prediction of a namespace, or NULL. */
const struct bindery_prediction *bindery_view_prediction(const struct bindery_view *view,
							 const char *namespace_);

/** The runtime of a Deployment, or NULL. */
const struct bindery_runtime *bindery_view_runtime(const struct bindery_view *view,
						   const char *namespace_, const char *deployment);

/** The real binding of a predicted one, or NULL. */
const json_t *bindery_view_binding(const struct bindery_view *view,
				   const struct bindery_binding *binding);

/** A real binding that publishes this Service's address, or NULL. */
const json_t *bindery_view_publisher(const struct bindery_view *view, const char *namespace_,
				     const char *service);

/** The events about an object, an array in the snapshot's order; NULL without. Borrowed. */
const json_t *bindery_view_events(const struct bindery_view *view, struct diag_ref about);

/** The endpoint's Service that a real binding publishes, or NULL. */
const char *bindery_binding_endpoint(const json_t *binding);

/** References to the objects that checks name most. */
struct diag_ref bindery_ref_world(const struct bindery_world *world);
struct diag_ref bindery_ref_booklet(const struct bindery_world *world);
struct diag_ref bindery_ref_manifest(const char *namespace_, const char *module);

/** True when an object has a deletionTimestamp. */
bool bindery_is_deleting(const json_t *object);
