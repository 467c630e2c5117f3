#include "report/words.h"

#include <string.h>

#include "base/limits.h"
#include "base/str.h"

/* The part of `path` below `folder`, or NULL. */
static const char *below(const char *path, const char *folder)
{
	size_t length = folder ? strlen(folder) : 0;

	while (length && folder[length - 1] == '/')
		length--;
	if (!folder || strncmp(path, folder, length) != 0 || path[length] != '/')
		return NULL;
	return path + length + 1;
}

static const char *without_dots(const char *path)
{
	while (diag_str_starts(path, "./")) {
		path += 2;
		path += strspn(path, "/");
	}
	return path;
}

bool diag_report_path(const struct diag_report *report, const struct diag_finding *finding,
		      struct diag_buf *out)
{
	const char *path = finding->where.file, *inside;

	if (!path || strcmp(path, "-") == 0)
		return false;
	if (*path == '/') {
		inside = below(path, report->root ? report->root : report->folder);
		diag_buf_puts(out, inside ? inside : path);
		return true;
	}
	path = without_dots(path);
	inside = report->root && report->folder ? below(report->folder, report->root) : NULL;
	if (inside && !diag_str_starts(path, "../"))
		diag_buf_printf(out, "%s/", inside);
	diag_buf_puts(out, path);
	return true;
}

static void put_evidence(const struct diag_evidence *e, struct diag_buf *out)
{
	const char *path = e->path ? e->path : "";

	switch (e->type) {
	case DIAG_EVIDENCE_FIELD:
		diag_buf_printf(out, "%s %s %s: %s\n", e->object.kind, e->object.name, path,
				e->value);
		return;
	case DIAG_EVIDENCE_EVENT:
		diag_buf_printf(out, "event %s on %s %s: %s\n", path, e->object.kind,
				e->object.name, e->value);
		return;
	case DIAG_EVIDENCE_LOG:
		diag_buf_printf(out, "log of %s in %s: %s\n", path, e->object.name, e->value);
		return;
	case DIAG_EVIDENCE_NOTE:
		diag_buf_printf(out, "%s\n", e->value);
		return;
	}
}

void diag_report_evidence(const struct diag_finding *finding, size_t most, struct diag_buf *out)
{
	for (size_t i = 0; i < finding->evidence_count && i < most; i++)
		put_evidence(&finding->evidence[i], out);
}

void diag_report_explain(const struct diag_finding *finding, struct diag_buf *out)
{
	diag_buf_printf(out, "%s\n", finding->message);
	diag_ref_name(finding->subject, out);
	diag_buf_putc(out, '\n');
	diag_report_evidence(finding, finding->evidence_count, out);
	if (finding->impact)
		diag_buf_printf(out, "Impact: %s\n", finding->impact);
	for (size_t i = 0; i < finding->explained_by_count; i++)
		diag_buf_printf(out, "Follows from: %s\n", finding->explained_by[i]->message);
	for (size_t i = 0; i < finding->remedy_count; i++)
		diag_buf_printf(out, "Next: %s\n", finding->remedies[i].text);
}

struct diag_report_counts diag_report_count(const struct diag_report *report)
{
	struct diag_report_counts counts = { 0 };
	const struct diag_finding *finding;

	diag_report_foreach(report, finding)
	{
		counts.all[finding->severity]++;
		if (finding->root)
			counts.roots[finding->severity]++;
		else
			counts.consequences++;
	}
	return counts;
}

void diag_report_summary(const struct diag_report *report, struct diag_buf *out)
{
	struct diag_report_counts counts = diag_report_count(report);
	const struct {
		size_t count;
		const char *name;
	} parts[] = {
		{ counts.roots[DIAG_SEVERITY_ERROR], "problem" },
		{ counts.roots[DIAG_SEVERITY_WARNING], "warning" },
		{ counts.roots[DIAG_SEVERITY_INFO], "note" },
		{ counts.consequences, "consequence" },
	};
	const char *comma = "";

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(parts); i++) {
		if (!parts[i].count)
			continue;
		diag_buf_printf(out, "%s%zu %s%s", comma, parts[i].count, parts[i].name,
				parts[i].count == 1 ? "" : "s");
		comma = ", ";
	}
	if (*comma)
		return;
	diag_buf_puts(out, diag_run_is_incomplete(report->run)
				   ? "no problems found in what could be read"
				   : "no problems found");
}
