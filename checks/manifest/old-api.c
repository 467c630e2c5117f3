/*
 * F10: names from before the renames: the group game.platform and its kind GameDefinition, fields,
 * annotations, the capability `root`. Source: bindery-platform.md section 13.
 */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/json.h"

#include "checks/manifest/manifests.h"

static bool is_subject(const struct diag_check_ctx *ctx, const json_t *object)
{
	size_t count;
	const char *const *namespaces = diag_snapshot_namespaces(ctx->snapshot, &count);

	for (size_t i = 0; i < count; i++)
		if (diag_str_eq(namespaces[i], diag_ref_of(object).namespace_))
			return true;
	return count == 0;
}

/* The kind under which it is known today. */
static const char *kind_now(const char *kind)
{
	return strcmp(kind, "GameDefinition") == 0 ? "Booklet" : kind;
}

static void tell_object(const struct diag_check_ctx *ctx, const json_t *object)
{
	struct diag_ref ref = diag_ref_of(object);
	struct diag_finding *finding =
		diag_check_find(ctx, ref, "%s %s is of an old release (%s): nothing reads it",
				ref.kind, ref.name, diag_json_str(object, "apiVersion"));
	const char *now = kind_now(ref.kind);
	const char *key = strcmp(now, "Booklet") == 0          ? "booklet"
			  : strcmp(now, "ModuleManifest") == 0 ? "module"
							       : "world";

	diag_finding_at(finding, key, ref.namespace_, ref.name);
	diag_finding_field(finding, ref, "apiVersion", "%s", diag_json_str(object, "apiVersion"));
	diag_finding_at_line(finding,
			     diag_snapshot_position_key(ctx->snapshot, object, "apiVersion"));
	diag_finding_edit(finding, "write apiVersion: " BINDERY_API_VERSION ", kind: %s", now);
}

static void check_objects(const struct diag_check_ctx *ctx)
{
	const json_t *object;
	size_t i;

	json_array_foreach(diag_snapshot_list(ctx->snapshot, DIAG_UNKNOWN_KINDS), i, object) {
		const char *version = diag_json_str(object, "apiVersion");

		if ((diag_str_starts(version, "game.platform/") ||
		     (diag_str_starts(version, "bindery.platform/") &&
		      diag_str_eq(diag_json_str(object, "kind"), "GameDefinition"))) &&
		    is_subject(ctx, object))
			tell_object(ctx, object);
	}
}

static void check_field(const struct diag_check_ctx *ctx, const json_t *object)
{
	const struct former_field *former = former_field_of(object);
	struct diag_ref ref = diag_ref_of(object);
	struct diag_finding *finding;

	if (!former)
		return;
	finding = diag_check_find(ctx, ref, "%s %s has spec.%s, which is spec.%s today", ref.kind,
				  ref.name, former->former, former->now);
	diag_finding_discriminate(finding, former->former);
	finding_about_manifest(finding, object);
	finding_at_spec(ctx, finding, object, former->former);
	diag_finding_edit(finding, "rename spec.%s to spec.%s", former->former, former->now);
}

/* Annotations that have a successor, which is not set beside them. */
static void check_annotations(const struct diag_check_ctx *ctx, const json_t *object)
{
	static const char prefix[] = "anvil.dev/";
	size_t count;
	const char *const *names = manifest_annotations(&count);
	struct diag_ref ref = diag_ref_of(object);
	const json_t *map = diag_json_object(object, "metadata", "annotations");

	for (size_t i = 0; i < count; i++) {
		struct diag_buf key diag_buf_auto = { 0 };
		struct diag_finding *finding;

		diag_buf_init(&key, DIAG_MAX_MESSAGE);
		diag_buf_printf(&key, "%s%s", prefix, names[i]);
		if (!json_object_get(map, diag_buf_str(&key)) ||
		    bindery_manifest_annotation(object, names[i]) ||
		    (strcmp(names[i], "runtime-image") == 0 && bindery_manifest_image(object)))
			continue;
		finding = diag_check_find(
			ctx, ref, "annotation %s of %s is of an old release: nothing reads it",
			diag_buf_str(&key), ref.name);
		diag_finding_discriminate(finding, names[i]);
		finding_about_manifest(finding, object);
		diag_finding_at_line(finding, diag_snapshot_position_key(ctx->snapshot, map,
									 diag_buf_str(&key)));
		finding_at_spec(ctx, finding, object, NULL);
		diag_finding_edit(finding, "rename %s to bindery.dev/%s", diag_buf_str(&key),
				  names[i]);
	}
}

static void check_capabilities(const struct diag_check_ctx *ctx, const json_t *object,
			       const char *list)
{
	const json_t *entries = json_object_get(json_object_get(object, "spec"), list), *entry;
	size_t i;

	json_array_foreach(entries, i, entry) {
		struct diag_ref ref = diag_ref_of(object);
		struct diag_finding *finding;

		if (!diag_str_eq(diag_json_str(entry, "capabilityId"), "root"))
			continue;
		finding = diag_check_find(ctx, ref,
					  "%s names the capability root in spec.%s, which is "
					  "system.root today",
					  ref.name, list);
		diag_finding_discriminate(finding, list);
		finding_about_manifest(finding, object);
		diag_finding_at_line(
			finding, diag_snapshot_position_key(ctx->snapshot, entry, "capabilityId"));
		finding_at_spec(ctx, finding, object, list);
		diag_finding_edit(finding, "remove spec.%s[%zu]: root bindings are made without it",
				  list, i);
	}
}

static void check_object(const struct diag_check_ctx *ctx, json_t *object, void *arg DIAG_UNUSED)
{
	check_field(ctx, object);
	if (!diag_str_eq(diag_json_str(object, "kind"), "ModuleManifest"))
		return;
	check_annotations(ctx, object);
	check_capabilities(ctx, object, "provides");
	check_capabilities(ctx, object, "requires");
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	check_objects(ctx);
	each_manifest(ctx, check_object, NULL);
	return DIAG_OK;
}

DIAG_CHECK(manifest_old_api) = {
	.id = "manifest.old-api",
	.title = "Manifests use today's names",
	.fault = "F10",
	.severity = DIAG_SEVERITY_ERROR,
	.impact =
		"The kind is not found, or the module is treated as if the setting were not there.",
	.hint = "Move to bindery.platform, Booklet, gameRef, gameId and bindery.dev.",
	.requires = DIAG_RESOURCES(MANIFEST_REQUIRES),
	.enriches = DIAG_RESOURCES(MANIFEST_ENRICHES, DIAG_UNKNOWN_KINDS),
	.supplementary = true,
	.run = run,
};
