/* Runs the checks of a set over a snapshot and collects results and findings. */
#pragma once

#include "base/map.h"
#include "check/check.h"

enum diag_result_status {
	DIAG_RESULT_PASS,
	DIAG_RESULT_FINDINGS,
	DIAG_RESULT_SKIPPED, /* needed data was not there; `reason` says which */
	DIAG_RESULT_ERROR,   /* the check itself failed; `reason` says how */
	DIAG_RESULT_STATUS_COUNT,
};

/** "pass", "findings", "skipped", "error". */
extern const char *const diag_result_names[DIAG_RESULT_STATUS_COUNT];

struct diag_result {
	const struct diag_check *check;
	enum diag_result_status status;
	const char
		*reason; /* of skipped and error, and of a verdict on part of the data; or NULL */
	size_t finding_count;
	bool incomplete; /* data needed for the verdict was missing (exit 4) */
};

/* Another severity for the findings of the checks that match. */
struct diag_severity_rule {
	const char *glob;           /* over check and fault ids */
	int severity;               /* enum diag_severity, or -1: the checks do not run */
	struct diag_position where; /* of the rule */
};

struct diag_policy {
	const char *const *only;    /* globs over check and fault ids, NULL-terminated; NULL: all */
	const char *const *skip;    /* the same; NULL: none */
	enum diag_severity show;    /* findings below are left out of reports */
	enum diag_severity fail_on; /* findings at or above decide the exit status */
	int64_t grace_ms;
	const char *const
		*worlds; /* only findings that touch these worlds, NULL-terminated; NULL: all */
	/* With manifests laid over what was observed: the fingerprints of the findings without
	 * them. Checks of what was observed find nothing else. NULL: no overlay. */
	const struct diag_map *before;
	const struct diag_severity_rule *severities; /* the last that matches counts; or NULL */
	size_t severity_count;
	/* Says which findings are known or accepted, before the cause graph; or NULL. */
	void (*accept)(struct diag_findings *findings, const struct diag_snapshot *snapshot,
		       void *arg);
	void *accept_arg;
};

struct diag_run;

/**
 * Run every chosen check of a set and build the cause graph.
 *
 * Cannot fail as a whole: a check that fails is a result. The run is the caller's.
 */
struct diag_run *diag_run_new(const struct diag_check_set *set,
			      const struct diag_snapshot *snapshot,
			      const struct diag_policy *policy);

/** Free the run with its findings; NULL is fine. */
void diag_run_free(struct diag_run *run);

/** One result a chosen check, in the set's order. Borrowed. */
const struct diag_result *diag_run_results(const struct diag_run *run, size_t *ret_count);

/** The findings, linked and ordered. Borrowed. */
const struct diag_findings *diag_run_findings(const struct diag_run *run);

/** The version of the platform's operator, or NULL when it is not visible. */
const char *diag_run_version(const struct diag_run *run);

/** True when the namespaces looked at hold no object of the domain: nothing was checked, and the
 * run is incomplete. */
bool diag_run_is_empty(const struct diag_run *run);

/** True when data needed for the verdict was missing or unreadable, or a check failed. */
bool diag_run_is_incomplete(const struct diag_run *run);

/** True when a finding at or above the policy's fail_on exists. */
bool diag_run_fails(const struct diag_run *run);

/** The last rule for a check's findings, or NULL. */
const struct diag_severity_rule *diag_policy_severity(const struct diag_policy *policy,
						      const struct diag_check *check);

/** True when the policy chooses this check. */
bool diag_policy_selects(const struct diag_policy *policy, const struct diag_check *check);

DIAG_GUARD(diag_run_auto, struct diag_run *, diag_run_free);
#define diag_run_auto DIAG_CLEANUP(diag_run_auto)
