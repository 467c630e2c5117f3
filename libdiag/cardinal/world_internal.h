/* Shared by the files that read world.toml. */
#pragma once

#include "cardinal/world.h"

struct diag_map;

struct cardinal_reader {
	struct diag_arena *arena;
	const struct diag_positions *positions;
	struct cardinal_world *world;
	struct cardinal_problem *problems; /* malloc'ed while reading */
	size_t count;
	size_t capacity;
};

/* A table of the file, and how messages call it: "" for the file itself, "shards[1]". */
struct cardinal_table {
	const json_t *value;
	const char *label;
	struct diag_position where;
};

/** Note a problem at `key` of a table; the position is the key's, or the table's without it. */
void cardinal_problem(struct cardinal_reader *reader, const struct cardinal_table *table,
		      const char *key, const char *fault, enum diag_severity severity,
		      const char *format, ...) DIAG_PRINTF(6, 7);

/** The table below `key`; its value is NULL when there is none. */
struct cardinal_table cardinal_table_at(const struct cardinal_reader *reader,
					const struct cardinal_table *table, const char *key);

/** Element `index` of the array of tables `key`. */
struct cardinal_table cardinal_table_item(const struct cardinal_reader *reader,
					  const struct cardinal_table *table, const char *key,
					  size_t index);

/** Text without the spaces (U+0020) that the CLI removes from names; "" when absent. */
const char *cardinal_table_name(const struct cardinal_reader *reader,
				const struct cardinal_table *table, const char *key);

/** Text as written; "" when absent. */
const char *cardinal_table_text(const struct cardinal_table *table, const char *key);

/**
 * Types of all keys, and keys that nobody reads (world_fields.c).
 *
 * Returns false when a value has a type that the CLI's decoder refuses.
 */
bool cardinal_world_decode(struct cardinal_reader *reader, const struct cardinal_table *file);

/** The rules in the CLI's order (world_rules.c, world_shards.c, world_services.c). */
void cardinal_world_judge(struct cardinal_reader *reader, const struct cardinal_table *file);
void cardinal_world_shards(struct cardinal_reader *reader, const struct cardinal_table *file);
void cardinal_world_expand(struct cardinal_reader *reader, const struct cardinal_table *file);
void cardinal_world_services(struct cardinal_reader *reader, const struct cardinal_table *file);

/**
 * An id must be there, be a DNS label as it is, and be the first of its kind.
 *
 * @seen ids so far, gets this one
 *
 * Returns false when an earlier entry has the same id.
 */
bool cardinal_world_id(struct cardinal_reader *reader, const struct cardinal_table *table,
		       const char *id, struct diag_map *seen);
