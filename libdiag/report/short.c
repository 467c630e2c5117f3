/* `-o short`: one line a finding, for grep: severity, check, object, file:line, message. */
#include "base/str.h"
#include "report/renderers.h"
#include "text/clean.h"

void diag_render_short_line(const struct diag_finding *finding, struct diag_buf *out)
{
	diag_buf_printf(out, "%s%s %s ", diag_severity_names[finding->severity],
			finding->root ? "" : " (consequence)", finding->check);
	if (finding->subject.namespace_) {
		diag_clean(out, finding->subject.namespace_);
		diag_buf_putc(out, '/');
	}
	diag_clean(out, finding->subject.kind);
	diag_buf_putc(out, '/');
	diag_clean(out, finding->subject.name);
	if (finding->where.file) {
		diag_buf_putc(out, ' ');
		diag_clean(out, finding->where.file);
		diag_buf_printf(out, ":%d", finding->where.line);
	}
	diag_buf_puts(out, ": ");
	diag_clean(out, finding->message);
	diag_buf_putc(out, '\n');
}

void diag_render_short(const struct diag_report *report, struct diag_buf *out)
{
	const struct diag_finding *finding;

	diag_report_foreach(report, finding) diag_render_short_line(finding, out);
}
