/* What has changed from one run to the next, line by line (--watch). */
#pragma once

#include "base/buf.h"
#include "check/runner.h"

struct diag_changes;

struct diag_changes *diag_changes_new(void);
void diag_changes_free(struct diag_changes *changes);

/**
 * Append a line for each finding that has come ("+"), gone ("-") or become another kind of finding
 * (both), and one when the last has gone or none was there at first ("=").
 *
 * @show findings below are left out
 *
 * Returns whether anything was appended.
 */
bool diag_changes_next(struct diag_changes *changes, const struct diag_snapshot *snapshot,
		       const struct diag_run *run, enum diag_severity show, struct diag_buf *out);
