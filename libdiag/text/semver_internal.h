/* Shared by semver.c (versions), semver_constraint.c (grammar) and semver_match.c (meaning). */
#pragma once

#include "text/semver.h"

/* How much of a comparator's version was left open. */
enum openness { FULL, PATCH_OPEN, MINOR_OPEN, ANY };

enum comparison { CMP_EQ, CMP_NE, CMP_GT, CMP_LT, CMP_GE, CMP_LE, CMP_TILDE, CMP_CARET };

struct comparator {
	enum comparison op;
	enum openness open;
	struct diag_semver base;
};

/* All comparators of an alternative must hold. */
struct alternative {
	struct comparator *items;
	size_t count, capacity;
};

/* At least one alternative must hold. */
struct diag_constraint {
	struct alternative *items;
	size_t count, capacity;
};

bool diag_semver_identifier_char(char c);

/** Whether one comparator accepts a version, prerelease gate included. */
bool diag_comparator_holds(const struct comparator *comparator, const struct diag_semver *version);
