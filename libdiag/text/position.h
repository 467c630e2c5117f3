/*
 * Where a value stood in its file. Jansson's values carry no position, so a side table maps
 * (container, key or index) to file and line. Replacing a value under the same key keeps its
 * position.
 */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "base/macros.h"

struct diag_positions;

struct diag_position {
	const char *file; /* NULL when unknown */
	int line;         /* 1-based, 0 when unknown */
	int column;       /* 1-based, 0 when unknown */
};

struct diag_positions *diag_positions_new(void);
void diag_positions_free(struct diag_positions *positions);

/** Remember a file name; returns the copy owned by the table, to be passed to the setters. */
const char *diag_positions_file(struct diag_positions *positions, const char *file);

/** Record where `container[key]` stands (the key's own line). `file` comes from
 * diag_positions_file(). */
void diag_positions_set_key(struct diag_positions *positions, const json_t *container,
			    const char *key, struct diag_position where);

/** Record where `container[index]` starts. */
void diag_positions_set_index(struct diag_positions *positions, const json_t *container,
			      size_t index, struct diag_position where);

/** Record where an object or array itself starts (document roots). */
void diag_positions_set_self(struct diag_positions *positions, const json_t *value,
			     struct diag_position where);

/** The three look-ups; all zero when unknown or `positions` is NULL. */
struct diag_position diag_positions_key(const struct diag_positions *positions,
					const json_t *container, const char *key);
struct diag_position diag_positions_index(const struct diag_positions *positions,
					  const json_t *container, size_t index);
struct diag_position diag_positions_self(const struct diag_positions *positions,
					 const json_t *value);

DIAG_GUARD(diag_positions_auto, struct diag_positions *, diag_positions_free);
#define diag_positions_auto DIAG_CLEANUP(diag_positions_auto)
