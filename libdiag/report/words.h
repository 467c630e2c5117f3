/* What several formats say in the same words: where a finding is, and all that is known of it. */
#pragma once

#include "report/report.h"

/**
 * Append a file's path as other programs want it: relative to the repository where it lies in one,
 * without "./" in front; else as it was given. Nothing for standard input.
 *
 * Returns false for a finding that is in no file.
 */
bool diag_report_path(const struct diag_report *report, const struct diag_finding *finding,
		      struct diag_buf *out);

/** Append the evidence, one line each, at most `most` of them. */
void diag_report_evidence(const struct diag_finding *finding, size_t most, struct diag_buf *out);

/**
 * Append all that a finding has to tell as plain lines: the message, the object, the evidence, the
 * impact, what it follows from, what to do next. Not escaped.
 */
void diag_report_explain(const struct diag_finding *finding, struct diag_buf *out);

/** How many of the findings to be shown are root causes of a severity, and how many follow. */
struct diag_report_counts {
	size_t roots[3]; /* by severity */
	size_t consequences;
	size_t all[3]; /* by severity, roots and consequences */
};

struct diag_report_counts diag_report_count(const struct diag_report *report);

/** Append "2 problems, 1 warning" or "no problems found": root causes, and what follows. */
void diag_report_summary(const struct diag_report *report, struct diag_buf *out);
