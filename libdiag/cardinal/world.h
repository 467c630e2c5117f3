/*
 * A world's definition, world.toml: what is written, what holds by default, which rules it breaks.
 * Source: cardinal-cluster.md section 5; the fault ids are those of its section 7.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "model/finding.h"
#include "text/position.h"

#define CARDINAL_MAX_INSTANCES 10000 /* of all pools together that are looked at one by one */

struct cardinal_values {
	int64_t cpu;    /* milliCPU */
	int64_t memory; /* MiB */
};

struct cardinal_shard {
	const char *id; /* without spaces; "" when missing */
	const char *path;
	const char *log_level; /* as it is used: an invalid one is "info" */
	const char *mode;      /* "" when unset */
	int64_t pool_size;     /* at least 1 */
	int64_t tick_rate;     /* 0: the shard's own default */
	struct cardinal_values requests;
	struct cardinal_values limits;
	bool repeated; /* an earlier one has the same id and wins */
	struct diag_position where;
};

struct cardinal_service {
	const char *id;
	const char *image; /* "" when built from source */
	const char *path;  /* "" when pulled */
	const json_t *env; /* NULL when there is none */
	const int64_t *ports;
	size_t port_count;
	bool db;
	bool config_db;
	struct diag_position where;
};

/* One entry of the pool expansion. */
struct cardinal_member {
	const char *name;
	const struct cardinal_shard *shard;
};

/* A broken rule (error), or something that does not do what it seems to (warning, info). */
struct cardinal_problem {
	const char *fault; /* "C41" */
	enum diag_severity severity;
	const char *path; /* "shards[1].tick_rate" */
	const char *message;
	struct diag_position where; /* of the key, else of its table */
};

struct cardinal_world {
	const char *organization;
	const char *project;
	const char *auth_mode;
	const char *auth_url; /* without the trailing `/`; "" when unset */
	struct cardinal_shard *shards;
	size_t shard_count;
	struct cardinal_service *services;
	size_t service_count;
	struct cardinal_member *members; /* in the order of the expansion */
	size_t member_count;
	const struct cardinal_problem *problems; /* in the CLI's order: its own message is that of
						  * the first error */
	size_t problem_count;
};

/**
 * Read a definition and judge it.
 *
 * All broken rules are named, in the order in which the CLI looks at them (it stops at the first).
 * After a value of a wrong type, which the CLI's decoder refuses, no rule is judged.
 *
 * @arena     holds the result
 * @root      from diag_toml_load(); must live as long as the result
 * @positions may be NULL
 *
 * Never NULL.
 */
const struct cardinal_world *cardinal_world_read(struct diag_arena *arena, const json_t *root,
						 const struct diag_positions *positions);

/** The first error, or NULL when the CLI takes the definition. */
const struct cardinal_problem *cardinal_world_refused(const struct cardinal_world *world);
