/* The exit status of every tool (docs/reference.md, "Exit status"). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum diag_exit {
	DIAG_EXIT_OK = 0,
	DIAG_EXIT_FINDINGS = 1,
	DIAG_EXIT_USAGE = 2,
	DIAG_EXIT_FAILED = 3,
	DIAG_EXIT_INCOMPLETE = 4,
	DIAG_EXIT_INTERRUPTED = 130,
};

struct diag_exit_meaning {
	int status;
	const char *help;
	const char *name; /* for machine output: "findings" */
};

/** What each status means, for help and man pages; ends with a NULL help. */
extern const struct diag_exit_meaning diag_exit_meanings[];

/** The name of a status, "unknown" for any other number; never NULL. */
const char *diag_exit_name(int status);

/** What a status means, in words; never NULL. */
const char *diag_exit_help(int status);

/** The status when several hold: 130, then 3, then 1, then 4, then 0. */
static inline enum diag_exit diag_exit_status(bool interrupted, bool failed, bool findings,
					      bool incomplete)
{
	if (interrupted)
		return DIAG_EXIT_INTERRUPTED;
	if (failed)
		return DIAG_EXIT_FAILED;
	if (findings)
		return DIAG_EXIT_FINDINGS;
	return incomplete ? DIAG_EXIT_INCOMPLETE : DIAG_EXIT_OK;
}
