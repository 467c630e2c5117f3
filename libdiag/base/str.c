#include "base/str.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

bool diag_str_eq(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

bool diag_str_empty(const char *text)
{
	return !text || !*text;
}

bool diag_str_in(const char *text, ...)
{
	const char *candidate;
	bool found = false;
	va_list args;

	va_start(args, text);
	while (!found && (candidate = va_arg(args, const char *)))
		found = text && strcmp(text, candidate) == 0;
	va_end(args);
	return found;
}

bool diag_str_starts(const char *text, const char *prefix)
{
	return text && strncmp(text, prefix, strlen(prefix)) == 0;
}

bool diag_str_ends(const char *text, const char *suffix)
{
	size_t length = text ? strlen(text) : 0;
	size_t tail = strlen(suffix);

	return text && length >= tail && strcmp(text + length - tail, suffix) == 0;
}

/* Bytes of the white-space character at `p` (Unicode White_Space), 0 when there is none. */
static size_t space_length(const char *p, size_t left)
{
	/* Multi-byte members of White_Space: U+0085 U+00A0 U+1680 U+2000-200A U+2028 U+2029 U+202F
	 * U+205F U+3000. Source: Unicode PropList, as used by Go's unicode.IsSpace. */
	static const char *const wide[] = {
		"\xc2\x85", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002", "\u2003",
		"\u2004",   "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a",
		"\u2028",   "\u2029", "\u202f", "\u205f", "\u3000",
	};

	if (left && strchr("\t\n\v\f\r ", *p) && *p)
		return 1;
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(wide); i++) {
		size_t length = strlen(wide[i]);

		if (left >= length && memcmp(p, wide[i], length) == 0)
			return length;
	}
	return 0;
}

const char *diag_str_trim(const char *text, size_t *ret_length)
{
	size_t length = strlen(text);
	size_t step;

	while ((step = space_length(text, length))) {
		text += step;
		length -= step;
	}
	for (bool again = true; again && length;) {
		again = false;
		for (step = 1; step <= 3 && step <= length; step++) {
			if (space_length(text + length - step, step) == step) {
				length -= step;
				again = true;
				break;
			}
		}
	}
	*ret_length = length;
	return text;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment: insert, delete, replace or swap neighbours; both at most 255 bytes. */
static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t rows[3][256];

	for (size_t j = 0; j <= b_length; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i - 1) % 3], *before = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= b_length; j++) {
			size_t best = above[j - 1] + !same_letter(a[i - 1], b[j - 1]);

			best = DIAG_MIN(best, above[j] + 1);
			best = DIAG_MIN(best, row[j - 1] + 1);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]))
				best = DIAG_MIN(best, before[j - 2] + 1);
			row[j] = best;
		}
	}
	return rows[a_length % 3][b_length];
}

const char *diag_str_nearest(const char *word, const char *const *candidates, size_t count)
{
	size_t word_length = strlen(word);
	const char *best = NULL;
	size_t best_distance = SIZE_MAX;

	for (size_t i = 0; i < count && word_length < 256; i++) {
		size_t length = candidates[i] ? strlen(candidates[i]) : 256;
		size_t allowed, d;

		if (length >= 256)
			continue;
		allowed = DIAG_MAX(word_length, length) / 3;
		allowed = DIAG_MAX(allowed, (size_t)1);
		d = distance(word, word_length, candidates[i], length);
		if (d <= allowed && d < best_distance) {
			best = candidates[i];
			best_distance = d;
		}
	}
	return best;
}

const char *diag_str_tail_lines(const char *bytes, size_t length, size_t most)
{
	const char *start, *newline;

	if (length <= most)
		return bytes;
	start = bytes + length - most;
	if (start[-1] == '\n')
		return start;
	newline = memchr(start, '\n', most);
	return newline ? newline + 1 : bytes + length;
}

bool diag_str_glob(const char *pattern, const char *text)
{
	return fnmatch(pattern, text, 0) == 0;
}
