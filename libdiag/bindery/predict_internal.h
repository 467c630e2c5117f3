/* The steps of a prediction, in order; each reads what the ones before it made. */
#pragma once

#include "bindery/predict.h"

/** Worlds with their Booklets, realms, modules and resolutions (predict.c). */
/** Bindings, with those that share a name marked contested (predict_bindings.c). */
void bindery_predict_bindings(struct bindery_prediction *prediction);

/** Workloads, members, dependencies, waits, storage (predict_workloads.c). */
void bindery_predict_workloads(struct bindery_prediction *prediction);

/** Storage of one workload (predict_storage.c). */
void bindery_predict_storage(struct bindery_prediction *prediction,
			     struct bindery_workload *workload);

/** The json_t of every predicted object (predict_objects.c). */
void bindery_predict_objects(struct bindery_prediction *prediction);

/** What would be refused (predict_refusals.c). */
void bindery_predict_refusals(struct bindery_prediction *prediction);

/** Cycles of waiting (predict_cycles.c). */
void bindery_predict_cycles(struct bindery_prediction *prediction);
