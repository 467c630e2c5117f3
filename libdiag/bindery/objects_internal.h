/* Pieces that the predicted objects share (objects.c). */
#pragma once

#include "bindery/objects.h"

/** Set a string, "" for NULL or what is no UTF-8. */
void bindery_set(json_t *object, const char *key, const char *value);

/** An object with its head; takes `labels`. */
json_t *bindery_new_object(const char *api_version, const char *kind, const char *namespace_,
			   const char *name, json_t *labels);

/** Name the controller owner. */
void bindery_set_owner(json_t *object, const char *kind, const char *name);

/** The WorldShard for something of a shard, else the WorldInstance. */
void bindery_own_by_world(json_t *object, const struct bindery_world *world, int64_t shard);

/** The shard label, when there is a shard. */
void bindery_set_shard_label(json_t *labels, int64_t shard);

/** What selects the pods of a workload: by module, or by group when several share the pod. */
json_t *bindery_selector(const struct bindery_workload *workload, const char *module);

/** The owner of a Service or Deployment; none for a shared one. */
void bindery_own_workload(json_t *object, const struct bindery_workload *workload);
