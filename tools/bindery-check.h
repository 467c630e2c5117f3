/* What the two halves of bindery-check share: its options and reports, and the ways of reading. */
#pragma once

#include "check/runner.h"
#include "cli/app.h"
#include "cli/output.h"

#define TOOL_NAME "bindery-check"

struct options {
	struct diag_source_options source;
	struct diag_opt_list worlds;
	struct diag_opt_list only, skip;
	struct diag_output_options output;
	int show, fail_on;
	int64_t grace_ms;
	const char *explain;
	int64_t wait_ms, interval_ms;
	bool watch, print_role;
	bool list, verbose, help, version;
};

/* One look at the source, and what the checks say. */
struct reading {
	struct diag_snapshot *snapshot;
	struct diag_policy policy;
	struct diag_run *run;
};

/** Write every report asked for. Returns DIAG_OK, or the first failure. */
int write_report(const struct options *options, const struct reading *reading, int status,
		 struct diag_error *err);

/** Read the source once or again and again, as the options say, and report. Returns the exit
 * status. */
int read_and_report(const struct options *options, const char *const *wants);
