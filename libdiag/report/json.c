/*
 * `-o json`: exactly one document, docs/schema/findings.schema.json. Fields are only ever added; a
 * change of meaning raises schemaVersion.
 */
#include <jansson.h>

#include "report/json_parts.h"
#include "report/renderers.h"

static json_t *findings_json(const struct diag_report *report)
{
	json_t *array = json_array();
	const struct diag_finding *finding;

	diag_report_foreach(report, finding)
		json_array_append_new(array, diag_report_json_finding(finding));
	return array;
}

/* Those that do not count: in the baseline, or suppressed. */
static json_t *known_json(const struct diag_report *report)
{
	json_t *array = json_array();
	size_t count;
	struct diag_finding *const *findings =
		diag_findings_all(diag_run_findings(report->run), &count);

	for (size_t i = 0; i < count; i++)
		if (findings[i]->standing != DIAG_STANDING_NEW)
			json_array_append_new(array, diag_report_json_finding(findings[i]));
	return array;
}

static json_t *results_json(const struct diag_run *run)
{
	json_t *array = json_array();
	size_t count;
	const struct diag_result *results = diag_run_results(run, &count);

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, diag_report_json_result(&results[i]));
	return array;
}

static json_t *progress_json(const struct diag_run *run)
{
	json_t *array = json_array();
	size_t count;
	const struct diag_progress *progress =
		diag_findings_progress(diag_run_findings(run), &count);

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, diag_report_json_progress(&progress[i]));
	return array;
}

static json_t *problems_json(const struct diag_snapshot *snapshot)
{
	json_t *array = json_array();
	size_t count;
	const struct diag_problem *problems = diag_snapshot_problems(snapshot, &count);

	for (size_t i = 0; i < count; i++)
		json_array_append_new(array, diag_report_json_problem(&problems[i]));
	return array;
}

void diag_render_json(const struct diag_report *report, struct diag_buf *out)
{
	json_auto_t *document = json_object();

	json_object_set_new(document, "schemaVersion", json_integer(1));
	json_object_set_new(document, "tool", diag_report_json_tool(report));
	json_object_set_new(document, "source", diag_report_json_source(report));
	json_object_set_new(document, "complete",
			    json_boolean(!diag_run_is_incomplete(report->run)));
	json_object_set_new(document, "findings", findings_json(report));
	json_object_set_new(document, "known", known_json(report));
	json_object_set_new(document, "mended",
			    report->mended ? json_deep_copy(report->mended) : json_array());
	json_object_set_new(document, "inProgress", progress_json(report->run));
	json_object_set_new(document, "checks", results_json(report->run));
	json_object_set_new(document, "problems", problems_json(report->snapshot));
	diag_report_json_write(document, JSON_INDENT(2), out);
}
