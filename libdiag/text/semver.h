/*
 * Versions and version constraints exactly as github.com/Masterminds/semver/v3 v3.3.1 reads them,
 * the release that the operator pins. Rules and their source: docs/internals/semver.md; the vectors
 * in tests/data/semver-vectors.tsv decide where words are unclear.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct diag_semver {
	uint64_t major, minor, patch;
	char *pre;  /* "" when there is none; owned */
	char *meta; /* "" when there is none; owned */
};

/**
 * Parse a version loosely: partial versions and a leading `v` are fine, leading zeros are not.
 *
 * @text    whole text, nothing is trimmed
 * @ret_version the caller's, freed with diag_semver_done()
 *
 * Returns DIAG_OK, or PARSE saying what is wrong with it.
 */
int diag_semver_parse(const char *text, struct diag_semver *ret_version, struct diag_error *err);
void diag_semver_done(struct diag_semver *version);

/** Precedence: negative, 0 or positive; build metadata does not count. */
int diag_semver_compare(const struct diag_semver *a, const struct diag_semver *b);

/** Write MAJOR.MINOR.PATCH[-pre][+meta]; malloc'ed. */
char *diag_semver_format(const struct diag_semver *version);

struct diag_constraint;

/**
 * Parse a constraint, without the operator's own trimming (diag_constraint_parse_trimmed()).
 *
 * Returns DIAG_OK, or PARSE with the reason in plain words.
 */
int diag_constraint_parse(const char *text, struct diag_constraint **ret_constraint,
			  struct diag_error *err);

/** As the operator does: surrounding white space goes, and nothing left means `*`. */
int diag_constraint_parse_trimmed(const char *text, struct diag_constraint **ret_constraint,
				  struct diag_error *err);
void diag_constraint_free(struct diag_constraint *constraint);

bool diag_constraint_holds(const struct diag_constraint *constraint,
			   const struct diag_semver *version);

/** True when the version fails only because it is a prerelease: without that part it would hold. */
bool diag_constraint_fails_on_prerelease(const struct diag_constraint *constraint,
					 const struct diag_semver *version);

/**
 * What the author of a constraint that does not parse most likely meant: separators, spelling of other
 * tools, leading zeros, words such as `latest`.
 *
 * Returns a constraint that parses, malloc'ed; NULL when it parses as it is or has no single reading.
 */
char *diag_constraint_suggest(const char *text);

/**
 * Whether a constraint that parses does something its author hardly wanted, as `^*` or `1.2-1.4`.
 * Source: semver-constraints.md section 7.
 *
 * @ret_meant what was meant, malloc'ed, or NULL when there is no single correction; may be NULL itself
 *
 * Returns the effect in plain words, static text; NULL when there is no trap or it does not parse.
 */
const char *diag_constraint_trap(const char *text, char **ret_meant);

/**
 * The same constraint with prereleases let in: `>=1.0.0 <2.0.0` gives `>=1.0.0-0 <2.0.0-0`. It accepts
 * the same releases, and the prereleases that lie in its ranges.
 *
 * Returns malloc'ed text, or NULL when it cannot be said (an exact version, for one).
 */
char *diag_constraint_admit_prereleases(const struct diag_constraint *constraint);

static inline void diag_semver_auto_cleanup_(struct diag_semver *version)
{
	diag_semver_done(version);
}
#define diag_semver_auto __attribute__((cleanup(diag_semver_auto_cleanup_)))
DIAG_GUARD(diag_constraint_auto, struct diag_constraint *, diag_constraint_free);
#define diag_constraint_auto DIAG_CLEANUP(diag_constraint_auto)
