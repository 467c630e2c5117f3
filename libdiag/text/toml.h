/* TOML 1.0 through toml++, with the positions of every key and element. */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "base/error.h"
#include "text/position.h"

/**
 * Load one TOML document as a JSON object.
 *
 * What JSON cannot hold (dates, times, nan, inf) becomes null, which TOML itself does not have: who
 * expects text or a number sees that there is none. A key that is written keeps the line of the
 * key, an element of an array that of the element (`[[x]]`: of its header).
 *
 * @text      UTF-8, need not be terminated; at most DIAG_MAX_TOML_BYTES
 * @positions filled when not NULL
 * @file      name for the positions
 * @ret       the caller's, unchanged on failure
 *
 * Returns DIAG_OK; PARSE with err->line and err->column; LIMIT for what is too large or too deep.
 */
int diag_toml_load(const char *text, size_t length, struct diag_positions *positions,
		   const char *file, json_t **ret, struct diag_error *err);
