/* F33: of several candidates the highest version wins, then the first name; realm and Booklet are
 * ranked together. */
#include <string.h>

#include "checks/support.h"

static const struct bindery_desired *chosen(const struct bindery_resolution *resolution,
					    const struct bindery_requirement *r)
{
	for (size_t i = 0; i < resolution->desired_count; i++)
		if (resolution->desired[i].requirement == r)
			return &resolution->desired[i];
	return NULL;
}

/* A fitting candidate of another module. */
static const struct bindery_provided *runner_up(const struct bindery_requirement *r,
						const char *winner)
{
	for (size_t i = 0; i < r->candidate_count; i++)
		if (r->candidates[i].miss == BINDERY_FITS &&
		    strcmp(r->candidates[i].provided->module->name, winner) != 0)
			return r->candidates[i].provided;
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   const struct bindery_requirement *r, const struct bindery_desired *desired,
		   const struct bindery_provided *other)
{
	struct diag_ref subject = bindery_ref_manifest(world->namespace_, r->module->name);
	struct diag_finding *finding =
		diag_check_find(ctx, subject, "%s gets %s from %s %s, although %s %s fits as well",
				r->module->name, r->capability, desired->provider, desired->version,
				other->module->name, other->version);

	diag_finding_discriminate(finding, r->capability);
	finding_about_world(finding, world);
	diag_finding_related(finding, bindery_ref_manifest(world->namespace_, desired->provider));
	diag_finding_related(finding, bindery_ref_manifest(world->namespace_, other->module->name));
	diag_finding_field(finding, subject, "spec.requires", "%s %s", r->capability,
			   r->constraint);
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, r->entry));
	diag_finding_edit(
		finding,
		"if %s was meant, pin it: versionConstraint \"=%s\" in spec.requires[%zu] "
		"of %s",
		other->module->name, other->version, r->index, r->module->name);
}

static void check_world(const struct diag_check_ctx *ctx,
			const struct bindery_prediction *p DIAG_UNUSED,
			const struct bindery_world *world)
{
	for (size_t i = 0; i < world->resolution->requirement_count; i++) {
		const struct bindery_requirement *r = &world->resolution->requirements[i];
		const struct bindery_desired *desired;
		const struct bindery_provided *other;

		/* Of many, all are taken (F27). */
		if (!r->resolved || r->candidate_count < 2 || strcmp(r->multiplicity, "many") == 0)
			continue;
		desired = chosen(world->resolution, r);
		other = desired ? runner_up(r, desired->provider) : NULL;
		if (other)
			report(ctx, world, r, desired, other);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_resolved_world(ctx, check_world);
	return DIAG_OK;
}

DIAG_CHECK(requirement_several_providers) = {
	.id = "requirement.several-providers",
	.title = "Each requirement has one provider that fits",
	.fault = "F33",
	.severity = DIAG_SEVERITY_INFO,
	.impact = "The consumer may talk to another provider than its author expected.",
	.hint = "Pin the version constraint.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
