/* How bindery-check reads: once, until it is decided, or for ever. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "cli/changes.h"
#include "cli/decide.h"
#include "cli/input.h"
#include "report/role.h"

#include "checks/checks.h"
#include "policy/acceptance.h"
#include "policy/baseline.h"
#include "tools/bindery-check.h"

static void reading_done(struct reading *reading)
{
	json_decref(reading->mended);
	diag_run_free(reading->run);
	diag_snapshot_free(reading->snapshot);
	*reading = (struct reading){ 0 };
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

/* Nothing to check is never a pass (B03). */
static void warn_empty(const struct diag_snapshot *snapshot)
{
	size_t count;
	const char *const *names = diag_snapshot_namespaces(snapshot, &count);
	const char *origin = diag_snapshot_fact(snapshot, "origin");

	if (!diag_snapshot_objects_seen(snapshot))
		diag_app_warn(TOOL_NAME, "'%s' holds nothing to check", origin);
	else if (count == 1)
		diag_app_warn(TOOL_NAME, "namespace '%s' holds nothing of %s: nothing was checked",
			      names[0], checks_bindery()->domain->title);
	else
		diag_app_warn(TOOL_NAME, "'%s' holds nothing of %s: nothing was checked", origin,
			      checks_bindery()->domain->title);
}

/* What is found without the overlay, as a baseline. */
static json_t *found_before(const struct options *options, const struct diag_config *config,
			    const struct diag_snapshot *snapshot)
{
	struct diag_policy policy = policy_of(options, config);
	diag_run_auto struct diag_run *run = NULL;

	policy.worlds = NULL;
	run = diag_run_new(checks_bindery(), snapshot, &policy);
	return diag_baseline_of(diag_run_findings(run));
}

/* What counts as known: the baseline, or with --new-only what was there before. */
static int read_baseline(const struct options *options, json_t *before, json_t **ret_baseline,
			 struct diag_error *err)
{
	if (options->new_only)
		*ret_baseline = json_incref(before);
	else if (options->baseline && !options->write_baseline)
		return diag_baseline_read(options->baseline, ret_baseline, err);
	return DIAG_OK;
}

static void run_checks(const struct options *options, struct diag_config *config,
		       const json_t *before, const json_t *baseline, struct reading *reading)
{
	diag_map_auto struct diag_map *known = before ? diag_baseline_index(before) : NULL;
	struct diag_acceptance acceptance = {
		.config = config,
		.baseline = baseline,
		.annotation = TOOL_NAME "/suppress",
		.now_ms = options->source.at_ms != DIAG_TIME_NONE
				  ? options->source.at_ms
				  : diag_time_now(),
	};

	reading->policy = policy_of(options, config);
	reading->policy.before = known;
	reading->policy.accept = diag_acceptance_apply;
	reading->policy.accept_arg = &acceptance;
	reading->run = diag_run_new(checks_bindery(), reading->snapshot, &reading->policy);
	reading->policy.before = NULL;
	reading->policy.accept = NULL;
	if (baseline && !options->worlds.count)
		reading->mended = diag_baseline_gone(baseline, diag_run_findings(reading->run));
}

static int read_once(const struct options *options, struct diag_config *config,
		     struct diag_input *input, struct reading *ret_reading, struct diag_error *err)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;
	json_auto_t *before = NULL, *baseline = NULL;
	struct reading reading = { 0 };
	int r = diag_input_read(input, &snapshot, err);

	if (r == 0 && diag_input_has_overlay(input)) {
		before = found_before(options, config, snapshot);
		r = diag_input_overlay(input, snapshot, err);
	}
	if (r == 0)
		r = check_worlds(snapshot, &options->worlds, err);
	if (r == 0)
		r = read_baseline(options, before, &baseline, err);
	if (r < 0)
		return r;
	reading.snapshot = DIAG_STEAL(snapshot);
	run_checks(options, config, before, baseline, &reading);
	*ret_reading = reading;
	return DIAG_OK;
}

