/* F12: the resolver does not look at features: a provider without a required one is chosen all the
 * same. */
#include <string.h>

#include "base/str.h"
#include "text/json.h"

#include "checks/support.h"

static bool supports(const struct bindery_provided *provided, const char *feature)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(diag_json_array(provided->entry, "features", "supported"), i, entry) {
		if (diag_str_eq(json_string_value(entry), feature))
			return true;
	}
	return false;
}

/* The first required feature that the provider does not name, or NULL. */
static const char *missing_feature(const struct bindery_requirement *r,
				   const struct bindery_provided *provided)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(diag_json_array(r->entry, "features", "required"), i, entry) {
		const char *feature = json_string_value(entry);

		if (feature && !supports(provided, feature))
			return feature;
	}
	return NULL;
}

/* Another provider that fits and offers all features, or NULL. */
static const struct bindery_provided *better(const struct bindery_requirement *r)
{
	for (size_t i = 0; i < r->candidate_count; i++)
		if (r->candidates[i].miss == BINDERY_FITS &&
		    !missing_feature(r, r->candidates[i].provided))
			return r->candidates[i].provided;
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   const struct bindery_requirement *r, const struct bindery_provided *provided,
		   const char *feature)
{
	struct diag_ref subject = bindery_ref_manifest(world->namespace_, r->module->name);
	const struct bindery_provided *other = better(r);
	struct diag_finding *finding = diag_check_find(
		ctx, subject, "%s requires feature %s of %s, which its provider %s does not offer",
		r->module->name, feature, r->capability, provided->module->name);

	diag_finding_discriminate(finding, r->capability);
	finding_about_world(finding, world);
	diag_finding_related(finding,
			     bindery_ref_manifest(world->namespace_, provided->module->name));
	diag_finding_field(finding, subject, "spec.requires", "%s: features.required: %s",
			   r->capability, feature);
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, r->entry));
	if (other)
		diag_finding_edit(finding,
				  "%s %s offers it: pin versionConstraint \"=%s\" in "
				  "spec.requires[%zu] of %s",
				  other->module->name, other->version, other->version, r->index,
				  r->module->name);
	else
		diag_finding_edit(finding,
				  "add %s to features.supported of spec.provides[%zu] of %s if it "
				  "has it, or use a provider that does",
				  feature, provided->index, provided->module->name);
}

static const struct bindery_provided *provided_by(const struct bindery_requirement *r,
						  const struct bindery_desired *desired)
{
	for (size_t i = 0; i < r->candidate_count; i++) {
		const struct bindery_provided *provided = r->candidates[i].provided;

		if (r->candidates[i].miss == BINDERY_FITS &&
		    strcmp(provided->module->name, desired->provider) == 0 &&
		    strcmp(provided->version, desired->version) == 0)
			return provided;
	}
	return NULL;
}

static void check_world(const struct diag_check_ctx *ctx,
			const struct bindery_prediction *p DIAG_UNUSED,
			const struct bindery_world *world)
{
	for (size_t i = 0; i < world->resolution->desired_count; i++) {
		const struct bindery_desired *desired = &world->resolution->desired[i];
		const struct bindery_requirement *r = desired->requirement;
		const struct bindery_provided *provided = r ? provided_by(r, desired) : NULL;
		const char *feature = provided ? missing_feature(r, provided) : NULL;

		if (feature)
			report(ctx, world, r, provided, feature);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_resolved_world(ctx, check_world);
	return DIAG_OK;
}

DIAG_CHECK(requirement_feature) = {
	.id = "requirement.feature",
	.title = "Providers offer the features that are required",
	.fault = "F12",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module starts, and misbehaves against its provider.",
	.hint = "Use a provider or a version that offers the feature.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
