/* bindery-check: run the runbook over one snapshot and name the causes. */
#include "tools/bindery-check.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "check/runner.h"
#include "cli/app.h"
#include "cli/output.h"
#include "report/report.h"

#include "checks/checks.h"
#include "checks/pages.h"

#define AT(member) offsetof(struct options, member)

/* clang-format off */
static const struct diag_opt option_table[] = {
	DIAG_OPT_SOURCE(struct options),
	DIAG_OPT_KUBE(struct options),
	{ 0, "only", "GLOB", "run only checks whose id or fault matches; may be repeated",
	  "Checks", DIAG_OPT_LIST, AT(only), .values = DIAG_VALUES_CHECK },
	{ 0, "skip", "GLOB", "leave out checks whose id or fault matches; may be repeated",
	  "Checks", DIAG_OPT_LIST, AT(skip), .values = DIAG_VALUES_CHECK },
	{ 0, "grace", "DURATION", "states younger than this are in progress, not wrong (default 30s)",
	  "Checks", DIAG_OPT_DURATION, AT(grace_ms) },
	{ 0, "list", NULL, "list the checks and exit",
	  "Checks", DIAG_OPT_FLAG, AT(list) },
	{ 0, "explain", "CHECK", "say what a check looks for and what to do, and exit",
	  "Checks", DIAG_OPT_STRING, AT(explain), .values = DIAG_VALUES_CHECK },
	DIAG_OPT_OUTPUT(struct options, "text, short, json, ndjson, sarif, junit, tap, markdown, html, github, gitlab or prometheus; may be repeated with files (default text)"),
	{ 0, "show", "SEVERITY", "leave out findings below info, warning or error (default info)",
	  "Output", DIAG_OPT_ENUM, AT(show), diag_severity_names },
	{ 0, "fail-on", "SEVERITY", "exit 1 from this severity on (default error)",
	  "Output", DIAG_OPT_ENUM, AT(fail_on), diag_severity_names },
	{ 0, "print-role", NULL, "print the RBAC roles that would have allowed what was refused, instead of a report",
	  "Output", DIAG_OPT_FLAG, AT(print_role) },
	{ 0, "wait", "DURATION", "read the cluster again until it is decided: nothing wrong and nothing in progress, or something that cannot become right by itself",
	  "Time", DIAG_OPT_DURATION, AT(wait_ms) },
	{ 0, "watch", NULL, "read the cluster again and again, and print what changes",
	  "Time", DIAG_OPT_FLAG, AT(watch) },
	{ 0, "interval", "DURATION", "between two readings (default 3s)",
	  "Time", DIAG_OPT_DURATION, AT(interval_ms), .min = 10, .max = DIAG_DAY_MS },
	{ 'v', "verbose", NULL, "show consequences, all evidence and skipped checks",
	  "Output", DIAG_OPT_FLAG, AT(verbose) },
	{ 'h', "help", NULL, "show this help and exit",
	  "Other", DIAG_OPT_STOP, AT(help) },
	{ 0, "version", NULL, "show the version and exit",
	  "Other", DIAG_OPT_STOP, AT(version) },
	{ 0 },
};

static const struct diag_example examples[] = {
	{ "bindery-check -n game", "what is wrong in a namespace of the current cluster" },
	{ "bindery-check --bundle support-bundle.tar.gz", "what is wrong in a collected cluster" },
	{ "bindery-check -f deploy/", "what would be wrong once these manifests are applied" },
	{ "helm template chart | bindery-check -f -", "the same for rendered manifests" },
	{ "bindery-check -f new/ --context prod -n game", "what would be wrong if I applied this now" },
	{ "bindery-check -f deploy/ -o short --fail-on warning", "a stricter gate, a line a finding" },
	{ NULL, NULL },
};
/* clang-format on */

static const struct diag_tool tool = {
	.name = "bindery-check",
	.summary = "find why Bindery worlds do not come up",
	.operands = "[WORLD...]",
	.about =
		"Runs every check over one consistent snapshot and prints root causes first, with "
		"their consequences folded beneath. Worlds given as arguments narrow the findings to "
		"those that concern them.",
	.options = option_table,
	.examples = examples,
};

static void list_checks(struct diag_buf *out)
{
	for (const struct diag_check *const *check = checks_bindery()->checks; *check; check++)
		diag_buf_printf(out, "%-32s %-5s %-8s %s\n", (*check)->id,
				(*check)->fault ? (*check)->fault : "-",
				diag_severity_names[(*check)->severity], (*check)->title);
}

static void explain(const struct diag_check *check, struct diag_buf *out)
{
	diag_buf_printf(out, "%s\nNeeds:", checks_page(check->id));
	for (const char *const *need = check->requires; *need; need++)
		diag_buf_printf(out, " %s", *need);
	for (const char *const *more = check->enriches; more && *more; more++)
		diag_buf_printf(out, "%s %s", more == check->enriches ? "\nBetter with:" : "",
				*more);
	diag_buf_printf(out, "\n");
}

