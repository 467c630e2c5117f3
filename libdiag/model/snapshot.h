/*
 * A finished, read-only picture of a cluster, a bundle or a folder of manifests. It knows when it
 * was taken and, per resource and namespace, whether the data is there. Everything above works on
 * this; the wall clock is never asked.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/macros.h"
#include "model/ref.h"
#include "model/sink.h"
#include "text/position.h"

struct diag_snapshot;

/* In `wants` and as a resource: objects of files whose kind nobody here knows. Only apiVersion, kind
 * and metadata's name and namespace are kept of them. */
#define DIAG_UNKNOWN_KINDS "unknown-kinds"

struct diag_snapshot_options {
	const char *const *wants; /* resource names, NULL-terminated; "logs" for container logs */
	const char *const *namespaces; /* subjects asked for, NULL-terminated; NULL: the default */
	bool all_namespaces;           /* every namespace is a subject */
	int64_t at_ms; /* --at: overrides the source's time; DIAG_TIME_NONE otherwise */
};

/** Something in the input that could not be read. */
struct diag_problem {
	const char *file;
	int line; /* 0 when unknown */
	const char *message;
};

/** An empty snapshot that is to be filled through its sink. The options are copied. */
struct diag_snapshot *diag_snapshot_new(const struct diag_snapshot_options *options);

/** Free the snapshot and every object in it; NULL is fine. */
void diag_snapshot_free(struct diag_snapshot *snapshot);

/** The sink that fills it; borrowed. After diag_snapshot_finish() only logs and their states may
 * be pushed. */
struct diag_sink *diag_snapshot_sink(struct diag_snapshot *snapshot);

/**
 * End of loading: decide time and subjects, sort, index.
 *
 * Returns DIAG_OK, or NOT_FOUND when a namespace asked for is nowhere in the source (with the
 * nearest name).
 */
int diag_snapshot_finish(struct diag_snapshot *snapshot, struct diag_error *err);

/**
 * From here on pages hold manifests that are to be applied to what was observed: an object of the
 * same name is replaced, but keeps what only the server writes (status, uid, times, owners), and
 * its generation grows when the manifest changes its spec. What the source is remains as it was.
 * diag_snapshot_finish() has to follow again.
 */
void diag_snapshot_overlay(struct diag_snapshot *snapshot);

/** When it was taken, milliseconds UTC. DIAG_TIME_NONE when the source has no time at all
 * (manifests). */
int64_t diag_snapshot_time(const struct diag_snapshot *snapshot);

/** True when the source holds only what people wrote: nothing was observed, everything is
 * predicted. */
bool diag_snapshot_is_predicted(const struct diag_snapshot *snapshot);

/** A fact of the source by name (model/sink.h), or NULL. */
const char *diag_snapshot_fact(const struct diag_snapshot *snapshot, const char *name);

/** All objects of a resource, sorted by namespace and name; never NULL. Borrowed. */
const json_t *diag_snapshot_list(const struct diag_snapshot *snapshot, const char *resource);

/** Those in the subject namespaces (all of a cluster-scoped resource); never NULL. Borrowed. */
const json_t *diag_snapshot_subjects(const struct diag_snapshot *snapshot, const char *resource);

/** Iterate over the objects of the subject namespaces. */
#define diag_snapshot_foreach(snapshot, resource, object)                                          \
	for (size_t diag_i_ = 0;                                                                   \
	     ((object) = json_array_get(diag_snapshot_subjects(snapshot, resource), diag_i_));     \
	     diag_i_++)

/** One object, or NULL. `namespace_` NULL for cluster-scoped ones. */
const json_t *diag_snapshot_get(const struct diag_snapshot *snapshot, const char *resource,
				const char *namespace_, const char *name);

/**
 * What is known of a resource in a namespace.
 *
 * @namespace_ NULL for cluster scope
 * @ret_reason why, when not available; may be NULL; borrowed, may be set to NULL
 */
enum diag_availability diag_snapshot_state(const struct diag_snapshot *snapshot,
					   const char *resource, const char *namespace_,
					   const char **ret_reason);

/** Call `each` for every state that a source has told, in byte order of resource and namespace;
 * `namespace_` NULL for all namespaces or cluster scope. */
void diag_snapshot_each_state(const struct diag_snapshot *snapshot,
			      void (*each)(void *arg, const char *resource, const char *namespace_,
					   enum diag_availability state, const char *reason),
			      void *arg);

/** True when nothing hinders a judgement: AVAILABLE or EMPTY. */
bool diag_snapshot_has(const struct diag_snapshot *snapshot, const char *resource,
		       const char *namespace_);

/** "available", "empty", "forbidden", "not collected", "failed", "truncated". */
const char *diag_availability_name(enum diag_availability state);

/** The subject namespaces, sorted; `*ret_count` of them. */
const char *const *diag_snapshot_namespaces(const struct diag_snapshot *snapshot,
					    size_t *ret_count);

/** The text of a container's log, or NULL. Terminated, redacted. */
const char *diag_snapshot_log(const struct diag_snapshot *snapshot, const char *namespace_,
			      const char *pod, const char *container, bool previous);

/** File and line of `container[key]`; zero when unknown. */
struct diag_position diag_snapshot_position_key(const struct diag_snapshot *snapshot,
						const json_t *container, const char *key);
struct diag_position diag_snapshot_position_index(const struct diag_snapshot *snapshot,
						  const json_t *container, size_t index);
struct diag_position diag_snapshot_position_self(const struct diag_snapshot *snapshot,
						 const json_t *value);

/** What could not be read; `*ret_count` of them. */
const struct diag_problem *diag_snapshot_problems(const struct diag_snapshot *snapshot,
						  size_t *ret_count);

/** Objects of any resource, wanted or not, that were seen. 0: there was nothing to check. */
size_t diag_snapshot_objects_seen(const struct diag_snapshot *snapshot);

/** Mask secrets that the snapshot learnt in a text of ours (a last line of defence); malloc'ed. */
char *diag_snapshot_redact(const struct diag_snapshot *snapshot, const char *text);

DIAG_GUARD(diag_snapshot_auto, struct diag_snapshot *, diag_snapshot_free);
#define diag_snapshot_auto DIAG_CLEANUP(diag_snapshot_auto)
