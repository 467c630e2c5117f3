/* What clean.c and its table share. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** Columns of one character, 0 to 2; control characters are not asked about. */
size_t diag_clean_columns(uint32_t c);
