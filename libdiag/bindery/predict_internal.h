/* The steps of a prediction, in order; each reads what the ones before it made. */
#pragma once

#include "bindery/predict.h"

/** Booklets, realms and worlds with their modules and resolutions (predict_worlds.c). */
void bindery_predict_worlds(struct bindery_prediction *prediction,
			    const struct bindery_input *input);

/** Bindings, and the collisions among them (predict_bindings.c). */
void bindery_predict_bindings(struct bindery_prediction *prediction);

/** Workloads and members (predict_workloads.c). From here on none of the arrays so far grows. */
void bindery_predict_workloads(struct bindery_prediction *prediction);

/** What each member asks to store, and the claims that follow (predict_storage.c). */
void bindery_predict_storage(struct bindery_prediction *prediction);

/** What would be refused (predict_refusals.c). */
void bindery_predict_refusals(struct bindery_prediction *prediction);

/** Dependencies and waits (predict_waits.c). */
void bindery_predict_waits(struct bindery_prediction *prediction);

/** Cycles of waiting (predict_cycles.c). */
void bindery_predict_cycles(struct bindery_prediction *prediction);

/** "global", or the name of the binding's world: the first part of what it makes run. */
const char *bindery_world_part(const struct bindery_binding *binding);
