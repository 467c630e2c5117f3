/*
 * `-o prometheus`: metrics in the text-based exposition format, for the textfile collector of the
 * node exporter. Series that alerts ask for are always there, with 0. Root causes have a series
 * each, named by what does not change when a message is reworded; consequences are counted.
 */
#include <string.h>

#include "base/map.h"
#include "base/timestamp.h"
#include "report/escape.h"
#include "report/renderers.h"
#include "report/words.h"

static void head(struct diag_buf *out, const char *name, const char *help)
{
	diag_buf_printf(out, "# HELP bindery_check_%s %s\n# TYPE bindery_check_%s gauge\n", name,
			help, name);
}

static void single(struct diag_buf *out, const char *name, const char *help, long long value)
{
	head(out, name, help);
	diag_buf_printf(out, "bindery_check_%s %lld\n", name, value);
}

static void label(struct diag_buf *out, const char *before, const char *name, const char *value)
{
	diag_buf_printf(out, "%s%s=\"", before, name);
	diag_escape_prometheus(out, value ? value : "");
	diag_buf_putc(out, '"');
}

static void put_counts(const struct diag_report *report, struct diag_buf *out)
{
	struct diag_report_counts counts = diag_report_count(report);

	head(out, "findings", "Findings by severity, root causes and what follows from them.");
	for (size_t i = 0; diag_severity_names[i]; i++) {
		diag_buf_printf(out,
				"bindery_check_findings{severity=\"%s\",root_cause=\"true\"} %zu\n",
				diag_severity_names[i], counts.roots[i]);
		diag_buf_printf(
			out, "bindery_check_findings{severity=\"%s\",root_cause=\"false\"} %zu\n",
			diag_severity_names[i], counts.all[i] - counts.roots[i]);
	}
}

static void put_root_cause(const struct diag_finding *finding, struct diag_buf *out)
{
	diag_buf_puts(out, "bindery_check_root_cause");
	label(out, "{", "check", finding->check);
	label(out, ",", "fault", finding->fault);
	label(out, ",", "severity", diag_severity_names[finding->severity]);
	label(out, ",", "namespace", finding->subject.namespace_);
	label(out, ",", "kind", finding->subject.kind);
	label(out, ",", "name", finding->subject.name);
	label(out, ",", "fingerprint", finding->fingerprint);
	diag_buf_puts(out, "} 1\n");
}

/* The same series twice would make the collector refuse the whole file. */
static void put_root_causes(const struct diag_report *report, struct diag_buf *out)
{
	struct diag_map *seen = diag_map_new();
	const struct diag_finding *finding;

	head(out, "root_cause", "1 for each root cause that was found.");
	diag_report_foreach(report, finding)
	{
		if (!finding->root || diag_map_get(seen, finding->fingerprint))
			continue;
		diag_map_set(seen, finding->fingerprint, seen);
		put_root_cause(finding, out);
	}
	diag_map_free(seen);
}

static void put_checks(const struct diag_report *report, struct diag_buf *out)
{
	size_t statuses[DIAG_RESULT_STATUS_COUNT] = { 0 };
	size_t count;
	const struct diag_result *results = diag_run_results(report->run, &count);

	for (size_t i = 0; i < count; i++)
		statuses[results[i].status]++;
	head(out, "checks", "Checks by how they ended.");
	for (size_t i = 0; i < DIAG_RESULT_STATUS_COUNT; i++)
		diag_buf_printf(out, "bindery_check_checks{status=\"%s\"} %zu\n",
				diag_result_names[i], statuses[i]);
}

void diag_render_prometheus(const struct diag_report *report, struct diag_buf *out)
{
	int64_t time_ms = diag_snapshot_time(report->snapshot);
	size_t in_progress;

	diag_findings_progress(diag_run_findings(report->run), &in_progress);
	head(out, "build_info", "1, labelled with the version of the tool.");
	diag_buf_puts(out, "bindery_check_build_info");
	label(out, "{", "version", report->version);
	diag_buf_puts(out, "} 1\n");
	single(out, "exit_status", "Exit status: 0 good, 1 findings, 4 data was missing.",
	       report->status);
	single(out, "complete", "1 when all data needed for the verdict was there.",
	       !diag_run_is_incomplete(report->run));
	if (time_ms != DIAG_TIME_NONE)
		single(out, "snapshot_timestamp_seconds", "When the cluster was read, Unix time.",
		       time_ms / DIAG_SECOND_MS);
	single(out, "in_progress", "Objects that are not right yet, but may still become so.",
	       (long long)in_progress);
	put_counts(report, out);
	put_root_causes(report, out);
	put_checks(report, out);
}
