/* What the two halves of bindery-check share: its options and reports, and the ways of reading. */
#pragma once

#include "check/runner.h"
#include "cli/app.h"
#include "cli/output.h"

#include "policy/config.h"

#define TOOL_NAME "bindery-check"

struct options {
	struct diag_source_options source;
	struct diag_opt_list worlds;
	struct diag_opt_list only, skip;
	struct diag_output_options output;
	int show, fail_on; /* enum diag_severity, or -1: not given */
	const char *config, *baseline;
	bool no_config, write_baseline, new_only;
	int64_t grace_ms;
	const char *explain;
	int64_t wait_ms, interval_ms;
	bool watch, print_role;
	bool list, verbose, help, version;
};

/* One look at the source, and what the checks say. */
struct reading {
	json_t *mended;
	struct diag_snapshot *snapshot;
	struct diag_policy policy;
	struct diag_run *run;
};

/** Write every report asked for. Returns DIAG_OK, or the first failure. */
int write_report(const struct options *options, const struct reading *reading, int status,
		 struct diag_error *err);

/** The configuration that the options or the folders above us name; an empty one without. */
int read_config(const struct options *options, struct diag_config **ret_config,
		struct diag_error *err);

/** Put together what the command line says, the configuration says, and the defaults are. */
struct diag_policy policy_of(const struct options *options, const struct diag_config *config);

/** Read the source once or again and again, as the options say, and report. Returns the exit
 * status. */
int read_and_report(const struct options *options, const char *const *wants,
		    struct diag_config *config);
