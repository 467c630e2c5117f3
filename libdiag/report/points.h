/*
 * A run as a list of test points, for formats that know nothing but tests (JUnit, TAP): one point
 * for each finding, one for each check that passed or was skipped, one for each thing that could
 * not be read. A point has failed or is an error exactly when the exit status is not 0.
 */
#pragma once

#include "report/report.h"

enum diag_point_outcome {
	DIAG_POINT_PASS,
	DIAG_POINT_SKIP,
	DIAG_POINT_FAIL,  /* a finding at or above the threshold */
	DIAG_POINT_ERROR, /* data needed for the verdict was missing */
};

struct diag_point {
	enum diag_point_outcome outcome;
	const char *check;                  /* id of the check, or "input" */
	const char *title;                  /* what was tested */
	const char *reason;                 /* of skip and error, or NULL */
	const struct diag_finding *finding; /* or NULL */
};

/**
 * The points of a report, grouped by check in the order of the run.
 *
 * @ret_count number of points
 *
 * Returns an array that the caller frees; its strings are borrowed from the report.
 */
struct diag_point *diag_report_points(const struct diag_report *report, size_t *ret_count);
