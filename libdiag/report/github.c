/*
 * `-o github`: workflow commands, which GitHub Actions shows as annotations at the line. Source:
 * GitHub documentation, "Workflow commands for GitHub Actions". GitHub shows the first ten of a
 * severity and step: root causes come first.
 */
#include <string.h>

#include "report/escape.h"
#include "report/renderers.h"
#include "report/words.h"

static const char *const commands[] = {
	[DIAG_SEVERITY_INFO] = "notice",
	[DIAG_SEVERITY_WARNING] = "warning",
	[DIAG_SEVERITY_ERROR] = "error",
};

static void put_place(const struct diag_report *report, const struct diag_finding *finding,
		      struct diag_buf *out)
{
	struct diag_buf path diag_buf_auto = { 0 };

	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	if (!diag_report_path(report, finding, &path))
		return;
	diag_buf_puts(out, "file=");
	diag_escape_github_property(out, diag_buf_str(&path));
	if (finding->where.line > 0)
		diag_buf_printf(out, ",line=%d", finding->where.line);
	if (finding->where.line > 0 && finding->where.column > 0)
		diag_buf_printf(out, ",col=%d", finding->where.column);
	diag_buf_putc(out, ',');
}

static void put_finding(const struct diag_report *report, const struct diag_finding *finding,
			struct diag_buf *out)
{
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_REPORT);
	diag_report_explain(finding, &text);
	while (text.length && text.data[text.length - 1] == '\n')
		text.data[--text.length] = '\0';
	diag_buf_printf(out, "::%s ", commands[finding->severity]);
	put_place(report, finding, out);
	diag_buf_puts(out, "title=");
	diag_escape_github_property(out, finding->check);
	diag_buf_puts(out, finding->root ? "::" : " (consequence)::");
	diag_escape_github(out, diag_buf_str(&text));
	diag_buf_putc(out, '\n');
}

static void put_problems(const struct diag_report *report, struct diag_buf *out)
{
	size_t count;
	const struct diag_problem *problems = diag_snapshot_problems(report->snapshot, &count);

	for (size_t i = 0; i < count; i++) {
		diag_buf_puts(out, "::error title=input,file=");
		diag_escape_github_property(out, problems[i].file);
		if (problems[i].line > 0)
			diag_buf_printf(out, ",line=%d", problems[i].line);
		diag_buf_puts(out, "::");
		diag_escape_github(out, problems[i].message);
		diag_buf_putc(out, '\n');
	}
}

void diag_render_github(const struct diag_report *report, struct diag_buf *out)
{
	const struct diag_finding *finding;

	diag_report_foreach(report, finding) put_finding(report, finding, out);
	put_problems(report, out);
	diag_report_summary(report, out);
	diag_buf_printf(out, "; exit status %d\n", report->status);
}
