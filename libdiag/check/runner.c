#include "check/runner.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/str.h"
#include "check/cause.h"
#include "model/resource.h"

const char *const diag_result_names[DIAG_RESULT_STATUS_COUNT] = {
	[DIAG_RESULT_PASS] = "pass",
	[DIAG_RESULT_FINDINGS] = "findings",
	[DIAG_RESULT_SKIPPED] = "skipped",
	[DIAG_RESULT_ERROR] = "error",
};

struct diag_run {
	struct diag_arena *arena;
	struct diag_findings *findings;
	struct diag_result *results;
	size_t count, capacity;
	struct diag_policy policy;
	const char *version;
	bool incomplete, empty;
};

static bool matches(const char *const *globs, const struct diag_check *check)
{
	for (; globs && *globs; globs++)
		if (diag_check_matches(*globs, check->id, check->fault))
			return true;
	return false;
}

const struct diag_severity_rule *diag_policy_severity(const struct diag_policy *policy,
						      const struct diag_check *check)
{
	for (size_t i = policy->severity_count; i-- > 0;)
		if (diag_check_matches(policy->severities[i].glob, check->id, check->fault))
			return &policy->severities[i];
	return NULL;
}

bool diag_policy_selects(const struct diag_policy *policy, const struct diag_check *check)
{
	const struct diag_severity_rule *rule = diag_policy_severity(policy, check);

	return (!policy->only || matches(policy->only, check)) && !matches(policy->skip, check) &&
	       !(rule && rule->severity < 0);
}

/* What is known of the data that a check needs, over all subject namespaces. */
struct need {
	bool usable;         /* at least one namespace has all of it */
	bool complete;       /* every namespace has all of it */
	bool not_applicable; /* manifests never hold it */
	const char *reason;
};

static bool is_there(enum diag_availability state)
{
	return state == DIAG_AVAILABLE || state == DIAG_EMPTY;
}

/* One resource in one namespace; returns whether a check can work with it. */
static bool judge(const struct diag_snapshot *snapshot, struct diag_arena *arena,
		  const char *resource, const char *namespace_, struct need *need)
{
	const char *why;
	enum diag_availability state = diag_snapshot_state(snapshot, resource, namespace_, &why);

	if (is_there(state))
		return true;
	need->complete = false;
	if (!need->reason)
		need->reason = diag_arena_printf(
			arena, "%s%s%s: %s%s%s", resource, namespace_ ? " in namespace " : "",
			namespace_ ? namespace_ : "", diag_availability_name(state),
			why ? ", " : "", why ? why : "");
	return state == DIAG_TRUNCATED;
}

static bool namespace_usable(const struct diag_snapshot *snapshot, struct diag_arena *arena,
			     const struct diag_check *check, const char *namespace_,
			     struct need *need)
{
	bool usable = true;

	for (const char *const *resource = check->requires; resource && *resource; resource++) {
		const struct diag_resource *known = diag_resource_by_name(*resource);
		const char *where = known && !known->namespaced ? NULL : namespace_;

		usable &= judge(snapshot, arena, *resource, where, need);
	}
	return usable;
}

static struct need examine(const struct diag_snapshot *snapshot, struct diag_arena *arena,
			   const struct diag_check *check)
{
	struct need need = { .complete = true };
	const char *resource;
	size_t count;
	const char *const *namespaces = diag_snapshot_namespaces(snapshot, &count);

	if (diag_snapshot_is_predicted(snapshot) && diag_check_observes(check, &resource)) {
		need.not_applicable = true;
		need.reason = diag_arena_printf(arena, "manifests hold no %s", resource);
		return need;
	}
	need.usable = count == 0;
	for (size_t i = 0; i < count; i++)
		need.usable |= namespace_usable(snapshot, arena, check, namespaces[i], &need);
	return need;
}

struct to_come {
	const char *check;
	const struct diag_map *before;
};

static bool is_no_future(const struct diag_finding *finding, const void *arg)
{
	const struct to_come *to_come = arg;

	return !diag_str_eq(finding->check, to_come->check) ||
	       diag_map_get(to_come->before, finding->fingerprint);
}

/* What manifests that are not applied yet ask for cannot have been observed: it is not missing. */
static void drop_what_is_to_come(struct diag_run *run, const struct diag_check *check)
{
	const struct to_come to_come = { check->id, run->policy.before };

	if (to_come.before && diag_check_observes(check, NULL))
		diag_findings_filter(run->findings, is_no_future, &to_come);
}

static void run_check(struct diag_run *run, const struct diag_check *check,
		      struct diag_check_ctx *ctx, struct diag_result *result)
{
	struct diag_error err = DIAG_ERROR_INIT;
	size_t before, after;
	const char *skip = NULL;
	const struct diag_severity_rule *rule = diag_policy_severity(&run->policy, check);
	struct diag_finding *const *all;

