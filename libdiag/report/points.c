#include "report/points.h"

#include <string.h>

#include "base/alloc.h"

struct points {
	struct diag_point *items;
	size_t count, capacity, bad;
};

static void add(struct points *points, struct diag_point point)
{
	points->items =
		diag_xgrow(points->items, points->count, &points->capacity, sizeof(*points->items));
	points->items[points->count++] = point;
	points->bad += point.outcome == DIAG_POINT_FAIL || point.outcome == DIAG_POINT_ERROR;
}

static void add_finding(struct points *points, const struct diag_report *report,
			const struct diag_finding *finding)
{
	bool fails = finding->severity >= report->policy->fail_on;

	add(points, (struct diag_point){
			    .outcome = fails ? DIAG_POINT_FAIL : DIAG_POINT_PASS,
			    .check = finding->check,
			    .title = finding->message,
			    .finding = finding,
		    });
}

static size_t add_findings(struct points *points, const struct diag_report *report,
			   const char *check)
{
	size_t before = points->count;
	const struct diag_finding *finding;

	diag_report_foreach(report, finding) if (strcmp(finding->check, check) == 0)
		add_finding(points, report, finding);
	return points->count - before;
}

/* A check that found something on part of the data may have missed something on the rest. */
static void add_result(struct points *points, const struct diag_report *report,
		       const struct diag_result *result)
{
	struct diag_point point = {
		.check = result->check->id,
		.title = result->check->title,
		.reason = result->reason,
	};
	size_t findings =
		result->finding_count ? add_findings(points, report, result->check->id) : 0;

	if (result->incomplete)
		point.outcome = DIAG_POINT_ERROR;
	else if (result->status == DIAG_RESULT_SKIPPED)
		point.outcome = DIAG_POINT_SKIP;
	if (!findings || point.outcome)
		add(points, point);
}

static bool is_result(const struct diag_result *results, size_t count, const char *check)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(results[i].check->id, check) == 0)
			return true;
	return false;
}

struct diag_point *diag_report_points(const struct diag_report *report, size_t *ret_count)
{
	struct points points = { 0 };
	size_t results_count, problems_count;
	const struct diag_result *results = diag_run_results(report->run, &results_count);
	const struct diag_problem *problems =
		diag_snapshot_problems(report->snapshot, &problems_count);
	const struct diag_finding *finding;

	for (size_t i = 0; i < results_count; i++)
		add_result(&points, report, &results[i]);
	diag_report_foreach(report, finding) /* such as those of the policy */
		if (!is_result(results, results_count, finding->check))
			add_finding(&points, report, finding);
	for (size_t i = 0; i < problems_count; i++)
		add(&points, (struct diag_point){ DIAG_POINT_ERROR, "input", problems[i].file,
						  problems[i].message, NULL });
	if (report->status && !points.bad)
		add(&points, (struct diag_point){ DIAG_POINT_ERROR, "input", "the verdict",
						  report->verdict, NULL });
	*ret_count = points.count;
	return points.items;
}
