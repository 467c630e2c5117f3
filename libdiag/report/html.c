/*
 * `-o html`: one file that needs nothing else, no script and no network; light and dark as the
 * reader's system, and fit for print. Everything that comes from outside is escaped, and the page
 * forbids whatever could be loaded or run all the same.
 */
#include <string.h>

#include "base/timestamp.h"
#include "report/escape.h"
#include "report/renderers.h"
#include "report/words.h"

static const char style[] =
	":root{color-scheme:light dark;--text:#1d2329;--soft:#59636e;--back:#fff;--card:#f6f8fa;"
	"--line:#d1d9e0;--error:#b3261e;--warning:#8a5a00;--info:#0b5cad}\n"
	"@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--soft:#9198a1;--back:#0d1117;"
	"--card:#151b23;--line:#3d444d;--error:#ff8a80;--warning:#e3b341;--info:#79b8ff}}\n"
	"body{margin:2rem auto;max-width:60rem;padding:0 1rem;color:var(--text);"
	"background:var(--back);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}\n"
	"h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}\n"
	".soft{color:var(--soft)}code,pre{font:.875rem/1.5 ui-monospace,monospace}\n"
	"details{margin:.75rem 0;padding:.5rem 1rem;background:var(--card);"
	"border:1px solid var(--line);border-left:.3rem solid var(--line);border-radius:.3rem}\n"
	"details.error{border-left-color:var(--error)}"
	"details.warning{border-left-color:var(--warning)}"
	"details.info{border-left-color:var(--info)}\n"
	"summary{cursor:pointer;font-weight:600}pre{white-space:pre-wrap;margin:.5rem 0}\n"
	"table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left;"
	"vertical-align:top;border-bottom:1px solid var(--line)}\n"
	"@media print{body{margin:0;max-width:none;font-size:.85rem}"
	"details{break-inside:avoid;background:none}}\n";

static void element(struct diag_buf *out, const char *name, const char *text)
{
	diag_buf_printf(out, "<%s>", name);
	diag_escape_xml(out, text);
	diag_buf_printf(out, "</%s>", name);
}

static void put_head(const struct diag_report *report, struct diag_buf *out)
{
	diag_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
			   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
			   "'none'; style-src 'unsafe-inline'\">\n"
			   "<meta name=\"viewport\" content=\"width=device-width\">\n");
	element(out, "title", report->tool);
	diag_buf_printf(out, "\n<style>\n%s</style>\n</head>\n<body>\n<h1>", style);
	diag_report_summary(report, out);
	diag_buf_puts(out, "</h1>\n");
}

static void put_fact(struct diag_buf *out, const char *name, const char *value)
{
	if (!value)
		return;
	diag_buf_puts(out, "<tr>");
	element(out, "th", name);
	element(out, "td", value);
	diag_buf_puts(out, "</tr>\n");
}

static void put_namespaces(const struct diag_report *report, struct diag_buf *out)
{
	struct diag_buf names diag_buf_auto = { 0 };
	size_t count;
	const char *const *list = diag_snapshot_namespaces(report->snapshot, &count);

	diag_buf_init(&names, DIAG_MAX_REPORT);
	for (size_t i = 0; i < count; i++)
		diag_buf_printf(&names, "%s%s", i ? ", " : "", list[i]);
	put_fact(out, "Namespaces", diag_buf_str(&names));
}

static void put_source(const struct diag_report *report, struct diag_buf *out)
{
	const struct diag_snapshot *snapshot = report->snapshot;
	char time[32];

	diag_buf_puts(out, "<table>\n");
	put_fact(out, "Source", diag_snapshot_fact(snapshot, "origin"));
	put_fact(out, "Context", diag_snapshot_fact(snapshot, "context"));
	if (diag_snapshot_time(snapshot) != DIAG_TIME_NONE)
		put_fact(out, "Taken",
			 diag_time_format(diag_snapshot_time(snapshot), time, sizeof(time)));
	put_fact(out, "Kubernetes", diag_snapshot_fact(snapshot, "server-version"));
	put_fact(out, "Operator", diag_run_version(report->run));
	put_namespaces(report, out);
	put_fact(out, "Verdict", report->verdict);
	diag_buf_puts(out, "</table>\n");
}

static void put_finding(const struct diag_report *report, const struct diag_finding *finding,
			struct diag_buf *out)
{
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_REPORT);
	diag_buf_printf(out, "<details id=\"%s\" class=\"%s\"%s><summary>",
			finding->id ? finding->id : "", diag_severity_names[finding->severity],
			finding->root ? " open" : "");
	diag_buf_printf(out, "%s: ", diag_severity_names[finding->severity]);
	diag_escape_xml(out, finding->message);
	diag_buf_puts(out, "</summary>\n<p class=\"soft\"><code>");
	diag_escape_xml(out, finding->check);
	diag_buf_puts(out, "</code> ");
	if (diag_report_path(report, finding, &text)) {
		diag_buf_printf(&text, ":%d", finding->where.line);
		element(out, "code", diag_buf_str(&text));
	}
	diag_buf_puts(out, "</p>\n<pre>");
	diag_buf_clear(&text);
	diag_report_explain(finding, &text);
	diag_escape_xml(out, diag_buf_str(&text));
	diag_buf_puts(out, "</pre>\n</details>\n");
}

static void put_findings(const struct diag_report *report, bool root, const char *title,
			 struct diag_buf *out)
{
	const struct diag_finding *finding;
	bool any = false;

	diag_report_foreach(report, finding)
	{
		if (finding->root != root)
			continue;
		if (!any)
			element(out, "h2", title);
		any = true;
		put_finding(report, finding, out);
	}
}

static void put_problems(const struct diag_report *report, struct diag_buf *out)
{
	size_t count;
	const struct diag_problem *problems = diag_snapshot_problems(report->snapshot, &count);

	if (!count)
		return;
	diag_buf_puts(out, "<h2>Could not be read</h2>\n<table>\n");
	for (size_t i = 0; i < count; i++)
		put_fact(out, problems[i].file, problems[i].message);
	diag_buf_puts(out, "</table>\n");
}

static void put_results(const struct diag_report *report, struct diag_buf *out)
{
	size_t count;
	const struct diag_result *results = diag_run_results(report->run, &count);

	diag_buf_printf(out, "<details><summary>%zu checks</summary>\n<table>\n", count);
	for (size_t i = 0; i < count; i++) {
		diag_buf_puts(out, "<tr>");
		element(out, "td", results[i].check->id);
		element(out, "td", diag_result_names[results[i].status]);
		element(out, "td", results[i].reason ? results[i].reason : results[i].check->title);
		diag_buf_puts(out, "</tr>\n");
	}
	diag_buf_puts(out, "</table>\n</details>\n");
}

void diag_render_html(const struct diag_report *report, struct diag_buf *out)
{
	put_head(report, out);
	put_source(report, out);
	put_findings(report, true, "Root causes", out);
	put_findings(report, false, "Consequences", out);
	put_problems(report, out);
	put_results(report, out);
	diag_buf_puts(out, "<p class=\"soft\">");
	diag_escape_xml(out, report->tool);
	diag_buf_putc(out, ' ');
	diag_escape_xml(out, report->version);
	diag_buf_puts(out, "</p>\n</body>\n</html>\n");
}
