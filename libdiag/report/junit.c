/*
 * `-o junit`: JUnit XML as Jenkins, GitLab and others read it (the schema of Jenkins' xunit plugin,
 * which is the strictest of them). A suite an area, a test case a point: see points.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/timestamp.h"
#include "report/escape.h"
#include "report/points.h"
#include "report/renderers.h"
#include "report/words.h"

static size_t area_length(const struct diag_point *point)
{
	return strcspn(point->check, ".");
}

static bool same_area(const struct diag_point *a, const struct diag_point *b)
{
	return area_length(a) == area_length(b) && memcmp(a->check, b->check, area_length(a)) == 0;
}

static void attribute(struct diag_buf *out, const char *name, const char *value)
{
	diag_buf_printf(out, " %s=\"", name);
	diag_escape_xml(out, value);
	diag_buf_putc(out, '"');
}

static void put_counts(const struct diag_point *points, size_t count, bool with_skipped,
		       struct diag_buf *out)
{
	size_t outcomes[4] = { 0 };

	for (size_t i = 0; i < count; i++)
		outcomes[points[i].outcome]++;
	diag_buf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", count,
			outcomes[DIAG_POINT_FAIL], outcomes[DIAG_POINT_ERROR]);
	if (with_skipped)
		diag_buf_printf(out, " skipped=\"%zu\"", outcomes[DIAG_POINT_SKIP]);
	diag_buf_puts(out, " time=\"0\"");
}

static void put_place(const struct diag_report *report, const struct diag_finding *finding,
		      struct diag_buf *text)
{
	if (diag_report_path(report, finding, text))
		diag_buf_printf(text, ":%d\n", finding->where.line);
}

/* What a finding says: as the failure, or as output of a case that passes below the threshold. */
static void put_finding(const struct diag_report *report, const struct diag_point *point,
			struct diag_buf *out)
{
	const struct diag_finding *finding = point->finding;
	const char *element = point->outcome == DIAG_POINT_FAIL ? "failure" : "system-out";
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_REPORT);
	put_place(report, finding, &text);
	diag_report_explain(finding, &text);
	diag_buf_printf(out, "      <%s", element);
	if (point->outcome == DIAG_POINT_FAIL) {
		attribute(out, "type", diag_severity_names[finding->severity]);
		attribute(out, "message", finding->message);
	}
	diag_buf_putc(out, '>');
	diag_escape_xml(out, diag_buf_str(&text));
	diag_buf_printf(out, "</%s>\n", element);
}

static void put_reason(const struct diag_point *point, struct diag_buf *out)
{
	const char *element = point->outcome == DIAG_POINT_SKIP ? "skipped" : "error";

	diag_buf_printf(out, "      <%s", element);
	attribute(out, "message", point->reason ? point->reason : "");
	diag_buf_puts(out, "/>\n");
}

static void put_case(const struct diag_report *report, const struct diag_point *point,
		     struct diag_buf *out)
{
	struct diag_buf name diag_buf_auto = { 0 };

	diag_buf_init(&name, DIAG_MAX_MESSAGE);
	if (point->finding) {
		diag_ref_name(point->finding->subject, &name);
		if (point->finding->discriminator)
			diag_buf_printf(&name, " (%s)", point->finding->discriminator);
	} else {
		diag_buf_puts(&name, point->title);
	}
	diag_buf_puts(out, "    <testcase");
	attribute(out, "classname", point->check);
	attribute(out, "name", diag_buf_str(&name));
	if (point->outcome == DIAG_POINT_PASS && !point->finding) {
		diag_buf_puts(out, "/>\n");
		return;
	}
	diag_buf_puts(out, ">\n");
	if (point->finding)
		put_finding(report, point, out);
	else
		put_reason(point, out);
	diag_buf_puts(out, "    </testcase>\n");
}

static void put_suite(const struct diag_report *report, const struct diag_point *points,
		      size_t count, struct diag_buf *out)
{
	char time[32];

	diag_buf_printf(out, "  <testsuite name=\"%.*s\"", (int)area_length(points), points->check);
	put_counts(points, count, true, out);
	if (diag_snapshot_time(report->snapshot) != DIAG_TIME_NONE)
		attribute(
			out, "timestamp",
			diag_time_format(diag_snapshot_time(report->snapshot), time, sizeof(time)));
	diag_buf_puts(out, ">\n");
	for (size_t i = 0; i < count; i++)
		put_case(report, &points[i], out);
	diag_buf_puts(out, "  </testsuite>\n");
}

void diag_render_junit(const struct diag_report *report, struct diag_buf *out)
{
	size_t count, end;
	struct diag_point *points = diag_report_points(report, &count);

	diag_buf_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
	attribute(out, "name", report->tool);
	put_counts(points, count, false, out);
	diag_buf_puts(out, ">\n");
	for (size_t start = 0; start < count; start = end) {
		for (end = start + 1; end < count && same_area(&points[start], &points[end]);)
			end++;
		put_suite(report, &points[start], end - start, out);
	}
	diag_buf_puts(out, "</testsuites>\n");
	free(points);
}
