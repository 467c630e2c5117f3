#include "cli/exit.h"

const struct diag_exit_meaning diag_exit_meanings[] = {
	{ DIAG_EXIT_OK, "nothing at or above the --fail-on severity", "ok" },
	{ DIAG_EXIT_FINDINGS, "findings at or above the --fail-on severity", "findings" },
	{ DIAG_EXIT_USAGE, "wrong options or arguments", "usage" },
	{ DIAG_EXIT_FAILED, "could not run: no such input, unreadable, report not written",
	  "failed" },
	{ DIAG_EXIT_INCOMPLETE, "ran, but data needed for the verdict was missing or unreadable",
	  "incomplete" },
	{ DIAG_EXIT_INTERRUPTED, "interrupted", "interrupted" },
	{ 0, NULL, NULL },
};

static const struct diag_exit_meaning *meaning_of(int status)
{
	static const struct diag_exit_meaning unknown = { 0, "unknown", "unknown" };

	for (const struct diag_exit_meaning *exit = diag_exit_meanings; exit->help; exit++)
		if (exit->status == status)
			return exit;
	return &unknown;
}

const char *diag_exit_name(int status)
{
	return meaning_of(status)->name;
}

const char *diag_exit_help(int status)
{
	return meaning_of(status)->help;
}
