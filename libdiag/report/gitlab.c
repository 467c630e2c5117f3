/*
 * `-o gitlab`: GitLab's code quality report (an artifact of type `codequality`), one array of
 * issues. Source: GitLab documentation, "Code Quality report format". A path is required: for what
 * is in no file it is made of the object's name.
 */
#include <jansson.h>

#include "report/json_parts.h"
#include "report/renderers.h"
#include "report/words.h"

static const char *const severities[] = {
	[DIAG_SEVERITY_INFO] = "info",
	[DIAG_SEVERITY_WARNING] = "minor",
	[DIAG_SEVERITY_ERROR] = "major",
};

/* A root cause is what has to be mended. */
static const char *severity_of(const struct diag_finding *finding)
{
	if (finding->severity == DIAG_SEVERITY_ERROR && finding->root)
		return "critical";
	return severities[finding->severity];
}

static json_t *location_json(const struct diag_report *report, const struct diag_finding *finding)
{
	struct diag_buf path diag_buf_auto = { 0 };
	int line = finding->where.line > 0 ? finding->where.line : 1;

	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	if (!diag_report_path(report, finding, &path)) {
		diag_buf_puts(&path, "cluster/");
		diag_ref_name(finding->subject, &path);
	}
	return json_pack("{s:o,s:{s:i}}", "path", diag_report_json_clean(diag_buf_str(&path)),
			 "lines", "begin", line);
}

static json_t *issue_json(const struct diag_report *report, const struct diag_finding *finding)
{
	struct diag_buf body diag_buf_auto = { 0 };
	json_t *issue = json_object();

	diag_buf_init(&body, DIAG_MAX_REPORT);
	diag_report_explain(finding, &body);
	json_object_set_new(issue, "type", json_string("issue"));
	json_object_set_new(issue, "check_name", diag_report_json_clean(finding->check));
	json_object_set_new(issue, "description", diag_report_json_clean(finding->message));
	json_object_set_new(
		issue, "content",
		json_pack("{s:o}", "body", diag_report_json_clean(diag_buf_str(&body))));
	json_object_set_new(issue, "fingerprint", diag_report_json_clean(finding->fingerprint));
	json_object_set_new(issue, "severity", json_string(severity_of(finding)));
	json_object_set_new(issue, "location", location_json(report, finding));
	return issue;
}

void diag_render_gitlab(const struct diag_report *report, struct diag_buf *out)
{
	json_auto_t *issues = json_array();
	const struct diag_finding *finding;

	diag_report_foreach(report, finding)
		json_array_append_new(issues, issue_json(report, finding));
	diag_report_json_write(issues, JSON_INDENT(2), out);
}
