/* F31: a module that runs once a world requires something that exists once a shard: nothing is
 * injected. */
#include <string.h>

#include "checks/support.h"

/* Whether the consumer runs per shard at all; `ret_other` is a workload of it that does not. */
static bool runs_per_shard(const struct bindery_prediction *p, const struct bindery_world *world,
			   const char *module, const struct bindery_workload **ret_other)
{
	const struct bindery_workload *workload;
	bool per_shard = false;

	*ret_other = NULL;
	foreach_workload(p, workload) {
		for (size_t i = 0; i < workload->member_count; i++) {
			if (strcmp(workload->members[i].module, module) != 0 ||
			    (workload->world && workload->world != world))
				continue;
			if (workload->shard >= 0)
				per_shard = true;
			else
				*ret_other = workload;
		}
	}
	return per_shard;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   const struct bindery_requirement *r, const struct bindery_workload *workload)
{
	struct diag_ref subject = bindery_ref_manifest(world->namespace_, r->module->name);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"%s runs once for the world and requires %s per shard: it gets no address and does not "
		"wait for it",
		r->module->name, r->capability);

	diag_finding_discriminate(finding, r->capability);
	finding_about_workload(finding, workload);
	finding_about_world(finding, world);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	diag_finding_field(finding, subject, "spec.requires", "%s, scope world-shard",
			   r->capability);
	diag_finding_at_line(finding, diag_snapshot_position_key(ctx->snapshot, r->entry, "scope"));
	diag_finding_edit(finding,
			  "set spec.scaling.defaultScope of %s to world-shard, or provide and "
			  "require %s in scope world",
			  r->module->name, r->capability);
}

static void check_world(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			const struct bindery_world *world)
{
	for (size_t i = 0; i < world->resolution->requirement_count; i++) {
		const struct bindery_requirement *r = &world->resolution->requirements[i];
		const struct bindery_workload *workload;

		if (r->resolved && strcmp(r->scope, "world-shard") == 0 &&
		    !runs_per_shard(p, world, r->module->name, &workload) && workload)
			report(ctx, world, r, workload);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_resolved_world(ctx, check_world);
	return DIAG_OK;
}

DIAG_CHECK(requirement_shard_dependency) = {
	.id = "requirement.shard-dependency",
	.title = "Modules that run once do not require what runs per shard",
	.fault = "F31",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The consumer starts without the dependency's address.",
	.hint = "Run the consumer per shard, or change the scope of the requirement.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
