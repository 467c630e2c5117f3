/*
 * `-o text`: for people. Causes first, each with its evidence, what follows from it folded beneath,
 * and the next command. Foreign text is cleaned before it is printed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/timestamp.h"
#include "report/renderers.h"
#include "text/clean.h"
#include "text/json.h"

struct printer {
	const struct diag_report *report;
	struct diag_buf *out;
	size_t width;
};

enum { INDENT = 4, MAX_EVIDENCE = 3, MAX_NAMED = 3 };

static const char *const colours[] = {
	[DIAG_SEVERITY_INFO] = "36",
	[DIAG_SEVERITY_WARNING] = "33",
	[DIAG_SEVERITY_ERROR] = "31",
};

static void colour(const struct printer *p, const char *code)
{
	if (p->report->style.colour)
		diag_buf_printf(p->out, "\033[%sm", code);
}

static const char *glyph(const struct printer *p, const char *utf8, const char *ascii)
{
	return p->report->style.utf8 ? utf8 : ascii;
}

/* Words of a cleaned text, wrapped and indented; the cursor stands at column `at`. */
static void wrap(const struct printer *p, const char *text, size_t at, size_t indent)
{
	struct diag_buf clean diag_buf_auto = { 0 };
	const char *word;

	diag_buf_init(&clean, 4 * strlen(text) + 1);
	diag_clean(&clean, text);
	word = diag_buf_str(&clean);
	while (*word) {
		size_t length = strcspn(word, " ");
		char piece[512];
		size_t columns;

		snprintf(piece, sizeof(piece), "%.*s", (int)DIAG_MIN(length, sizeof(piece) - 1),
			 word);
		columns = length < sizeof(piece) ? diag_clean_width(piece) : length;
		if (p->width && at > indent && at + 1 + columns > p->width) {
			diag_buf_printf(p->out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent && word != diag_buf_str(&clean)) {
			diag_buf_putc(p->out, ' ');
			at++;
		}
		diag_buf_add(p->out, word, length);
		at += columns;
		word += length;
		word += strspn(word, " ");
	}
	diag_buf_putc(p->out, '\n');
}

static void line(const struct printer *p, const char *lead, const char *format, ...)
	DIAG_PRINTF(3, 4);

/* One indented paragraph behind a lead of plain text, under which its later lines are aligned. */
static void line(const struct printer *p, const char *lead, const char *format, ...)
{
	size_t indent = INDENT + diag_clean_width(lead);
	struct diag_buf text diag_buf_auto = { 0 };
	va_list args;

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	va_start(args, format);
	diag_buf_vprintf(&text, format, args);
	va_end(args);
	diag_buf_printf(p->out, "%*s%s", INDENT, "", lead);
	wrap(p, diag_buf_str(&text), indent, *lead ? indent : indent + 2);
}

static void put_evidence(const struct printer *p, const struct diag_evidence *e)
{
	switch (e->type) {
	case DIAG_EVIDENCE_FIELD:
		line(p, "", "%s %s %s: %s", e->object.kind, e->object.name, e->path, e->value);
		return;
	case DIAG_EVIDENCE_EVENT:
		line(p, "", "event %s on %s %s: %s", e->path, e->object.kind, e->object.name,
		     e->value);
		return;
	case DIAG_EVIDENCE_LOG:
		line(p, "", "log of %s in %s: %s", e->path, e->object.name, e->value);
		return;
	case DIAG_EVIDENCE_NOTE:
		line(p, "", "%s", e->value);
		return;
	}
}

static void put_where(const struct printer *p, const struct diag_finding *finding)
{
	if (finding->where.file)
		line(p, "", "%s:%d", finding->where.file, finding->where.line);
}

/* What hangs on a cause, by what it says, each kind once with the number of its objects. */
static void put_consequences(const struct printer *p, struct diag_finding *const *findings,
			     size_t count, const struct diag_finding *cause)
{
	struct diag_buf names diag_buf_auto = { 0 };
	size_t named = 0;

	if (!cause->effect_count)
		return;
	diag_buf_init(&names, DIAG_MAX_MESSAGE);
	for (size_t i = 0; i < count && named < MAX_NAMED; i++) {
		const struct diag_finding *effect = findings[i];

		for (size_t j = 0; j < effect->explained_by_count; j++) {
			if (effect->explained_by[j] != cause)
				continue;
			diag_buf_printf(&names, "%s%s %s", named ? ", " : "", effect->check,
					effect->subject.name);
			named++;
			break;
		}
	}
	line(p, glyph(p, "\u2514 ", "\\- "), "and %zu consequence%s: %s%s", cause->effect_count,
	     cause->effect_count == 1 ? "" : "s", diag_buf_str(&names),
	     cause->effect_count > named ? glyph(p, ", \u2026", ", ...") : "");
}

static void put_remedies(const struct printer *p, const struct diag_finding *finding)
{
	for (size_t i = 0; i < finding->remedy_count; i++) {
		const struct diag_remedy *remedy = &finding->remedies[i];

		if (remedy->type == DIAG_REMEDY_EDIT) {
			line(p, i ? "      " : "Next  ", "%s", remedy->text);
			continue;
		}
		/* A command is never wrapped: it is there to be copied. */
		diag_buf_printf(p->out, "%*s%s", INDENT, "", i ? "      " : "Next  ");
		diag_clean(p->out, remedy->text);
		diag_buf_putc(p->out, '\n');
	}
}

static void put_headline(const struct printer *p, const struct diag_finding *finding)
{
	static const char *const glyphs[] = { "i", "!", "\u2717" };
	static const char *const plain[] = { "i", "!", "x" };
	size_t id = strlen(finding->check);
	size_t message = diag_clean_width(finding->message);

	colour(p, colours[finding->severity]);
	diag_buf_printf(p->out, "%s ",
			p->report->style.utf8 ? glyphs[finding->severity]
					      : plain[finding->severity]);
	colour(p, "0;1");
	if (p->width && 2 + message + 2 + id <= p->width) {
		diag_clean(p->out, finding->message);
		colour(p, "0;2");
		diag_buf_printf(p->out, "%*s%s\n", (int)(p->width - 2 - message - id), "",
				finding->check);
	} else {
		wrap(p, finding->message, 2, 2);
		colour(p, "0;2");
		diag_buf_printf(p->out, "%*s%s\n", INDENT, "", finding->check);
	}
	colour(p, "0");
}

static void put_finding(const struct printer *p, struct diag_finding *const *findings, size_t count,
			const struct diag_finding *finding)
{
	size_t most = p->report->verbose ? finding->evidence_count : MAX_EVIDENCE;

	put_headline(p, finding);
	put_where(p, finding);
	for (size_t i = 0; i < finding->evidence_count && i < most; i++)
		put_evidence(p, &finding->evidence[i]);
	put_consequences(p, findings, count, finding);
	put_remedies(p, finding);
	diag_buf_putc(p->out, '\n');
}

static void put_namespaces(const struct printer *p)
{
	size_t count;
	const char *const *names = diag_snapshot_namespaces(p->report->snapshot, &count);

	diag_buf_printf(p->out, count == 1 ? "namespace " : "%zu namespaces: ", count);
	for (size_t i = 0; i < count && i < 5; i++) {
		diag_buf_puts(p->out, i ? ", " : "");
		diag_clean(p->out, names[i]);
	}
	diag_buf_puts(p->out, count > 5 ? ", ...\n" : "\n");
}

static void put_header(const struct printer *p)
{
	const struct diag_snapshot *snapshot = p->report->snapshot;
	const char *origin = diag_snapshot_fact(snapshot, "origin");
	const char *version = diag_snapshot_fact(snapshot, "server-version");
	char time[32];

	colour(p, "2");
	diag_buf_printf(p->out, "%s ", diag_snapshot_fact(snapshot, "source"));
	diag_clean(p->out, origin ? origin : "");
	if (diag_snapshot_time(snapshot) != DIAG_TIME_NONE && !diag_snapshot_is_predicted(snapshot))
		diag_buf_printf(p->out, ", taken %s",
				diag_time_format(diag_snapshot_time(snapshot), time, sizeof(time)));
	if (version) {
		diag_buf_puts(p->out, ", Kubernetes ");
		diag_clean(p->out, version);
	}
	if (diag_run_version(p->report->run)) {
		diag_buf_puts(p->out, ", operator ");
		diag_clean(p->out, diag_run_version(p->report->run));
	}
	diag_buf_puts(p->out, ", ");
	put_namespaces(p);
	colour(p, "0");
}

struct counts {
	size_t roots[3]; /* by severity */
	size_t folded;
	size_t known; /* in the baseline, or suppressed */
};

static struct counts count_findings(struct diag_finding *const *findings, size_t count,
				    enum diag_severity show)
{
	struct counts counts = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (findings[i]->standing != DIAG_STANDING_NEW) {
			counts.known++;
			continue;
		}
		if (findings[i]->severity < show)
			continue;
		if (findings[i]->root)
			counts.roots[findings[i]->severity]++;
		else
			counts.folded++;
	}
	return counts;
}

