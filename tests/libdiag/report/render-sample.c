/*
 * Renders a made-up run in one format, for tests/formats.py: any number of findings whose names and
 * messages are as hostile as the bytes that a cluster or a pull request may hold.
 *
 *   render-sample FORMAT COUNT
 *   render-sample --formats       the names of all formats
 *   render-sample --hostile       the texts, each ended by a NUL
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "cli/exit.h"
#include "report/report.h"

static const char *const hostile[] = {
	"plain",
	"\"><script>alert(1)</script>&amp;'",
	"]]><![CDATA[ --> <!-- &#x41; &lt;",
	"one\n::error file=x::injected\n##[error]too",
	"%0A%0D%25::warning::x",
	"first\nnot ok 99 - injected # TODO\n1..0\nBail out!",
	"ends with a backslash \\",
	"quotes \" and ' and {braces} and \\\" and \\n",
	"escape \033[31mred\033[0m bell \007 c1 \xc2\x9b bs \b",
	"invalid \xff\xfe\x80 cut \xe2\x82",
	"surrogate \xed\xa0\x80 overlong \xc0\xaf noncharacter \xef\xbf\xbe",
	"bidi \u202egnp.exe\u202c line\u2028separator",
	"@everyone #1 !2 ~bug **b** [x](javascript:alert(1)) ![i](http://x) <b>",
	"```\ncode\n``` and `ticks` and ``` again",
	"| table | --- | $math$ _under_ ~~strike~~",
	"- item\n---\n...\nkey: {value: [1, 2}",
	"# HELP x y\nx{a=\"b\"} 1",
	"\t tab and trailing space ",
	"\u65e5\u672c\u8a9e \U0001f680 e\u0301",
	"",
};

static size_t wanted;

static int run_findings(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	for (size_t i = 0; i < wanted; i++) {
		const char *text = hostile[i % DIAG_ARRAY_SIZE(hostile)];
		char unique[32];
		struct diag_finding *finding =
			diag_check_find(ctx, diag_ref_make("ModuleManifest", text, text),
					"message %zu: %s", i, text);

		snprintf(unique, sizeof(unique), "%zu", i);
		finding->severity = (enum diag_severity)(2 - i % 3);
		diag_finding_discriminate(finding, unique);
		diag_finding_related(finding, diag_ref_make("Pod", NULL, text));
		diag_finding_field(finding, finding->subject, text, "%s", text);
		diag_finding_note(finding, "%s", text);
		diag_finding_command(finding, "kubectl", "get", text, NULL);
		diag_finding_edit(finding, "write %s", text);
		if (i % 3)
			diag_finding_at_line(finding,
					     (struct diag_position){ text, (int)i + 1, 3 });
	}
	return DIAG_OK;
}

static int run_nothing(const struct diag_check_ctx *ctx DIAG_UNUSED,
		       struct diag_error *err DIAG_UNUSED)
{
	return DIAG_OK;
}

static int run_skipped(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	diag_check_skip(ctx, "not visible: # \" <b> \\ \n & more");
	return DIAG_OK;
}

static DIAG_CHECK(findings) = {
	.id = "sample.findings",
	.title = "All \"samples\" <are> & stay # good",
	.fault = "F01",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Nothing & <nobody>.",
	.hint = "None.",
	.run = run_findings,
};

static DIAG_CHECK(passes) = {
	.id = "sample.passes",
	.title = "Passes",
	.severity = DIAG_SEVERITY_WARNING,
	.run = run_nothing,
};

static DIAG_CHECK(skipped) = {
	.id = "skipped.always",
	.title = "Skipped",
	.severity = DIAG_SEVERITY_INFO,
	.run = run_skipped,
};

static const char *page(const char *check)
{
	return diag_str_eq(check, "sample.findings") ? "# A page\n\nwith *markdown*\n" : NULL;
}

static int render(const struct diag_renderer *renderer)
{
	static const struct diag_check *const checks[] = { &check_findings, &check_passes,
							   &check_skipped, NULL };
	static const struct diag_cause_rule rules[] = { { NULL, NULL, NULL } };
	static const char *const wants[] = { NULL };
	const struct diag_check_set set = {
		.name = "sample",
		.checks = checks,
		.rules = rules,
		.wants = wants,
	};
	const struct diag_snapshot_options how = { .wants = wants, .at_ms = 1700000000000 };
	const struct diag_policy policy = { .fail_on = DIAG_SEVERITY_ERROR };
	diag_snapshot_auto struct diag_snapshot *snapshot = diag_snapshot_new(&how);
	diag_run_auto struct diag_run *run = NULL;
	struct diag_error err = DIAG_ERROR_INIT;
	char *text = NULL;

	if (diag_snapshot_finish(snapshot, &err) < 0)
		return 3;
	run = diag_run_new(&set, snapshot, &policy);
	struct diag_report report = {
		.snapshot = snapshot,
		.run = run,
		.policy = &policy,
		.tool = "render-sample",
		.version = "1.2.3",
		.status = diag_run_fails(run) ? DIAG_EXIT_FINDINGS : DIAG_EXIT_OK,
		.page = page,
		.style = { .width = 100 },
	};
	report.verdict = diag_exit_help(report.status);
	if (diag_report_render(renderer, &report, &text, &err) < 0)
		return 3;
	fputs(text, stdout);
	free(text);
	return report.status;
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "--formats") == 0)
		for (const struct diag_renderer *r = diag_renderers; r->name; r++)
			puts(r->name);
	else if (argc == 2 && strcmp(argv[1], "--hostile") == 0)
		for (size_t i = 0; i < DIAG_ARRAY_SIZE(hostile); i++)
			fwrite(hostile[i], strlen(hostile[i]) + 1, 1, stdout);
	else if (argc == 3 && diag_renderer_find(diag_renderers, argv[1])) {
		wanted = strtoul(argv[2], NULL, 10);
		return render(diag_renderer_find(diag_renderers, argv[1]));
	} else
		return 2;
	return 0;
}
