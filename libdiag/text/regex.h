/* Regular expressions with limits: the only file that knows PCRE2. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct diag_regex;

enum diag_regex_result {
	DIAG_REGEX_NO_MATCH = 0,
	DIAG_REGEX_MATCH = 1,
	DIAG_REGEX_GAVE_UP = -1, /* a match or heap limit was reached: nothing is known */
};

struct diag_regex_span {
	size_t start, end; /* byte offsets */
};

/**
 * Compile a pattern (PCRE2 syntax, bytes); it is compiled for speed where the machine can.
 *
 * Returns DIAG_OK, or INVALID with the position in the pattern.
 */
int diag_regex_new(const char *pattern, struct diag_regex **ret_regex, struct diag_error *err);
void diag_regex_free(struct diag_regex *regex);

/**
 * Find the first match at or after `from`.
 *
 * @group    capture group whose span is wanted; the whole match when the group took no part
 * @ret_span written on a match
 */
enum diag_regex_result diag_regex_find(const struct diag_regex *regex, const char *text,
				       size_t length, size_t from, unsigned group,
				       struct diag_regex_span *ret_span);
