/* bindery-check: run the runbook over one snapshot and name the causes. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "base/map.h"
#include "check/runner.h"
#include "cli/app.h"
<<<<<<< HEAD
#include "cli/output.h"
=======
#include "cli/changes.h"
#include "cli/decide.h"
#include "cli/input.h"
#include "model/resource.h"
>>>>>>> 8e6a4ba (wip2)
#include "report/report.h"
#include "report/role.h"

#include "checks/checks.h"
#include "checks/pages.h"

struct options {
	struct diag_source_options source;
	struct diag_opt_list only, skip;
	struct diag_output_options output;
	int show, fail_on;
	int64_t grace_ms;
	const char *explain;
	int64_t wait_ms, interval_ms;
	bool watch, print_role;
	bool list, verbose, help, version;
};

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
	DIAG_OPT_OUTPUT(struct options, "text, short or json; may be repeated with files (default text)"),
	{ 0, "show", "SEVERITY", "leave out findings below info, warning or error (default info)",
	  "Output", DIAG_OPT_ENUM, AT(show), diag_severity_names },
	{ 0, "fail-on", "SEVERITY", "exit 1 from this severity on (default error)",
	  "Output", DIAG_OPT_ENUM, AT(fail_on), diag_severity_names },
<<<<<<< HEAD
=======
	{ 0, "color", "WHEN", "auto, always or never; NO_COLOR is obeyed",
	  "Output", DIAG_OPT_ENUM, AT(colour), colour_names },
	{ 0, "wait", "DURATION", "read the cluster again until it is decided: nothing wrong and nothing in progress, or something that cannot become right by itself",
	  "Time", DIAG_OPT_DURATION, AT(wait_ms) },
	{ 0, "watch", NULL, "read the cluster again and again, and print what changes",
	  "Time", DIAG_OPT_FLAG, AT(watch) },
	{ 0, "interval", "DURATION", "between two readings (default 3s)",
	  "Time", DIAG_OPT_DURATION, AT(interval_ms), .min = 10, .max = DIAG_DAY_MS },
	{ 0, "print-role", NULL, "print the RBAC roles that would have allowed what was refused, instead of a report",
	  "Output", DIAG_OPT_FLAG, AT(print_role) },
>>>>>>> 8e6a4ba (wip2)
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

static int check_worlds(const struct diag_snapshot *snapshot, const struct diag_opt_list *worlds,
			struct diag_error *err)
{
	const json_t *list = diag_snapshot_subjects(snapshot, "worldinstances.bindery.platform");
	size_t count = json_array_size(list);
	diag_autofree const char **names = diag_xcalloc(count, sizeof(*names));

	for (size_t i = 0; i < count; i++)
		names[i] = diag_ref_of(json_array_get(list, i)).name;
	for (size_t i = 0; i < worlds->count; i++) {
		const char *nearest;
		size_t j = 0;

		while (j < count && !diag_str_eq(names[j], worlds->items[i]))
			j++;
		if (j < count)
			continue;
		nearest = diag_str_nearest(worlds->items[i], names, count);
		return diag_error_set(err, DIAG_E_NOT_FOUND, "there is no world '%s'%s%s%s",
				      worlds->items[i], nearest ? "; did you mean '" : "",
				      nearest ? nearest : "", nearest ? "'?" : "");
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

/* Nothing to check is never a pass (B03). */
static bool is_empty(const struct diag_snapshot *snapshot)
{
	if (diag_snapshot_objects_seen(snapshot))
		return false;
	diag_app_warn(tool.name, "'%s' holds nothing to check",
		      diag_snapshot_fact(snapshot, "origin"));
	return true;
}

static int report_run(const struct options *options, const struct diag_snapshot *snapshot,
		      const struct diag_opt_list *worlds, const struct diag_cancel *cancel)
{
	struct diag_policy policy = {
		.only = options->only.items,
		.skip = options->skip.items,
		.show = (enum diag_severity)options->show,
		.fail_on = (enum diag_severity)options->fail_on,
		.grace_ms = options->grace_ms,
		.worlds = worlds->items,
	};
	diag_run_auto struct diag_run *run = diag_run_new(checks_bindery(), snapshot, &policy);
	bool incomplete = is_empty(snapshot) || diag_run_is_incomplete(run);
	struct diag_report report = {
		.snapshot = snapshot,
		.run = run,
		.policy = &policy,
		.tool = tool.name,
		.version = DIAG_VERSION,
		.status = diag_exit_status(diag_cancelled(cancel), false, diag_run_fails(run),
					   incomplete),
		.verbose = options->verbose,
	};
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_output_write(&options->output, diag_renderers, &report, &err) == 0)
		return report.status;
	diag_app_fail(tool.name, &err);
	return diag_exit_status(diag_cancelled(cancel), true, false, false);
}

static int check_snapshot(const struct options *options, const struct diag_opt_list *worlds)
{
	const struct diag_cancel *cancel = diag_app_start();
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_opt_list wants = { 0 };
	int status;

	collect_wants(checks_bindery(), &wants);
	if (check_globs(&options->only, "only", &err) < 0 ||
	    check_globs(&options->skip, "skip", &err) < 0 ||
	    diag_output_check(&options->output, diag_renderers, &err) < 0 ||
	    diag_app_load(&options->source, wants.items, cancel, &snapshot, &err) < 0 ||
	    check_worlds(snapshot, worlds, &err) < 0)
		status = diag_app_fail(tool.name, &err);
	else
		status = report_run(options, snapshot, worlds, cancel);
	diag_opt_list_done(&wants);
	return status;
}

static int run(const struct options *options, const struct diag_opt_list *worlds)
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
		return check_snapshot(options, worlds);
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
	struct diag_opt_list worlds = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;
	int status;

	setlocale(LC_CTYPE, "");
	if (diag_opt_parse(&tool, argc, argv, &options, &worlds, &err) < 0)
		status = diag_app_fail(tool.name, &err);
	else
		status = run(&options, &worlds);
	diag_opt_done(&tool, &options);
	diag_opt_list_done(&worlds);
	return status;
}
