/*
 * Suppressions on the object itself, a line each:
 *
 *   metadata:
 *     annotations:
 *       bindery-check/suppress: |
 *         module.pre-stop by team-arena until 2027-06-30: has no state to save
 */
#pragma once

#include "model/snapshot.h"

#include "policy/config.h"

struct diag_annotations {
	struct diag_suppression *suppressions;
	size_t count, capacity;
	struct diag_suppression *broken; /* lines that cannot be read, in `check` */
	size_t broken_count, broken_capacity;
	struct diag_arena *arena;
};

/** Read those of all objects in the subject namespaces. The caller's; never NULL. */
struct diag_annotations *diag_annotations_read(const struct diag_snapshot *snapshot,
					       const char *annotation);
void diag_annotations_free(struct diag_annotations *annotations);

/** A finding, an error, for each line that cannot be read. */
void diag_annotations_tell(const struct diag_annotations *annotations,
			   struct diag_findings *findings);
