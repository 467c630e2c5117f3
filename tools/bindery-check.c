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
	{ 0, "config", "FILE", "read the policy from this file instead of .bindery-check.yaml here or in a folder above",
	  "Policy", DIAG_OPT_STRING, AT(config), .values = DIAG_VALUES_FILE },
	{ 0, "no-config", NULL, "read no policy file",
	  "Policy", DIAG_OPT_FLAG, AT(no_config) },
	{ 0, "baseline", "FILE", "findings that this file knows do not count",
	  "Policy", DIAG_OPT_STRING, AT(baseline), .values = DIAG_VALUES_FILE },
	{ 0, "write-baseline", NULL, "make the file of --baseline know what is found now",
	  "Policy", DIAG_OPT_FLAG, AT(write_baseline) },
	{ 0, "new-only", NULL, "with -f over a bundle or a cluster: report only what the manifests break or mend",
	  "Policy", DIAG_OPT_FLAG, AT(new_only) },
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

/* Where a setting comes from: the command line, a line of the file, or nowhere. */
static const char *origin(bool option, const struct diag_config *config, int line, char *ret,
			  size_t size)
{
	if (option)
		return "command line";
	if (!line)
		return "default";
	snprintf(ret, size, "%s:%d", config->path, line);
	return ret;
}

static void list_policy(const struct options *options, const struct diag_config *config,
			const struct diag_policy *policy, struct diag_buf *out)
{
	char grace[32], from[256];

	diag_buf_printf(out, "\nfail on %s (%s)\n", diag_severity_names[policy->fail_on],
			origin(options->fail_on >= 0, config, diag_config_line(config, "failOn"),
			       from, sizeof(from)));
	diag_buf_printf(out, "show %s (%s)\n", diag_severity_names[policy->show],
			origin(options->show >= 0, config, diag_config_line(config, "show"), from,
			       sizeof(from)));
	diag_buf_printf(out, "grace %s (%s)\n",
			diag_duration_format(policy->grace_ms, grace, sizeof(grace)),
			origin(options->grace_ms >= 0, config, diag_config_line(config, "grace"),
			       from, sizeof(from)));
	for (size_t i = 0; i < config->suppression_count; i++) {
		const struct diag_suppression *s = &config->suppressions[i];

		diag_buf_printf(out, "suppress %s until %s, %s: %s (%s:%d)\n", s->check, s->expires,
				s->owner, s->reason, config->path, s->where.line);
	}
}

/* Each check with the severity that holds, and what sets it when it is not the check's own. */
static void list_checks(const struct options *options, const struct diag_config *config,
			struct diag_buf *out)
{
	const struct diag_policy policy = policy_of(options, config);

	for (const struct diag_check *const *check = checks_bindery()->checks; *check; check++) {
		const struct diag_severity_rule *rule = diag_policy_severity(&policy, *check);
		int severity = rule ? rule->severity : (int)(*check)->severity;
		bool runs = diag_policy_selects(&policy, *check);

		diag_buf_printf(out, "%-32s %-5s %-8s %s", (*check)->id,
				(*check)->fault ? (*check)->fault : "-",
				runs ? diag_severity_names[severity] : "off", (*check)->title);
		if (rule)
			diag_buf_printf(out, " (%s:%d)", config->path, rule->where.line);
		diag_buf_putc(out, '\n');
	}
	list_policy(options, config, &policy, out);
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
		.mended = reading->mended,
		.status = status,
		.verdict = diag_exit_help(status),
		.page = checks_page,
		.verbose = options->verbose,
	};

	return diag_output_write(&options->output, diag_renderers, &report, err);
}

static int check(const struct options *options, struct diag_config *config)
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
		status = read_and_report(options, wants.items, config);
	diag_opt_list_done(&wants);
	return status;
}

static int run(const struct options *options, struct diag_config *config)
{
	struct diag_buf text diag_buf_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;

	diag_buf_init(&text, DIAG_MAX_REPORT);
	if (options->help)
		diag_opt_help(&tool, &text);
	else if (options->version)
		diag_buf_printf(&text, "%s %s\n", tool.name, DIAG_VERSION);
	else if (options->list)
		list_checks(options, config, &text);
	else if (options->explain) {
		if (explain_checks(options->explain, &text, &err) < 0)
			return diag_app_fail(tool.name, &err);
	} else {
		return check(options, config);
	}
	return print(&text);
}

int main(int argc, char **argv)
{
	struct options options = {
		.source.at_ms = DIAG_TIME_NONE,
		.source.kube.domain = checks_bindery()->domain,
		.show = -1,
		.fail_on = -1,
		.grace_ms = -1,
		.interval_ms = 3 * DIAG_SECOND_MS,
	};
	diag_config_auto struct diag_config *config = NULL;
	struct diag_error err = DIAG_ERROR_INIT;
	int status;

	setlocale(LC_CTYPE, "");
	if (diag_opt_parse(&tool, argc, argv, &options, &options.worlds, &err) < 0 ||
	    read_config(&options, &config, &err) < 0)
		status = diag_app_fail(tool.name, &err);
	else
		status = run(&options, config);
	diag_opt_done(&tool, &options);
	diag_opt_list_done(&options.worlds);
	return status;
}