	ctx->ret_skip = &skip;
	diag_findings_all(run->findings, &before);
	ctx->check = check;
	if (check->run(ctx, &err) < 0) {
		result->status = DIAG_RESULT_ERROR;
		result->reason = diag_arena_strdup(run->arena, err.message);
		result->incomplete = true;
		return;
	}
	drop_what_is_to_come(run, check);
	all = diag_findings_all(run->findings, &after);
	for (size_t i = before; rule && i < after; i++)
		all[i]->severity = (enum diag_severity)rule->severity;
	result->finding_count = after - before;
	if (skip && after == before) {
		result->status = DIAG_RESULT_SKIPPED;
		result->reason = skip;
		return;
	}
	result->status = after > before ? DIAG_RESULT_FINDINGS : DIAG_RESULT_PASS;
}

static void one_check(struct diag_run *run, const struct diag_check *check,
		      struct diag_check_ctx *ctx)
{
	struct need need = examine(ctx->snapshot, run->arena, check);
	struct diag_result *result;

	run->results = diag_xgrow(run->results, run->count, &run->capacity, sizeof(*run->results));
	result = &run->results[run->count++];
	*result = (struct diag_result){
		.check = check,
		.status = DIAG_RESULT_SKIPPED,
		.reason = need.reason,
		.incomplete = !need.complete && !check->supplementary,
	};
	if (need.usable)
		run_check(run, check, ctx, result);
	run->incomplete |= result->incomplete;
}

static bool touches(const struct diag_finding *finding, const char *const *worlds)
{
	for (; *worlds; worlds++) {
		for (size_t i = 0; i < finding->at_count; i++) {
			const char *key = finding->at[i];

			if (diag_str_starts(key, "world/") && diag_str_ends(key, *worlds) &&
			    key[strlen(key) - strlen(*worlds) - 1] == '/')
				return true;
		}
	}
	return false;
}

/* What explains a finding that is shown is shown, too, whatever it is about. */
static void keep(struct diag_finding *finding)
{
	if (finding->kept)
		return;
	finding->kept = true;
	for (size_t i = 0; i < finding->explained_by_count; i++)
		keep(finding->explained_by[i]);
}

static bool is_kept(const struct diag_finding *finding, const void *arg DIAG_UNUSED)
{
	return finding->kept;
}

static void keep_worlds(struct diag_findings *findings, const char *const *worlds)
{
	size_t count;
	struct diag_finding *const *all = diag_findings_all(findings, &count);

	for (size_t i = 0; i < count; i++)
		if (touches(all[i], worlds))
			keep(all[i]);
	diag_findings_filter(findings, is_kept, NULL);
}

/* Any object of the domain in the namespaces that are looked at. */
static bool holds_any(const struct diag_domain *domain, const struct diag_snapshot *snapshot)
{
	size_t count;
	const struct diag_resource *all = diag_resources(&count);

	for (size_t i = 0; domain && i < count; i++) {
		const char *dot = strchr(all[i].name, '.');

		if (dot && strcmp(dot + 1, domain->group) == 0 &&
		    json_array_size(diag_snapshot_subjects(snapshot, all[i].name)))
			return true;
	}
	return domain == NULL;
}

struct diag_run *diag_run_new(const struct diag_check_set *set,
			      const struct diag_snapshot *snapshot,
			      const struct diag_policy *policy)
{
	struct diag_run *run = diag_xcalloc(1, sizeof(*run));
	void *domain = set->prepare ? set->prepare(snapshot) : NULL;
	struct diag_check_ctx ctx = {
		.snapshot = snapshot,
		.domain = domain,
		.grace_ms = policy->grace_ms,
	};
	size_t problems;

	run->arena = diag_arena_new();
	run->findings = diag_findings_new();
	run->policy = *policy;
	run->version = set->version ? set->version(snapshot) : NULL;
	ctx.out = run->findings;
	for (const struct diag_check *const *check = set->checks; *check; check++)
		if (diag_policy_selects(policy, *check))
			one_check(run, *check, &ctx);
	if (set->release)
		set->release(domain);
	if (policy->accept)
		policy->accept(run->findings, snapshot, policy->accept_arg);
	diag_cause_graph(run->findings, set->rules);
	if (policy->worlds)
		keep_worlds(run->findings, policy->worlds);
	run->empty = !holds_any(set->domain, snapshot);
	run->incomplete |= run->empty;
	diag_snapshot_problems(snapshot, &problems);
	run->incomplete |= problems > 0;
	return run;
}

void diag_run_free(struct diag_run *run)
{
	if (!run)
		return;
	diag_findings_free(run->findings);
	diag_arena_free(run->arena);
	free(run->results);
	free(run);
}

const struct diag_result *diag_run_results(const struct diag_run *run, size_t *ret_count)
{
	*ret_count = run->count;
	return run->results;
}

const struct diag_findings *diag_run_findings(const struct diag_run *run)
{
	return run->findings;
}

const char *diag_run_version(const struct diag_run *run)
{
	return run->version;
}

bool diag_run_is_empty(const struct diag_run *run)
{
	return run->empty;
}

bool diag_run_is_incomplete(const struct diag_run *run)
{
	return run->incomplete;
}

bool diag_run_fails(const struct diag_run *run)
{
	size_t count;
	struct diag_finding *const *findings = diag_findings_all(run->findings, &count);

	for (size_t i = 0; i < count; i++)
		if (findings[i]->standing == DIAG_STANDING_NEW &&
		    findings[i]->severity >= run->policy.fail_on)
			return true;
	return false;
}
