/*
 * F54: modules whose init containers wait for each other. Whether it bites is a race: pods that
 * were up before the waits were added keep the cycle satisfied until they restart.
 */
#include "base/buf.h"
#include "base/limits.h"

#include "checks/support.h"

static bool is_healthy(const struct diag_check_ctx *ctx, const struct bindery_workload *workload)
{
	const struct bindery_runtime *runtime =
		bindery_view_runtime(view_of(ctx), workload->namespace_, workload->name);

	return runtime && diag_workload_is_healthy(runtime->real);
}

static bool any_healthy(const struct diag_check_ctx *ctx, const struct bindery_cycle *cycle)
{
	for (size_t i = 0; i < cycle->count; i++)
		if (is_healthy(ctx, cycle->members[i]))
			return true;
	return false;
}

/* "physics waits for state, state waits for physics": follow the waits inside the cycle. */
static void describe(const struct bindery_cycle *cycle, struct diag_buf *out)
{
	for (size_t i = 0; i < cycle->count && i < 4; i++) {
		const struct bindery_workload *workload = cycle->members[i];

		for (size_t w = 0; w < workload->wait_count; w++) {
			const struct bindery_workload *target = workload->waits[w].target;

			if (!target || target->cycle != workload->cycle)
				continue;
			diag_buf_printf(out, "%s%s waits for %s", out->length ? ", " : "",
					workload->members[0].module, target->members[0].module);
			break;
		}
	}
}

static void add_members(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			const struct bindery_cycle *cycle)
{
	for (size_t i = 0; i < cycle->count; i++) {
		const struct bindery_workload *workload = cycle->members[i];

		finding_about_workload(finding, workload);
		diag_finding_related(finding, bindery_ref_manifest(workload->namespace_,
								   workload->members[0].module));
		for (size_t w = 0; w < workload->wait_count; w++) {
			const struct bindery_wait *wait = &workload->waits[w];

			if (!wait->target || wait->target->cycle != workload->cycle)
				continue;
			diag_finding_field(finding,
					   bindery_ref_manifest(workload->namespace_,
								workload->members[0].module),
					   "spec.requires", "%s, provided by %s",
					   wait->binding->capability, wait->binding->provider);
			if (wait->binding->desired && wait->binding->desired->requirement)
				diag_finding_at_line(
					finding,
					diag_snapshot_position_self(
						ctx->snapshot,
						wait->binding->desired->requirement->entry));
		}
	}
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_cycle *cycle)
{
	const struct bindery_workload *first = cycle->members[0];
	struct diag_buf text diag_buf_auto = { 0 };
	bool latent = any_healthy(ctx, cycle);
	struct diag_finding *finding;

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	describe(cycle, &text);
	finding = diag_check_find(
		ctx, bindery_ref_manifest(first->namespace_, first->members[0].module),
		"%zu modules wait for each other to start: %s%s", cycle->count, diag_buf_str(&text),
		latent ? "; they run now, and will not after a restart of all of them" : "");
	if (latent)
		finding->severity = DIAG_SEVERITY_WARNING;
	if (first->world)
		diag_finding_discriminate(finding, first->world->name);
	add_members(ctx, finding, cycle);
	diag_finding_edit(finding, "remove one of these requirements, or colocate the modules with "
				   "strategy Pod, which does not wait");
}

/* The shards of a world repeat a cycle; the first stands for all. */
static bool is_repeat(const struct bindery_cycle *cycle)
{
	return cycle->members[0]->shard > 0;
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_cycle *cycle;

	foreach_prediction(ctx, p)
		foreach_item(cycle, p->cycles, p->cycle_count)
			/* Of one: the module is bound to itself (F25), or named like the world
			 * (F53). */
			if (cycle->count > 1 && !is_repeat(cycle))
				report(ctx, cycle);
	return DIAG_OK;
}

DIAG_CHECK(wait_cycle) = {
	.id = "wait.cycle",
	.title = "No modules wait for each other",
	.fault = "F54",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Once all of them restart, none of them comes up.",
	.hint = "Break the cycle, or colocate the modules with strategy Pod.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("deployments.apps", "realms.bindery.platform"),
	.run = run,
};
