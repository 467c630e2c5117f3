/* F32: a module runs once for each scope in which it is a provider. */
#include "base/str.h"

#include "checks/module/placements.h"

static const struct bindery_workload *workload_of(const struct bindery_prediction *p,
						  const struct bindery_world *world,
						  const char *module, unsigned bit)
{
	const struct bindery_workload *workload;

	foreach_workload(p, workload) {
		unsigned is = workload->global       ? PLACED_SHARED
			      : workload->shard >= 0 ? PLACED_PER_SHARD
						     : PLACED_IN_WORLD;

		if (is != bit || (workload->world && workload->world != world))
			continue;
		for (size_t i = 0; i < workload->member_count; i++)
			if (diag_str_eq(workload->members[i].module, module))
				return workload;
	}
	return NULL;
}

/* The consumers that lead to one of the two workloads. */
static void add_evidence(struct diag_finding *finding, const struct bindery_workload *workload,
			 const char *module)
{
	if (!workload)
		return;
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	for (size_t i = 0; i < workload->member_count; i++) {
		const struct bindery_member *member = &workload->members[i];

		if (!diag_str_eq(member->module, module) || !member->binding_count)
			continue;
		diag_finding_note(finding, "%s: %s asks for %s in scope %s", workload->name,
				  member->bindings[0]->consumer, member->bindings[0]->capability,
				  member->bindings[0]->scope);
	}
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_world *world, const struct bindery_module *module,
		   unsigned placed)
{
	struct diag_finding *finding =
		diag_check_find(ctx, bindery_ref_manifest(p->namespace_, module->name),
				"%s runs more than once for world %s: %s", module->name,
				world->name, placements_text(placed));

	diag_finding_discriminate(finding, world->name);
	finding_about_world(finding, world);
	for (unsigned bit = PLACED_IN_WORLD; bit <= PLACED_SHARED; bit <<= 1)
		if (placed & bit)
			add_evidence(finding, workload_of(p, world, module->name, bit),
				     module->name);
	finding_at_spec(ctx, finding, module->manifest, "provides");
	diag_finding_edit(finding, "let %s provide, and its consumers require, in one scope only",
			  module->name);
}

static void check_world(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			const struct bindery_world *world, struct placements *placements)
{
	for (size_t i = 0; i < world->module_count; i++) {
		const struct bindery_module *module = &world->modules[i];
		unsigned placed = placements_of(placements, world, module->name);
		bool repeated = false;

		for (size_t j = 0; j < i && (placed & (placed - 1)); j++)
			repeated |= world->modules[j].manifest == module->manifest;
		/* More than one bit. */
		if ((placed & (placed - 1)) && !repeated)
			report(ctx, p, world, module, placed);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p) {
		struct placements *placements placements_auto = placements_new(p);

		foreach_world(p, world)
			if (!bindery_is_deleting(world->object))
				check_world(ctx, p, world, placements);
	}
	return DIAG_OK;
}

DIAG_CHECK(module_two_scopes) = {
	.id = "module.two-scopes",
	.title = "Each module runs in one scope",
	.fault = "F32",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "There are two copies of the module, and its consumers are split between them.",
	.hint = "Provide and require the module's capabilities in one scope.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
