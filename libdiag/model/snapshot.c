#include "model/snapshot.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "model/snapshot_internal.h"
#include "text/json.h"
#include "text/redact.h"

struct diag_snapshot *diag_snapshot_new(const struct diag_snapshot_options *options)
{
	struct diag_snapshot *snapshot = diag_xcalloc(1, sizeof(*snapshot));

	snapshot->sink.ops = &diag_snapshot_sink_ops;
	snapshot->options = *options;
	snapshot->arena = diag_arena_new();
	snapshot->positions = diag_positions_new();
	snapshot->redact = diag_redact_new();
	snapshot->buckets = diag_map_new();
	snapshot->logs = diag_map_new();
	snapshot->facts = diag_map_new();
	snapshot->namespaces_seen = diag_map_new();
	snapshot->newest_ms = DIAG_TIME_NONE;
	snapshot->time_ms = DIAG_TIME_NONE;
	snapshot->nothing = json_array();
	return snapshot;
}

static void free_bucket(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	struct bucket *bucket = value;

	json_decref(bucket->objects);
	json_decref(bucket->subjects);
	diag_map_free(bucket->index);
	diag_map_free(bucket->states);
}

void diag_snapshot_free(struct diag_snapshot *snapshot)
{
	if (!snapshot)
		return;
	diag_map_each(snapshot->buckets, free_bucket, NULL);
	diag_map_free(snapshot->buckets);
	diag_map_free(snapshot->logs);
	diag_map_free(snapshot->facts);
	diag_map_free(snapshot->namespaces_seen);
	diag_redact_free(snapshot->redact);
	diag_positions_free(snapshot->positions);
	diag_arena_free(snapshot->arena);
	json_decref(snapshot->nothing);
	free(snapshot->problems);
	free(snapshot->subjects);
	free(snapshot);
}

struct diag_sink *diag_snapshot_sink(struct diag_snapshot *snapshot)
{
	return &snapshot->sink;
}

struct bucket *diag_snapshot_bucket(struct diag_snapshot *snapshot, const char *resource)
{
	struct bucket *bucket = diag_map_get(snapshot->buckets, resource);

	if (!bucket) {
		bucket = diag_arena_alloc(snapshot->arena, sizeof(*bucket));
		bucket->resource = diag_arena_strdup(snapshot->arena, resource);
		bucket->objects = json_array();
		bucket->index = diag_map_new();
		bucket->states = diag_map_new();
		diag_map_set(snapshot->buckets, resource, bucket);
	}
	return bucket;
}

int64_t diag_snapshot_time(const struct diag_snapshot *snapshot)
{
	return snapshot->time_ms;
}

bool diag_snapshot_is_predicted(const struct diag_snapshot *snapshot)
{
	return diag_str_eq(diag_snapshot_fact(snapshot, "source"), "manifest");
}

const char *diag_snapshot_fact(const struct diag_snapshot *snapshot, const char *name)
{
	return diag_map_get(snapshot->facts, name);
}

const json_t *diag_snapshot_list(const struct diag_snapshot *snapshot, const char *resource)
{
	const struct bucket *bucket = diag_map_get(snapshot->buckets, resource);

	return bucket ? bucket->objects : snapshot->nothing;
}

const json_t *diag_snapshot_subjects(const struct diag_snapshot *snapshot, const char *resource)
{
	const struct bucket *bucket = diag_map_get(snapshot->buckets, resource);

	return bucket && bucket->subjects ? bucket->subjects : snapshot->nothing;
}

const json_t *diag_snapshot_get(const struct diag_snapshot *snapshot, const char *resource,
				const char *namespace_, const char *name)
{
	const struct bucket *bucket = diag_map_get(snapshot->buckets, resource);
	struct diag_buf key diag_buf_auto = { 0 };

	if (!bucket || !name)
		return NULL;
	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	diag_buf_printf(&key, "%s/%s", namespace_ ? namespace_ : "", name);
	return diag_map_get(bucket->index, diag_buf_str(&key));
}

/* In manifests, what people write is complete as given; what controllers make was never asked for.
 */
static enum diag_availability unsaid_state(const struct diag_snapshot *snapshot,
					   const char *resource)
{
	const struct diag_resource *known = diag_resource_by_name(resource);

	if (diag_snapshot_is_predicted(snapshot) && known && known->authored)
		return DIAG_EMPTY;
	return DIAG_NOT_COLLECTED;
}

static bool has_object_in(const struct bucket *bucket, const char *namespace_)
{
	const json_t *object;
	size_t i;

	json_array_foreach(bucket->objects, i, object) {
		if (!namespace_ ||
		    diag_str_eq(diag_json_str(object, "metadata", "namespace"), namespace_))
			return true;
	}
	return false;
}

