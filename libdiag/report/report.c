#include "report/report.h"

#include "base/limits.h"
#include "base/str.h"
#include "report/renderers.h"

const struct diag_renderer diag_renderers[] = {
	{ "text", "for people: causes first, consequences folded", diag_render_text },
	{ "short", "one line a finding", diag_render_short },
	{ "json", "one document, docs/schema/findings.schema.json", diag_render_json },
	{ "ndjson", "a stream of the same objects, one a line", diag_render_ndjson },
	{ "sarif", "SARIF 2.1.0, for code scanning", diag_render_sarif },
	{ "junit", "JUnit XML, a test case for each finding and check", diag_render_junit },
	{ "tap", "Test Anything Protocol 14", diag_render_tap },
	{ "markdown", "for a comment on a pull request", diag_render_markdown },
	{ "html", "one file for a browser or a printer", diag_render_html },
	{ "github", "workflow commands of GitHub Actions", diag_render_github },
	{ "gitlab", "GitLab's code quality report", diag_render_gitlab },
	{ "prometheus", "metrics for a textfile collector", diag_render_prometheus },
	{ NULL, NULL, NULL },
};

const struct diag_renderer *diag_renderer_find(const struct diag_renderer *renderers,
					       const char *name)
{
	for (const struct diag_renderer *renderer = renderers; renderer->name; renderer++)
		if (diag_str_eq(renderer->name, name))
			return renderer;
	return NULL;
}

const struct diag_finding *diag_report_next(const struct diag_report *report, size_t *index)
{
	size_t count;
	struct diag_finding *const *findings =
		diag_findings_all(diag_run_findings(report->run), &count);

	while (*index < count) {
		const struct diag_finding *finding = findings[(*index)++];

		if (finding->standing == DIAG_STANDING_NEW &&
		    finding->severity >= report->policy->show)
			return finding;
	}
	return NULL;
}

int diag_report_render(const struct diag_renderer *renderer, const struct diag_report *report,
		       char **ret_text, struct diag_error *err)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, DIAG_MAX_REPORT);
	renderer->render(report, &out);
	if (diag_buf_failed(&out))
		return diag_error_set(err, DIAG_E_LIMIT,
				      "the report is larger than %zu bytes; narrow it with -n, "
				      "--only or --show",
				      (size_t)DIAG_MAX_REPORT);
	*ret_text = diag_snapshot_redact(report->snapshot, diag_buf_str(&out));
	return DIAG_OK;
}
