/*
 * `-o markdown`: for a comment on a pull or merge request. The first line is a comment by which a
 * later run finds its earlier one. GitHub takes 65,536 characters: what is more is counted.
 */
#include <string.h>

#include "report/escape.h"
#include "report/renderers.h"
#include "report/words.h"

enum { MAX_BYTES = 60000, MAX_EVIDENCE = 5 };

static const char *const signs[] = {
	[DIAG_SEVERITY_INFO] = "\u2139\ufe0f",
	[DIAG_SEVERITY_WARNING] = "\u26a0\ufe0f",
	[DIAG_SEVERITY_ERROR] = "\u274c",
};

static void put_headline(const struct diag_report *report, const struct diag_finding *finding,
			 struct diag_buf *out)
{
	struct diag_buf path diag_buf_auto = { 0 };

	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	diag_buf_printf(out, "- %s **", signs[finding->severity]);
	diag_escape_markdown(out, finding->message);
	diag_buf_puts(out, "**  \n  ");
	if (diag_report_path(report, finding, &path)) {
		diag_buf_printf(&path, ":%d", finding->where.line);
		diag_escape_markdown_code(out, diag_buf_str(&path));
		diag_buf_puts(out, " \u00b7 ");
	}
	diag_buf_clear(&path);
	diag_ref_name(finding->subject, &path);
	diag_escape_markdown_code(out, diag_buf_str(&path));
	diag_buf_puts(out, " \u00b7 ");
	diag_escape_markdown_code(out, finding->check);
	diag_buf_puts(out, "\n");
}

static void put_line(const char *line, size_t length, struct diag_buf *out)
{
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_REPORT);
	diag_buf_add(&text, line, length);
	diag_buf_puts(out, "    - ");
	diag_escape_markdown(out, diag_buf_str(&text));
	diag_buf_putc(out, '\n');
}

static void put_evidence(const struct diag_finding *finding, struct diag_buf *out)
{
	struct diag_buf text diag_buf_auto = { 0 };
	const char *line;

	diag_buf_init(&text, DIAG_MAX_REPORT);
	diag_report_evidence(finding, MAX_EVIDENCE, &text);
	for (line = diag_buf_str(&text); *line;) {
		size_t length = strcspn(line, "\n");

		if (length)
			put_line(line, length, out);
		line += length + (line[length] == '\n');
	}
	if (finding->impact)
		put_line(finding->impact, strlen(finding->impact), out);
}

static void put_remedies(const struct diag_finding *finding, struct diag_buf *out)
{
	for (size_t i = 0; i < finding->remedy_count; i++) {
		diag_buf_puts(out, "    - Next: ");
		if (finding->remedies[i].type == DIAG_REMEDY_COMMAND)
			diag_escape_markdown_code(out, finding->remedies[i].text);
		else
			diag_escape_markdown(out, finding->remedies[i].text);
		diag_buf_putc(out, '\n');
	}
}

static void put_finding(const struct diag_report *report, const struct diag_finding *finding,
			struct diag_buf *out)
{
	put_headline(report, finding, out);
	put_evidence(finding, out);
	if (finding->effect_count)
		diag_buf_printf(out, "    - %zu consequence%s\n", finding->effect_count,
				finding->effect_count == 1 ? "" : "s");
	put_remedies(finding, out);
}

static void put_problems(const struct diag_report *report, struct diag_buf *out)
{
	size_t count;
	const struct diag_problem *problems = diag_snapshot_problems(report->snapshot, &count);

	for (size_t i = 0; i < count && out->length < MAX_BYTES; i++) {
		diag_buf_puts(out, "- \u2753 ");
		diag_escape_markdown_code(out, problems[i].file);
		diag_buf_printf(out, " line %d: ", problems[i].line);
		diag_escape_markdown(out, problems[i].message);
		diag_buf_putc(out, '\n');
	}
}

void diag_render_markdown(const struct diag_report *report, struct diag_buf *out)
{
	const struct diag_finding *finding;
	size_t left = 0;

	diag_buf_printf(out, "<!-- %s -->\n### %s: ", report->tool, report->tool);
	diag_report_summary(report, out);
	diag_buf_puts(out, "\n\n");
	diag_report_foreach(report, finding)
	{
		if (!finding->root)
			continue;
		if (out->length < MAX_BYTES)
			put_finding(report, finding, out);
		else
			left++;
	}
	if (left)
		diag_buf_printf(out, "- and %zu more\n", left);
	put_problems(report, out);
	if (report->verdict)
		diag_buf_printf(out, "\nExit status %d: %s.\n", report->status, report->verdict);
}
