/* F11: a CapabilityDefinition says how a capability is published; nothing holds modules to it. */
#include "base/map.h"
#include "base/str.h"
#include "text/json.h"
#include "text/semver.h"

#include "checks/support.h"

static bool lists(const json_t *list, const char *text)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry) {
		if (diag_str_eq(json_string_value(entry), text))
			return true;
	}
	return false;
}

static bool is_newer(const char *version, const char *latest)
{
	struct diag_semver diag_semver_auto a = { 0 }, diag_semver_auto b = { 0 };

	return version && latest && diag_semver_parse(version, &a, NULL) == 0 &&
	       diag_semver_parse(latest, &b, NULL) == 0 && diag_semver_compare(&a, &b) > 0;
}

/* Without a list of versions only a newer one than the latest is news. */
static bool knows_version(const json_t *definition, const char *version)
{
	const char *latest = diag_json_str(definition, "spec", "latestVersion");
	const json_t *versions = diag_json_array(definition, "spec", "versions");

	if (diag_str_eq(version, latest))
		return true;
	return versions ? lists(versions, version) : !is_newer(version, latest);
}

/* The first field that the definition does not cover, or NULL. */
static const char *deviation(const json_t *definition, const json_t *entry)
{
	const char *scope = diag_json_str(entry, "scope");
	const char *version = diag_json_str(entry, "version");
	const char *multiplicity = diag_json_str(entry, "multiplicity");

	if (scope && !lists(diag_json_array(definition, "spec", "scopes"), scope))
		return "scope";
	if (version && !knows_version(definition, version))
		return "version";
	if (multiplicity &&
	    !diag_str_eq(multiplicity, diag_json_str(definition, "spec", "multiplicity")))
		return "multiplicity";
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const json_t *manifest, size_t index,
		   const json_t *definition, const char *field)
{
	const json_t *entry = json_array_get(diag_json_array(manifest, "spec", "provides"), index);
	struct diag_ref subject = diag_ref_of(manifest);
	const char *capability = diag_json_str(entry, "capabilityId");
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"%s provides %s with %s %s, which CapabilityDefinition %s does not list",
		subject.name, capability, field, diag_json_str(entry, field),
		diag_ref_of(definition).name);

	diag_finding_discriminate(finding, capability);
	diag_finding_related(finding, diag_ref_of(definition));
	diag_finding_field(finding, subject, "spec.provides", "%s: %s %s", capability, field,
			   diag_json_str(entry, field));
	diag_finding_field(finding, diag_ref_of(definition), "spec.latestVersion", "%s",
			   diag_json_str(definition, "spec", "latestVersion")
				   ? diag_json_str(definition, "spec", "latestVersion")
				   : "");
	diag_finding_at_line(finding, diag_snapshot_position_key(ctx->snapshot, entry, field));
	diag_finding_edit(
		finding,
		"publish it in CapabilityDefinition %s, or change %s in spec.provides[%zu] "
		"of %s",
		diag_ref_of(definition).name, field, index, subject.name);
}

static void check_manifest(const struct diag_check_ctx *ctx, const json_t *manifest,
			   const struct diag_map *definitions)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(diag_json_array(manifest, "spec", "provides"), i, entry) {
		const char *capability = diag_json_str(entry, "capabilityId");
		const json_t *definition =
			capability ? diag_map_get(definitions, capability) : NULL;
		const char *field = definition ? deviation(definition, entry) : NULL;

		if (field)
			report(ctx, manifest, i, definition, field);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	diag_map_auto struct diag_map *definitions = diag_map_new();
	json_t *definition;
	const json_t *manifest;
	size_t i;

	json_array_foreach(
		diag_snapshot_list(ctx->snapshot, "capabilitydefinitions.bindery.platform"), i,
		definition) {
		const char *capability = diag_json_str(definition, "spec", "capabilityId");

		if (capability)
			diag_map_set(definitions, capability, definition);
	}
	diag_snapshot_foreach(ctx->snapshot, "modulemanifests.bindery.platform", manifest)
		check_manifest(ctx, manifest, definitions);
	return DIAG_OK;
}

DIAG_CHECK(capability_definition) = {
	.id = "capability.definition",
	.title = "Modules provide capabilities as their definitions say",
	.fault = "F11",
	.severity = DIAG_SEVERITY_INFO,
	.impact = "None at run time; consumers that go by the published contract are misled.",
	.hint = "Bring the module and the CapabilityDefinition together.",
	.requires = DIAG_RESOURCES("capabilitydefinitions.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.supplementary = true,
	.run = run,
};