static void put_count(const struct printer *p, bool *first, size_t count, const char *one,
		      const char *many)
{
	if (!count)
		return;
	diag_buf_printf(p->out, "%s%zu %s", *first ? "" : ", ", count, count == 1 ? one : many);
	*first = false;
}

static void put_summary(const struct printer *p, const struct counts *counts)
{
	bool first = true;

	put_count(p, &first, counts->roots[DIAG_SEVERITY_ERROR], "problem", "problems");
	put_count(p, &first, counts->roots[DIAG_SEVERITY_WARNING], "warning", "warnings");
	put_count(p, &first, counts->roots[DIAG_SEVERITY_INFO], "note", "notes");
	if (first && diag_run_is_empty(p->report->run))
		diag_buf_puts(p->out, "nothing to check");
	else if (first)
		diag_buf_puts(p->out, diag_run_is_incomplete(p->report->run)
					      ? "no problems found in what could be read"
					      : "no problems found");
	put_count(p, &first, counts->folded, "consequence", "consequences");
	if (counts->known)
		diag_buf_printf(p->out, "; %zu known or suppressed", counts->known);
	diag_buf_puts(p->out, "\n\n");
}

/* What was there before and is gone. */
static void put_mended(const struct printer *p)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(p->report->mended, i, entry) {
		diag_buf_printf(p->out, "%s mended: ", glyph(p, "\u2713", "+"));
		diag_clean(p->out, diag_json_str(entry, "message"));
		diag_buf_putc(p->out, '\n');
	}
	if (i)
		diag_buf_putc(p->out, '\n');
}

