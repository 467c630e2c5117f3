/*
 * `-o tap`: the Test Anything Protocol, version 14, which consumers of version 13 read, too: a
 * point as in points.h, with the finding as a YAML block. Source: testanything.org.
 */
#include <stdlib.h>

#include "report/escape.h"
#include "report/points.h"
#include "report/renderers.h"
#include "report/words.h"

static void put_field(const char *key, const char *value, struct diag_buf *out)
{
	diag_buf_printf(out, "  %s: ", key);
	diag_escape_yaml(out, value);
	diag_buf_putc(out, '\n');
}

static void put_finding(const struct diag_report *report, const struct diag_finding *finding,
			struct diag_buf *out)
{
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_REPORT);
	diag_buf_puts(out, "  ---\n");
	put_field("severity", diag_severity_names[finding->severity], out);
	diag_ref_name(finding->subject, &text);
	put_field("object", diag_buf_str(&text), out);
	diag_buf_clear(&text);
	if (diag_report_path(report, finding, &text)) {
		put_field("file", diag_buf_str(&text), out);
		diag_buf_printf(out, "  line: %d\n", finding->where.line);
	}
	diag_buf_clear(&text);
	diag_report_explain(finding, &text);
	put_field("message", diag_buf_str(&text), out);
	put_field("fingerprint", finding->fingerprint, out);
	diag_buf_puts(out, "  ...\n");
}

static void put_reason(const char *reason, struct diag_buf *out)
{
	diag_buf_puts(out, "  ---\n");
	put_field("message", reason ? reason : "", out);
	diag_buf_puts(out, "  ...\n");
}

static void put_point(const struct diag_report *report, const struct diag_point *point,
		      size_t number, struct diag_buf *out)
{
	bool ok = point->outcome == DIAG_POINT_PASS || point->outcome == DIAG_POINT_SKIP;

	diag_buf_printf(out, "%s %zu - ", ok ? "ok" : "not ok", number);
	diag_escape_tap(out, point->check);
	diag_buf_puts(out, ": ");
	diag_escape_tap(out, point->title);
	if (point->outcome == DIAG_POINT_SKIP) {
		diag_buf_puts(out, " # SKIP ");
		diag_escape_tap(out, point->reason ? point->reason : "");
	}
	diag_buf_putc(out, '\n');
	if (point->finding)
		put_finding(report, point->finding, out);
	else if (point->outcome == DIAG_POINT_ERROR)
		put_reason(point->reason, out);
}

void diag_render_tap(const struct diag_report *report, struct diag_buf *out)
{
	size_t count;
	struct diag_point *points = diag_report_points(report, &count);

	diag_buf_printf(out, "TAP version 14\n1..%zu%s\n", count, count ? "" : " # SKIP no checks");
	for (size_t i = 0; i < count; i++)
		put_point(report, &points[i], i + 1, out);
	free(points);
}
