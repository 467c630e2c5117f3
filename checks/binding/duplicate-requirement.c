/* F28: one capability required twice in one scope and multiplicity: both bindings have one name. */
#include <string.h>

#include "base/str.h"
#include "text/json.h"

#include "checks/support.h"

static const char *text(const json_t *entry, const char *key)
{
	const char *value = diag_json_str(entry, key);

	return value ? value : "";
}

static bool collide(const json_t *a, const json_t *b)
{
	return *text(a, "capabilityId") &&
	       strcmp(text(a, "capabilityId"), text(b, "capabilityId")) == 0 &&
	       strcmp(text(a, "scope"), text(b, "scope")) == 0 &&
	       strcmp(text(a, "multiplicity"), text(b, "multiplicity")) == 0;
}

static bool is_used(const struct bindery_world *world, const json_t *manifest)
{
	for (size_t i = 0; i < world->module_count; i++)
		if (world->modules[i].manifest == manifest && !world->modules[i].external)
			return true;
	return false;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const json_t *manifest, size_t first, size_t second)
{
	const json_t *requires = diag_json_array(manifest, "spec", "requires");
	const json_t *a = json_array_get(requires, first), *b = json_array_get(requires, second);
	struct diag_ref subject = diag_ref_of(manifest);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"%s requires %s twice, as %s and as %s: only one of the two bindings can "
		"exist",
		subject.name, text(a, "capabilityId"), text(a, "versionConstraint"),
		text(b, "versionConstraint"));
	const struct bindery_world *world;

	diag_finding_discriminate(finding, text(a, "capabilityId"));
	foreach_world(p, world)
		if (is_used(world, manifest))
			finding_about_world(finding, world);
	diag_finding_field(finding, subject, "spec.requires", "%s %s", text(a, "capabilityId"),
			   text(a, "versionConstraint"));
	diag_finding_field(finding, subject, "spec.requires", "%s %s", text(b, "capabilityId"),
			   text(b, "versionConstraint"));
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, b));
	diag_finding_edit(finding,
			  "merge spec.requires[%zu] and [%zu] of ModuleManifest %s into one "
			  "constraint",
			  first, second, subject.name);
}

static void check_manifest(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			   const json_t *manifest)
{
	const json_t *requires = diag_json_array(manifest, "spec", "requires");

	for (size_t i = 1; i < json_array_size(requires); i++) {
		for (size_t j = 0; j < i; j++) {
			if (!collide(json_array_get(requires, j), json_array_get(requires, i)))
				continue;
			report(ctx, p, manifest, j, i);
			break;
		}
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *manifest;

	diag_snapshot_foreach(ctx->snapshot, "modulemanifests.bindery.platform", manifest) {
		const struct bindery_prediction *p =
			bindery_view_prediction(view_of(ctx), diag_ref_of(manifest).namespace_);

		if (p)
			check_manifest(ctx, p, manifest);
	}
	return DIAG_OK;
}

DIAG_CHECK(binding_duplicate_requirement) = {
	.id = "binding.duplicate-requirement",
	.title = "No module requires one capability twice in one scope",
	.fault = "F28",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The consumer gets one of the two, and the binding may flip between them.",
	.hint = "Merge the two entries.",
	.requires = DIAG_RESOURCES("modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform"),
	.run = run,
};