static void put_progress(const struct printer *p)
{
	size_t count;
	const struct diag_progress *progress =
		diag_findings_progress(diag_run_findings(p->report->run), &count);

	for (size_t i = 0; i < count && (i < 10 || p->report->verbose); i++) {
		diag_buf_printf(p->out, "%s ", glyph(p, "\u2026", "~"));
		diag_clean(p->out, progress[i].subject.kind);
		diag_buf_putc(p->out, ' ');
		diag_clean(p->out, progress[i].subject.name);
		diag_buf_puts(p->out, " is in progress: ");
		diag_clean(p->out, progress[i].message);
		diag_buf_putc(p->out, '\n');
	}
	if (count)
		diag_buf_putc(p->out, '\n');
}

static void put_problems(const struct printer *p)
{
	size_t count;
	const struct diag_problem *problems = diag_snapshot_problems(p->report->snapshot, &count);

	for (size_t i = 0; i < count && (i < 10 || p->report->verbose); i++) {
		diag_buf_puts(p->out, "? ");
		diag_clean(p->out, problems[i].file);
		if (problems[i].line)
			diag_buf_printf(p->out, ":%d", problems[i].line);
		diag_buf_puts(p->out, ": ");
		diag_clean(p->out, problems[i].message);
		diag_buf_putc(p->out, '\n');
	}
	if (count > 10 && !p->report->verbose)
		diag_buf_printf(p->out, "? and %zu more\n", count - 10);
}

/* Checks without a verdict: one line for each reason. */
static void put_skipped(const struct printer *p)
{
	size_t count, skipped = 0;
	const struct diag_result *results = diag_run_results(p->report->run, &count);
	const char *last = NULL;

	for (size_t i = 0; i < count; i++) {
		if (results[i].status != DIAG_RESULT_SKIPPED &&
		    results[i].status != DIAG_RESULT_ERROR)
			continue;
		skipped++;
		if (!results[i].incomplete && !p->report->verbose)
			continue;
		if (!p->report->verbose && diag_str_eq(last, results[i].reason))
			continue;
		last = results[i].reason;
		diag_buf_printf(p->out, "? %s %s: ", results[i].check->id,
				diag_result_names[results[i].status]);
		diag_clean(p->out, last ? last : "");
		diag_buf_putc(p->out, '\n');
	}
	diag_buf_printf(p->out, "%zu checks, %zu of them skipped%s\n", count, skipped,
			diag_run_is_incomplete(p->report->run)
				? "; data needed for the verdict was missing"
				: "");
}

void diag_render_text(const struct diag_report *report, struct diag_buf *out)
{
	struct printer p = { report, out,
			     report->style.width > 20 ? (size_t)report->style.width : 0 };
	size_t count;
	struct diag_finding *const *findings =
		diag_findings_all(diag_run_findings(report->run), &count);
	struct counts counts = count_findings(findings, count, report->policy->show);

	put_header(&p);
	put_summary(&p, &counts);
	for (size_t i = 0; i < count; i++)
		if (findings[i]->standing == DIAG_STANDING_NEW &&
		    (findings[i]->root || report->verbose) &&
		    findings[i]->severity >= report->policy->show)
			put_finding(&p, findings, count, findings[i]);
	put_mended(&p);
	put_progress(&p);
	put_problems(&p);
	put_skipped(&p);
}
