/*
 * Reports: one renderer a format, all fed the same finished run. A renderer writes bytes into a
 * buffer and decides nothing: the exit status is computed from the findings before it runs.
 */
#pragma once

#include <stdbool.h>

#include "base/buf.h"
#include "base/error.h"
#include "check/runner.h"
#include "report/style.h"

/* What renderers are given. A tool that runs no checks leaves `run` and `policy` NULL, has its own
 * table of renderers and hands them what it found in `detail`. */
struct diag_report {
	const struct diag_snapshot *snapshot;
	const struct diag_run *run;
	const struct diag_policy *policy;
	const void *detail;  /* of the tool's own renderers */
	const char *tool;    /* "bindery-check" */
	const char *version; /* of the tool */
	const json_t *mended; /* entries of a baseline that are gone (policy/baseline.h); or NULL */
	int status;          /* exit status, as computed before */
	const char *verdict; /* what that status means */
	/* The page of a check as Markdown, or NULL; the function may be NULL. */
	const char *(*page)(const char *check);
	const char *folder;      /* absolute path of the working directory, or NULL, … */
	const char *root;        /* … and of the repository around it: see diag_report_path() */
	bool verbose;            /* results of every check, all evidence */
	struct diag_style style; /* set for each output by diag_output_write() */
};

struct diag_renderer {
	const char *name; /* "text" */
	const char *help; /* a few words */
	void (*render)(const struct diag_report *report, struct diag_buf *out);
};

/** One finding as a line of `-o short`, not masked yet. */
void diag_render_short_line(const struct diag_finding *finding, struct diag_buf *out);

/** All renderers of runs, the default first; the array ends with a NULL name. */
extern const struct diag_renderer diag_renderers[];

/** By name in a table that ends with a NULL name, or NULL. */
const struct diag_renderer *diag_renderer_find(const struct diag_renderer *renderers,
					       const char *name);

/** The next finding to be shown, from `*index` on, which moves behind it; NULL after the last. */
const struct diag_finding *diag_report_next(const struct diag_report *report, size_t *index);

/** Iterate over the findings to be shown: root causes first. */
#define diag_report_foreach(report, finding)                                                       \
	for (size_t diag_i_ = 0; ((finding) = diag_report_next(report, &diag_i_));)

/**
 * Render, mask what the snapshot learnt to be secret, and return the bytes.
 *
 * @ret_text malloc'ed, the caller's
 *
 * Returns DIAG_OK, or LIMIT when the report would exceed DIAG_MAX_REPORT.
 */
int diag_report_render(const struct diag_renderer *renderer, const struct diag_report *report,
		       char **ret_text, struct diag_error *err);
