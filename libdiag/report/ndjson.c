/*
 * `-o ndjson`: one JSON object a line, for what reads a stream: `type` says what it is, the rest is
 * as in `-o json`. The last line is the summary: without it the output is not complete.
 */
#include <jansson.h>

#include "report/json_parts.h"
#include "report/renderers.h"
#include "report/words.h"

static void line(json_t *object, const char *type, struct diag_buf *out)
{
	json_object_set_new(object, "type", diag_report_json_text(type));
	diag_report_json_write(object, JSON_COMPACT, out);
	json_decref(object);
}

static void put_results(const struct diag_report *report, struct diag_buf *out)
{
	size_t count;
	const struct diag_result *results = diag_run_results(report->run, &count);

	for (size_t i = 0; i < count; i++)
		line(diag_report_json_result(&results[i]), "check", out);
}

static void put_progress(const struct diag_report *report, struct diag_buf *out)
{
	size_t count;
	const struct diag_progress *progress =
		diag_findings_progress(diag_run_findings(report->run), &count);

	for (size_t i = 0; i < count; i++)
		line(diag_report_json_progress(&progress[i]), "progress", out);
}

static void put_problems(const struct diag_report *report, struct diag_buf *out)
{
	size_t count;
	const struct diag_problem *problems = diag_snapshot_problems(report->snapshot, &count);

	for (size_t i = 0; i < count; i++)
		line(diag_report_json_problem(&problems[i]), "problem", out);
}

static json_t *summary(const struct diag_report *report)
{
	struct diag_report_counts counts = diag_report_count(report);
	json_t *object = json_object(), *findings = json_object();

	for (size_t i = 0; diag_severity_names[i]; i++)
		json_object_set_new(findings, diag_severity_names[i],
				    json_integer((json_int_t)counts.all[i]));
	json_object_set_new(object, "findings", findings);
	json_object_set_new(object, "complete", json_boolean(!diag_run_is_incomplete(report->run)));
	json_object_set_new(object, "status", json_integer(report->status));
	return object;
}

void diag_render_ndjson(const struct diag_report *report, struct diag_buf *out)
{
	const struct diag_finding *finding;
	json_t *run = json_object();

	json_object_set_new(run, "schemaVersion", json_integer(1));
	json_object_set_new(run, "tool", diag_report_json_tool(report));
	json_object_set_new(run, "source", diag_report_json_source(report));
	line(run, "run", out);
	diag_report_foreach(report, finding)
		line(diag_report_json_finding(finding), "finding", out);
	put_progress(report, out);
	put_results(report, out);
	put_problems(report, out);
	line(summary(report), "summary", out);
}
