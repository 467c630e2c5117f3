/* F27: a requirement for many gives a binding a provider, all of one name: only one is bound at a
 * time. */
#include <string.h>

#include "checks/support.h"

static bool is_same(const struct bindery_provided *a, const struct bindery_provided *b)
{
	return a->module->manifest == b->module->manifest && strcmp(a->version, b->version) == 0;
}

/* The first two and the number of fitting providers of a requirement for many. A module that is
 * listed twice is one: both of its bindings are equal. */
static size_t fitting(const struct bindery_requirement *r, const struct bindery_provided **ret_two)
{
	size_t count = 0;

	for (size_t i = 0; i < r->candidate_count; i++) {
		const struct bindery_provided *provided = r->candidates[i].provided;
		bool repeated = false;

		for (size_t j = 0; j < i; j++)
			repeated |= r->candidates[j].miss == BINDERY_FITS &&
				    is_same(r->candidates[j].provided, provided);
		if (r->candidates[i].miss != BINDERY_FITS || repeated)
			continue;
		if (count < 2)
			ret_two[count] = provided;
		count++;
	}
	return count;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   const struct bindery_requirement *r, size_t count,
		   const struct bindery_provided *const *two)
{
	struct diag_ref subject = bindery_ref_manifest(world->namespace_, r->module->name);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"%s requires many of %s, and %zu fit (%s %s, %s %s): their bindings share one name, so "
		"only one is bound at a time",
		r->module->name, r->capability, count, two[0]->module->name, two[0]->version,
		two[1]->module->name, two[1]->version);

	diag_finding_discriminate(finding, r->capability);
	finding_about_world(finding, world);
	for (size_t i = 0; i < r->candidate_count; i++)
		diag_finding_related(finding,
				     bindery_ref_manifest(world->namespace_,
							  r->candidates[i].provided->module->name));
	diag_finding_field(finding, subject, "spec.requires", "%s %s, multiplicity many",
			   r->capability, r->constraint);
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, r->entry));
	diag_finding_edit(finding,
			  "leave one provider of %s in scope %s, or set multiplicity: \"1\" on "
			  "spec.requires[%zu] of %s",
			  r->capability, r->scope, r->index, r->module->name);
}

static void check_world(const struct diag_check_ctx *ctx,
			const struct bindery_prediction *p DIAG_UNUSED,
			const struct bindery_world *world)
{
	for (size_t i = 0; i < world->resolution->requirement_count; i++) {
		const struct bindery_requirement *r = &world->resolution->requirements[i];
		const struct bindery_provided *two[2];
		size_t count;

		if (!r->resolved || strcmp(r->multiplicity, "many") != 0)
			continue;
		count = fitting(r, two);
		if (count > 1)
			report(ctx, world, r, count, two);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_resolved_world(ctx, check_world);
	return DIAG_OK;
}

DIAG_CHECK(binding_many_collision) = {
	.id = "binding.many-collision",
	.title = "A requirement for many has one candidate",
	.fault = "F27",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The consumer is connected to one provider that keeps changing.",
	.hint = "Leave one provider, or require \"1\".",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
