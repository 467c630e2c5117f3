/* Foreign text made safe for a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What becomes of newlines and tabs; without either both become a space. */
enum {
	DIAG_CLEAN_LINES = 1, /* both are kept: text of several lines */
	DIAG_CLEAN_MARKS = 2, /* a newline is shown as U+21B5, a tab becomes a space */
};

/**
 * Append text with everything a terminal could act on, and everything that would make it look like
 * other text, made visible and harmless: control characters (C0, DEL, C1 also as UTF-8), overrides
 * and isolates of the writing direction, invisible format characters and each byte of invalid UTF-8
 * become '?'.
 *
 * @text, @length any bytes
 * @flags         DIAG_CLEAN_LINES, DIAG_CLEAN_MARKS or 0
 */
void diag_clean_add(struct diag_buf *out, const char *text, size_t length, unsigned flags);

/** diag_clean_add() of a string, newlines and tabs as spaces. */
void diag_clean(struct diag_buf *out, const char *text);

/**
 * Columns that the cleaned text takes on a terminal, in any locale: East Asian wide characters and
 * emoji count two, combining marks none. Of an emoji joined from several the parts are counted.
 */
size_t diag_clean_width(const char *text);

/**
 * Append at most `columns` columns of the cleaned text, with an ellipsis where it was cut; marks
 * stay with their character.
 *
 * @utf8 the ellipsis is U+2026 rather than three dots
 */
void diag_clean_cut(struct diag_buf *out, const char *text, size_t columns, bool utf8);