static int report(const struct options *options, const struct reading *reading, bool undecided,
		  const struct diag_cancel *cancel)
{
	bool incomplete = undecided || diag_run_is_incomplete(reading->run);
	int status = diag_exit_status(diag_cancelled(cancel), false, diag_run_fails(reading->run),
				      incomplete);
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_run_is_empty(reading->run))
		warn_empty(reading->snapshot);
	if (write_report(options, reading, status, &err) == 0)
		return status;
	diag_app_fail(TOOL_NAME, &err);
	return diag_exit_status(diag_cancelled(cancel), true, false, false);
}

static int print_role(const struct reading *reading)
{
	struct diag_buf text diag_buf_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;
	size_t refused;

	diag_buf_init(&text, DIAG_MAX_REPORT);
	refused = diag_role_render(reading->snapshot, TOOL_NAME, &text);
	if (diag_app_write("-", diag_buf_str(&text), &err) < 0)
		return diag_app_fail(TOOL_NAME, &err);
	return refused ? DIAG_EXIT_INCOMPLETE : DIAG_EXIT_OK;
}

static int write_baseline(const struct options *options, const struct reading *reading,
			  struct diag_error *err)
{
	json_auto_t *baseline = diag_baseline_of(diag_run_findings(reading->run));

	return diag_baseline_write(options->baseline, baseline, err);
}

static int once(const struct options *options, struct diag_config *config, struct diag_input *input,
		const struct diag_cancel *cancel)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct reading reading = { 0 };
	int status;

	if (read_once(options, config, input, &reading, &err) < 0)
		return diag_app_fail(TOOL_NAME, &err);
	if (options->write_baseline && write_baseline(options, &reading, &err) < 0) {
		reading_done(&reading);
		return diag_app_fail(TOOL_NAME, &err);
	}
	status = options->print_role ? print_role(&reading)
				     : report(options, &reading, false, cancel);
	reading_done(&reading);
	return status;
}

/* The next attempt may succeed: the server restarts, the network comes back. */
static bool is_passing(const struct diag_error *err)
{
	return err->code == DIAG_E_UNREACHABLE || err->code == DIAG_E_TIMEOUT;
}

static void name_lasting(const struct diag_finding *finding)
{
	diag_app_warn(TOOL_NAME, "this cannot become right by itself: %s", finding->message);
}

struct waiting {
	int64_t end_ms;
	char lasting[17]; /* fingerprint of what was lasting the last time */
};

/* Judge one reading; returns true when it is the last, with the exit status. */
static bool judge(const struct options *options, const struct reading *reading,
		  struct waiting *waiting, const struct diag_cancel *cancel, int *ret_status)
{
	const struct diag_finding *lasting;
	enum diag_verdict verdict =
		diag_decide(reading->snapshot, reading->run, waiting->lasting, &lasting);
	bool late = diag_clock_ms() >= waiting->end_ms || diag_cancelled(cancel);

	if (diag_run_is_empty(reading->run) && verdict == DIAG_VERDICT_GOOD)
		verdict = DIAG_VERDICT_OPEN; /* worlds may be made yet */
	memcpy(waiting->lasting, lasting ? lasting->fingerprint : "",
	       lasting ? sizeof(waiting->lasting) : 1);
	if (verdict == DIAG_VERDICT_OPEN && !late)
		return false;
	if (verdict == DIAG_VERDICT_NEVER)
		name_lasting(lasting);
	*ret_status = report(options, reading, verdict == DIAG_VERDICT_OPEN, cancel);
	return true;
}

static int wait_until_decided(const struct options *options, struct diag_config *config,
			      struct diag_input *input, const struct diag_cancel *cancel)
{
	struct waiting waiting = { .end_ms = diag_clock_ms() + options->wait_ms };
	int status = DIAG_EXIT_FAILED;

	for (;;) {
		struct diag_error err = DIAG_ERROR_INIT;
		struct reading reading = { 0 };
		bool last;

		if (read_once(options, config, input, &reading, &err) == 0)
			last = judge(options, &reading, &waiting, cancel, &status);
		else if ((last = !is_passing(&err) || diag_clock_ms() >= waiting.end_ms))
			status = diag_app_fail(TOOL_NAME, &err);
		reading_done(&reading);
		if (last)
			return status;
		diag_pause(DIAG_MIN(options->interval_ms,
				    DIAG_MAX(waiting.end_ms - diag_clock_ms(), (int64_t)0)),
			   cancel);
	}
}

