#include "cli/exit.h"

const struct diag_exit_meaning diag_exit_meanings[] = {
	{ DIAG_EXIT_OK, "nothing at or above the --fail-on severity" },
	{ DIAG_EXIT_FINDINGS, "findings at or above it" },
	{ DIAG_EXIT_USAGE, "wrong options or arguments" },
	{ DIAG_EXIT_FAILED, "could not run: no such input, unreadable, report not written" },
	{ DIAG_EXIT_INCOMPLETE, "ran, but data needed for the verdict was missing or unreadable" },
	{ DIAG_EXIT_INTERRUPTED, "interrupted" },
	{ 0, NULL },
};
