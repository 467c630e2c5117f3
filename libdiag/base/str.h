/* String helpers that the C library lacks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

/** strcmp() == 0 that takes NULL: NULL equals only NULL. */
bool diag_str_eq(const char *a, const char *b);

/** NULL or "". */
bool diag_str_empty(const char *text);

/** True when `text` equals one of the following strings; the list ends with NULL. A NULL text is in
 * none. */
bool diag_str_in(const char *text, ...) __attribute__((sentinel));

bool diag_str_starts(const char *text, const char *prefix);
bool diag_str_ends(const char *text, const char *suffix);

/**
 * The part of `text` without surrounding white space (Unicode White_Space, as Go's
 * strings.TrimSpace).
 *
 * @text       UTF-8; invalid bytes count as text
 * @ret_length bytes of the returned part
 *
 * Returns a pointer into `text`.
 */
const char *diag_str_trim(const char *text, size_t *ret_length);

/**
 * The candidate most like `word`, for "did you mean", or NULL when none is near enough
 * (edit distance at most a third of the longer length, at least 1; case ignored).
 *
 * @candidates `count` strings, borrowed; NULLs are passed over
 */
const char *diag_str_nearest(const char *word, const char *const *candidates, size_t count);

/**
 * The last whole lines of a text that fit into `most` bytes: half a line could hold half a secret.
 *
 * Returns a pointer into `bytes`, the end when not even the last line fits.
 */
const char *diag_str_tail_lines(const char *bytes, size_t length, size_t most);

/** Shell-style match of `*` and `?` over the whole text. */
bool diag_str_glob(const char *pattern, const char *text);