/* Whoever read our lines has gone, as after `| head`. */
static bool is_unread(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };

	return poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLHUP));
}

static int watch_once(const struct options *options, struct diag_config *config,
		      struct diag_input *input, struct diag_changes *changes,
		      struct diag_error *err)
{
	struct diag_buf text diag_buf_auto = { 0 };
	struct reading reading = { 0 };
	int r = read_once(options, config, input, &reading, err);

	if (r < 0)
		return r;
	diag_buf_init(&text, DIAG_MAX_REPORT);
	if (diag_changes_next(changes, reading.snapshot, reading.run,
			      policy_of(options, config).show, &text))
		r = diag_app_write("-", diag_buf_str(&text), err);
	reading_done(&reading);
	return r;
}

static int watch(const struct options *options, struct diag_config *config,
		 struct diag_input *input, const struct diag_cancel *cancel)
{
	struct diag_changes *changes = diag_changes_new();
	int status = DIAG_EXIT_INTERRUPTED;
	bool told = false;

	do {
		struct diag_error err = DIAG_ERROR_INIT;
		int r = watch_once(options, config, input, changes, &err);

		if (r < 0 && !is_passing(&err)) {
			status = diag_app_fail(TOOL_NAME, &err);
			break;
		}
		if (r < 0 && !told)
			diag_app_warn(TOOL_NAME, "%s; trying again", err.message);
		told = r < 0;
		if (is_unread()) {
			status = DIAG_EXIT_OK;
			break;
		}
	} while (diag_pause(options->interval_ms, cancel));
	diag_changes_free(changes);
	return status;
}

static int check_modes(const struct options *options, const struct diag_input *input,
		       struct diag_error *err)
{
	if (options->watch && options->wait_ms)
		return diag_error_set(err, DIAG_E_INVALID,
				      "--wait and --watch contradict each other");
	if (options->watch && options->output.outputs.count)
		return diag_error_set(err, DIAG_E_INVALID,
				      "--watch prints lines of its own: no -o with it");
	if (options->print_role &&
	    (options->watch || options->wait_ms || options->output.outputs.count))
		return diag_error_set(err, DIAG_E_INVALID,
				      "--print-role prints roles only: no -o, --wait or --watch");
	if (options->write_baseline && !options->baseline)
		return diag_error_set(err, DIAG_E_INVALID,
				      "--write-baseline needs --baseline FILE");
	if (options->write_baseline && (options->watch || options->wait_ms))
		return diag_error_set(err, DIAG_E_INVALID,
				      "--write-baseline writes what one look finds: no --wait or "
				      "--watch");
	if (options->new_only && options->baseline)
		return diag_error_set(err, DIAG_E_INVALID,
				      "--new-only and --baseline contradict each other");
	if (options->new_only && !diag_input_has_overlay(input))
		return diag_error_set(err, DIAG_E_INVALID,
				      "--new-only compares manifests with what is there: give -f "
				      "and a bundle or cluster");
	if ((options->watch || options->wait_ms) &&
	    (!diag_input_is_live(input) || diag_input_has_overlay(input)))
		return diag_error_set(err, DIAG_E_INVALID,
				      "%s reads a cluster again and again; a bundle and manifests "
				      "stay as they are",
				      options->watch ? "--watch" : "--wait");
	return DIAG_OK;
}

int read_and_report(const struct options *options, const char *const *wants,
		    struct diag_config *config)
{
	const struct diag_cancel *cancel = diag_app_start();
	diag_input_auto struct diag_input *input = NULL;
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_input_open(&options->source, wants, cancel, &input, &err) < 0 ||
	    check_modes(options, input, &err) < 0)
		return diag_app_fail(TOOL_NAME, &err);
	if (options->watch)
		return watch(options, config, input, cancel);
	if (options->wait_ms)
		return wait_until_decided(options, config, input, cancel);
	return once(options, config, input, cancel);
}