/* By the id of a check, or by a fault: then all checks that look for it. */
static int explain_checks(const char *id, struct diag_buf *out, struct diag_error *err)
{
	const char *ids[256];
	const char *nearest;
	size_t count = 0, found = 0;

	for (const struct diag_check *const *check = checks_bindery()->checks; *check; check++) {
		if (count < DIAG_ARRAY_SIZE(ids))
			ids[count++] = (*check)->id;
		if (!diag_str_eq((*check)->id, id) && !diag_str_eq((*check)->fault, id))
			continue;
		if (found++)
			diag_buf_printf(out, "\n");
		explain(*check, out);
	}
	if (found)
		return DIAG_OK;
	nearest = diag_str_nearest(id, ids, count);
	return diag_error_set(err, DIAG_E_INVALID, "no check is called '%s'%s%s%s", id,
			      nearest ? "; did you mean '" : "; see --list", nearest ? nearest : "",
			      nearest ? "'?" : "");
}

/* A glob that matches no check is a mistake, not an empty run that passes. */
static int check_globs(const struct diag_opt_list *globs, const char *option,
		       struct diag_error *err)
{
	for (size_t i = 0; i < globs->count; i++) {
		const char *one[] = { globs->items[i], NULL };
		struct diag_policy policy = { .only = one };
		const struct diag_check *const *check = checks_bindery()->checks;

		while (*check && !diag_policy_selects(&policy, *check))
			check++;
		if (!*check)
			return diag_error_set(err, DIAG_E_INVALID,
					      "--%s: no check matches '%s'; see --list", option,
					      globs->items[i]);
	}
	return DIAG_OK;
}

static int print(struct diag_buf *text)
{
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_app_write("-", diag_buf_str(text), &err) < 0)
		return diag_app_fail(tool.name, &err);
	return DIAG_EXIT_OK;
}

/* Every resource that a chosen check needs or likes, and what the set reads itself. */
static void collect_wants(const struct diag_check_set *set, struct diag_opt_list *wants)
{
	size_t capacity = 512;

	wants->items = diag_xcalloc(capacity, sizeof(*wants->items));
	for (const char *const *want = set->wants; *want; want++)
		wants->items[wants->count++] = *want;
	for (const struct diag_check *const *check = set->checks; *check; check++) {
		const char *const *lists[] = { (*check)->requires, (*check)->enriches };

		for (size_t l = 0; l < 2; l++) {
			for (const char *const *want = lists[l]; want && *want; want++) {
				size_t i = 0;

				while (i < wants->count && strcmp(wants->items[i], *want) != 0)
					i++;
				if (i == wants->count && wants->count + 1 < capacity)
					wants->items[wants->count++] = *want;
			}
		}
	}
}

int write_report(const struct options *options, const struct reading *reading, int status,
		 struct diag_error *err)
{
	const struct diag_report report = {
		.snapshot = reading->snapshot,
		.run = reading->run,
		.policy = &reading->policy,
		.tool = tool.name,
		.version = DIAG_VERSION,
		.status = status,
		.verdict = diag_exit_help(status),
		.page = checks_page,
		.verbose = options->verbose,
	};

	return diag_output_write(&options->output, diag_renderers, &report, err);
}

static int check(const struct options *options)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_opt_list wants = { 0 };
	int status;

	collect_wants(checks_bindery(), &wants);
	if (check_globs(&options->only, "only", &err) < 0 ||
	    check_globs(&options->skip, "skip", &err) < 0 ||
	    diag_output_check(&options->output, diag_renderers, &err) < 0)
		status = diag_app_fail(tool.name, &err);
	else
		status = read_and_report(options, wants.items);
	diag_opt_list_done(&wants);
	return status;
}

static int run(const struct options *options)
{
	struct diag_buf text diag_buf_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;

	diag_buf_init(&text, DIAG_MAX_REPORT);
	if (options->help)
		diag_opt_help(&tool, &text);
	else if (options->version)
		diag_buf_printf(&text, "%s %s\n", tool.name, DIAG_VERSION);
	else if (options->list)
		list_checks(&text);
	else if (options->explain) {
		if (explain_checks(options->explain, &text, &err) < 0)
			return diag_app_fail(tool.name, &err);
	} else {
		return check(options);
	}
	return print(&text);
}

int main(int argc, char **argv)
{
	struct options options = {
		.source.at_ms = DIAG_TIME_NONE,
		.source.kube.domain = checks_bindery()->domain,
		.show = DIAG_SEVERITY_INFO,
		.fail_on = DIAG_SEVERITY_ERROR,
		.grace_ms = 30 * DIAG_SECOND_MS,
		.interval_ms = 3 * DIAG_SECOND_MS,
	};
	struct diag_error err = DIAG_ERROR_INIT;
	int status;

	setlocale(LC_CTYPE, "");
	if (diag_opt_parse(&tool, argc, argv, &options, &options.worlds, &err) < 0)
		status = diag_app_fail(tool.name, &err);
	else
		status = run(&options);
	diag_opt_done(&tool, &options);
	diag_opt_list_done(&options.worlds);
	return status;
}
