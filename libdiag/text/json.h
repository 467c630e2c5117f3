/*
 * Reading JSON that somebody else wrote. `json_t` (jansson) is our object representation; these
 * accessors take any value, NULL included, and never assume a type: a wrong type reads as absent.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "text/position.h"

/* Keys from the outside in: DIAG_PATH("spec", "gameRef", "name"). */
#define DIAG_PATH(...) ((const char *const[]){ __VA_ARGS__, NULL })

/** The value at a path of object keys, or NULL. Borrowed. */
json_t *diag_json_at(const json_t *value, const char *const *path);

/** A string at a path, or NULL when absent or no string. Borrowed. */
const char *diag_json_str_at(const json_t *value, const char *const *path);

#define diag_json_get(value, ...) diag_json_at(value, DIAG_PATH(__VA_ARGS__))
#define diag_json_str(value, ...) diag_json_str_at(value, DIAG_PATH(__VA_ARGS__))

/** An array at a path, or NULL: json_array_foreach() and json_array_size() take both. */
json_t *diag_json_array_at(const json_t *value, const char *const *path);
#define diag_json_array(value, ...) diag_json_array_at(value, DIAG_PATH(__VA_ARGS__))

/** An object at a path, or NULL: json_object_foreach() takes both. */
json_t *diag_json_object_at(const json_t *value, const char *const *path);
#define diag_json_object(value, ...) diag_json_object_at(value, DIAG_PATH(__VA_ARGS__))

/** The first element of an array with this `name`, as Kubernetes' lists of containers, ports and
 * variables have them; NULL without. Borrowed. */
json_t *diag_json_named(const json_t *array, const char *name);

/** An integer at a path, or `fallback` when absent or no integer (1.0 counts as 1). */
int64_t diag_json_int_at(const json_t *value, int64_t fallback, const char *const *path);
#define diag_json_int(value, fallback, ...)                                                        \
	diag_json_int_at(value, fallback, DIAG_PATH(__VA_ARGS__))

/** True only for a boolean true at the path. */
bool diag_json_true_at(const json_t *value, const char *const *path);
#define diag_json_true(value, ...) diag_json_true_at(value, DIAG_PATH(__VA_ARGS__))

/**
 * Load JSON text that may hold several documents one after the other (as kubectl reads a stream).
 *
 * Integers beyond 64 bits become reals (a real beyond 1e308 is an error); strings may hold U+0000
 * (C sees the text before it). Duplicate keys: the last one counts, as in encoding/json.
 *
 * @text, @length the bytes; need not be terminated
 * @positions     where to record lines, or NULL
 * @file          name recorded in positions
 * @first_line    line of the file at which the text begins; 0 counts as 1
 * @ret_documents new array with one element per document, owned by the caller
 *
 * Returns DIAG_OK, PARSE (with err->line) or LIMIT (nesting above DIAG_MAX_DEPTH).
 */
int diag_json_load(const char *text, size_t length, struct diag_positions *positions,
		   const char *file, int first_line, json_t **ret_documents,
		   struct diag_error *err);
