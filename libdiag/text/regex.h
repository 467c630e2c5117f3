/*
 * Regular expressions over foreign text, through PCRE2 (8 bit, UTF off: a byte is a character, so
 * no byte sequence is invalid). Every match has a ceiling on its steps and its memory; past it the
 * answer is "gave up", which is not "no match": a caller that redacts must then withhold the text.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/macros.h"

#define DIAG_REGEX_MAX_PATTERN  ((size_t)4096) /* bytes of one pattern */
#define DIAG_REGEX_MAX_STEPS    100000u        /* steps of one match unless lowered */
#define DIAG_REGEX_MAX_HEAP_KIB 4096u          /* memory of one match without JIT */

struct diag_regex;

enum diag_regex_result {
	DIAG_REGEX_NO_MATCH,
	DIAG_REGEX_MATCH,
	DIAG_REGEX_GAVE_UP, /* a limit was reached: nothing is known about the text */
};

enum {
	DIAG_REGEX_ICASE = 1,     /* ASCII letters in either case */
	DIAG_REGEX_MULTILINE = 2, /* ^ and $ at every line */
	DIAG_REGEX_DOTALL = 4,    /* . matches newlines too */
	DIAG_REGEX_ANCHORED = 8,  /* only a match that begins at `start` counts */
};

/**
 * Compile a pattern, with JIT where the machine allows it.
 *
 * The pattern may come from a user: (*UTF) and \C are refused, and it cannot raise the limits.
 *
 * @flags     DIAG_REGEX_ICASE and so on, or 0
 * @ret_regex new, the caller's
 *
 * Returns DIAG_OK, INVALID (with the offset in the message) or LIMIT (pattern too long).
 */
int diag_regex_new(const char *pattern, unsigned flags, struct diag_regex **ret_regex,
		   struct diag_error *err);

/** Free; NULL is fine. */
void diag_regex_free(struct diag_regex *regex);

/** Lower or restore the steps one match may take (at least 1). */
void diag_regex_set_steps(struct diag_regex *regex, uint32_t steps);

/** Steps one match may take at present. */
uint32_t diag_regex_steps(const struct diag_regex *regex);

/**
 * Search for the first match at or after `start`. Look-behinds see the text before it.
 *
 * @text, @length any bytes
 * @start         0..length
 */
enum diag_regex_result diag_regex_match(struct diag_regex *regex, const char *text, size_t length,
					size_t start);

/**
 * Where a group of the last successful match stood; group 0 is the whole match.
 *
 * Returns false when the group took no part or does not exist; the outputs are then untouched.
 */
bool diag_regex_group(const struct diag_regex *regex, unsigned group, size_t *ret_start,
		      size_t *ret_end);

/** Number of a named group, 0 when the pattern has none of that name. */
unsigned diag_regex_group_index(const struct diag_regex *regex, const char *name);

/** Groups the pattern has, group 0 not counted. */
unsigned diag_regex_group_count(const struct diag_regex *regex);

DIAG_GUARD(diag_regex_auto, struct diag_regex *, diag_regex_free);
#define diag_regex_auto DIAG_CLEANUP(diag_regex_auto)
