/* Reading again until it is decided (--wait), or for ever (--watch). */
#pragma once

#include "base/cancel.h"
#include "check/runner.h"

enum diag_verdict {
	DIAG_VERDICT_OPEN,  /* may look different when read again */
	DIAG_VERDICT_GOOD,  /* nothing wrong, nothing in progress */
	DIAG_VERDICT_NEVER, /* something cannot become right by itself */
};

/**
 * What one reading says.
 *
 * Refused data changes nothing: it is as good as it gets. Failed and cut lists may come next time.
 *
 * @run         of the snapshot
 * @before      fingerprint of what the reading before called lasting, or "": an error counts as
 *              lasting when it is met twice, since manifests may be applied one by one
 * @ret_finding what cannot become right, also when it is met for the first time; else NULL
 */
enum diag_verdict diag_decide(const struct diag_snapshot *snapshot, const struct diag_run *run,
			      const char *before, const struct diag_finding **ret_finding);

/** Sleep, unless the user cancels. Returns false then. */
bool diag_pause(int64_t ms, const struct diag_cancel *cancel);
