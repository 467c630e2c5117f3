/* A request to stop, set by a signal handler and read by loops. Owned by the app, borrowed below.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct diag_cancel {
	volatile sig_atomic_t requested;
};

/** True once the user asked to stop; NULL is never cancelled. */
static inline bool diag_cancelled(const struct diag_cancel *cancel)
{
	return cancel && cancel->requested;
}
