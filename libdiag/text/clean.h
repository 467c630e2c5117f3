/* Foreign text made safe for a terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/**
 * Append text with everything a terminal could act on made harmless: control characters (C0, DEL,
 * C1, also as UTF-8), bidirectional overrides and invalid UTF-8 become '?'; newlines and tabs a
 * space.
 */
void diag_clean(struct diag_buf *out, const char *text);

/**
 * Columns that cleaned text takes on a terminal: wide East Asian characters and emoji count two,
 * combining marks none. Source: Unicode East Asian Width, in the C library's tables.
 */
size_t diag_clean_width(const char *text);

/** Append at most `columns` columns of the cleaned text, with an ellipsis where it was cut. */
void diag_clean_cut(struct diag_buf *out, const char *text, size_t columns, bool utf8);
