#include "cli/exit.h"

const struct diag_exit_meaning diag_exit_meanings[] = {
	{ DIAG_EXIT_OK, "nothing at or above the --fail-on severity", "ok" },
	{ DIAG_EXIT_FINDINGS, "findings at or above it", "findings" },
	{ DIAG_EXIT_USAGE, "wrong options or arguments", "usage" },
	{ DIAG_EXIT_FAILED, "could not run: no such input, unreadable, report not written",
	  "failed" },
	{ DIAG_EXIT_INCOMPLETE, "ran, but data needed for the verdict was missing or unreadable",
	  "incomplete" },
	{ DIAG_EXIT_INTERRUPTED, "interrupted", "interrupted" },
	{ 0, NULL, NULL },
};

const char *diag_exit_name(int status)
{
	for (const struct diag_exit_meaning *exit = diag_exit_meanings; exit->help; exit++)
		if (exit->status == status)
			return exit->name;
	return "unknown";
}