enum diag_availability diag_snapshot_state(const struct diag_snapshot *snapshot,
					   const char *resource, const char *namespace_,
					   const char **ret_reason)
{
	const struct bucket *bucket = diag_map_get(snapshot->buckets, resource);
	const struct state *state = NULL;

	if (ret_reason)
		*ret_reason = NULL;
	if (bucket && namespace_)
		state = diag_map_get(bucket->states, namespace_);
	if (bucket && !state)
		state = diag_map_get(bucket->states, "");
	if (state) {
		if (ret_reason)
			*ret_reason = state->reason;
		return state->state;
	}
	if (bucket && has_object_in(bucket, namespace_))
		return DIAG_AVAILABLE;
	return unsaid_state(snapshot, resource);
}

struct each_state {
	const char *resource;
	void (*each)(void *arg, const char *resource, const char *namespace_,
		     enum diag_availability state, const char *reason);
	void *arg;
};

static void visit_state(const char *namespace_, void *value, void *arg)
{
	const struct each_state *visit = arg;
	const struct state *state = value;

	visit->each(visit->arg, visit->resource, *namespace_ ? namespace_ : NULL, state->state,
		    state->reason);
}

static void visit_bucket(const char *resource, void *value, void *arg)
{
	const struct bucket *bucket = value;
	struct each_state *visit = arg;

	visit->resource = resource;
	diag_map_each(bucket->states, visit_state, visit);
}

void diag_snapshot_each_state(const struct diag_snapshot *snapshot,
			      void (*each)(void *arg, const char *resource, const char *namespace_,
					   enum diag_availability state, const char *reason),
			      void *arg)
{
	struct each_state visit = { .each = each, .arg = arg };

	diag_map_each(snapshot->buckets, visit_bucket, &visit);
}

bool diag_snapshot_has(const struct diag_snapshot *snapshot, const char *resource,
		       const char *namespace_)
{
	enum diag_availability state = diag_snapshot_state(snapshot, resource, namespace_, NULL);

	return state == DIAG_AVAILABLE || state == DIAG_EMPTY;
}

const char *diag_availability_name(enum diag_availability state)
{
	static const char *const names[] = {
		[DIAG_NOT_COLLECTED] = "not collected",
		[DIAG_AVAILABLE] = "available",
		[DIAG_EMPTY] = "empty",
		[DIAG_FORBIDDEN] = "forbidden",
		[DIAG_FAILED] = "failed",
		[DIAG_TRUNCATED] = "truncated",
	};

	return names[state];
}

const char *const *diag_snapshot_namespaces(const struct diag_snapshot *snapshot, size_t *ret_count)
{
	*ret_count = snapshot->subject_count;
	return snapshot->subjects;
}

const char *diag_snapshot_log(const struct diag_snapshot *snapshot, const char *namespace_,
			      const char *pod, const char *container, bool previous)
{
	struct diag_buf key diag_buf_auto = { 0 };

	if (!namespace_ || !pod || !container)
		return NULL;
	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	diag_buf_printf(&key, "%s/%s/%s/%d", namespace_, pod, container, previous);
	return diag_map_get(snapshot->logs, diag_buf_str(&key));
}

struct diag_position diag_snapshot_position_key(const struct diag_snapshot *snapshot,
						const json_t *container, const char *key)
{
	return diag_positions_key(snapshot->positions, container, key);
}

struct diag_position diag_snapshot_position_index(const struct diag_snapshot *snapshot,
						  const json_t *container, size_t index)
{
	return diag_positions_index(snapshot->positions, container, index);
}

struct diag_position diag_snapshot_position_self(const struct diag_snapshot *snapshot,
						 const json_t *value)
{
	return diag_positions_self(snapshot->positions, value);
}

const struct diag_problem *diag_snapshot_problems(const struct diag_snapshot *snapshot,
						  size_t *ret_count)
{
	*ret_count = snapshot->problem_count;
	return snapshot->problems;
}

size_t diag_snapshot_objects_seen(const struct diag_snapshot *snapshot)
{
	return snapshot->objects_seen;
}

char *diag_snapshot_redact(const struct diag_snapshot *snapshot, const char *text)
{
	struct diag_buf masked diag_buf_auto = { 0 };

	diag_buf_init(&masked, DIAG_MAX_REPORT);
	if (!diag_redact_text(snapshot->redact, text, strlen(text), &masked))
		return diag_xstrdup(text);
	return diag_buf_steal(&masked);
}
