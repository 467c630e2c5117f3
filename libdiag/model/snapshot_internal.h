/* What the two halves of the snapshot share: ingest.c fills it, snapshot.c answers. */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "model/resource.h"
#include "model/snapshot.h"

struct diag_redact;

/* All objects of one resource. */
struct bucket {
	const char *resource;
	json_t *objects;         /* array, owned */
	json_t *subjects;        /* array, owned; made by finish */
	struct diag_map *index;  /* "namespace/name" -> json_t *, borrowed from objects */
	struct diag_map *states; /* namespace or "" for all -> struct state */
};

struct state {
	enum diag_availability state;
	const char *reason;
};

struct diag_snapshot {
	struct diag_sink sink; /* first: ingest.c goes from the sink to the snapshot */
	struct diag_snapshot_options options;
	struct diag_arena *arena;
	struct diag_positions *positions;
	struct diag_redact *redact;
	struct diag_map *buckets; /* resource -> struct bucket */
	struct diag_map *logs;    /* "namespace/pod/container/previous" -> text in the arena */
	struct diag_map *facts;
	struct diag_map *namespaces_seen; /* name -> itself */
	struct diag_problem *problems;
	size_t problem_count;
	size_t problem_capacity;
	const char **subjects;
	size_t subject_count;
	size_t objects_seen;
	bool overlaying;   /* pages are manifests over what was observed */
	int64_t newest_ms; /* latest time any object speaks of */
	int64_t time_ms;
	json_t *nothing; /* an empty array to lend */
};

/** The bucket of a resource, made when absent. */
struct bucket *diag_snapshot_bucket(struct diag_snapshot *snapshot, const char *resource);

/** Make a manifest's object look as if it had been applied over the one that is there
 * (overlay.c). */
void diag_snapshot_inherit(json_t *object, const json_t *old);

/** The sink operations, implemented by ingest.c. */
extern const struct diag_sink_ops diag_snapshot_sink_ops;
