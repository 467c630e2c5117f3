/* F05: a field that no schema knows is dropped by the API server, or by the operator, without a
 * word. */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/json.h"

#include "checks/manifest/manifests.h"

static const char *const scheduling_fields[] = {
	"affinity",
	"tolerations",
	"nodeSelector",
	"priorityClassName",
};

static struct diag_finding *find(const struct diag_check_ctx *ctx, const json_t *object,
				 const char *path, const char *why)
{
	struct diag_ref ref = diag_ref_of(object);
	struct diag_finding *finding = diag_check_find(ctx, ref, "%s in %s %s has no effect: %s",
						       path, ref.kind, ref.name, why);

	diag_finding_discriminate(finding, path);
	finding_about_manifest(finding, object);
	return finding;
}

static void suggest(struct diag_finding *finding, const char *field, const char *nearest)
{
	if (nearest)
		diag_finding_edit(finding, "write %s instead of %s", nearest, field);
	else
		diag_finding_edit(finding,
				  "remove %s, or put it where it belongs; kubectl apply "
				  "--validate=strict refuses such fields",
				  field);
}

static void tell(const struct diag_check_ctx *ctx, json_t *object,
		 const struct diag_schema_fault *fault, const char *crd)
{
	const struct former_field *former = former_field_of(object);
	struct diag_finding *finding;

	/* manifest.refused and manifest.old-api tell the others. */
	if (fault->rule != DIAG_SCHEMA_UNKNOWN || fault->told ||
	    (former && strcmp(fault->field, former->former) == 0))
		return;
	finding = find(ctx, object, fault->path, "there is no such field");
	if (crd)
		diag_finding_related(finding, diag_ref_make("CustomResourceDefinition", NULL, crd));
	finding_at_fault(ctx, finding, object, fault);
	suggest(finding, fault->field, fault->nearest);
}

static bool is_one_of(const char *text, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

/* The CRD has no schema for it, and the operator reads four fields. */
static void check_scheduling(const struct diag_check_ctx *ctx, const json_t *manifest)
{
	json_t *scheduling = diag_json_object(manifest, "spec", "scheduling"), *value;
	size_t count = DIAG_ARRAY_SIZE(scheduling_fields);
	const char *key;

	json_object_foreach(scheduling, key, value) {
		struct diag_buf path diag_buf_auto = { 0 };
		struct diag_finding *finding;

		if (is_one_of(key, scheduling_fields, count))
			continue;
		diag_buf_init(&path, DIAG_MAX_MESSAGE);
		diag_buf_printf(&path, "spec.scheduling.%.100s", key);
		finding = find(ctx, manifest, diag_buf_str(&path),
			       "the operator reads affinity, tolerations, nodeSelector and "
			       "priorityClassName only");
		diag_finding_at_line(finding,
				     diag_snapshot_position_key(ctx->snapshot, scheduling, key));
		suggest(finding, key, diag_str_nearest(key, scheduling_fields, count));
	}
}

/* Annotations may be anybody's: only what is nearly one of ours is told. */
static void check_annotations(const struct diag_check_ctx *ctx, const json_t *manifest)
{
	static const char prefix[] = "bindery.dev/";
	json_t *map = diag_json_object(manifest, "metadata", "annotations"), *value;
	size_t count;
	const char *const *annotations = manifest_annotations(&count);
	const char *key;

	json_object_foreach(map, key, value) {
		const char *name = key + sizeof(prefix) - 1, *nearest;
		struct diag_finding *finding;

		if (!diag_str_starts(key, prefix) || is_one_of(name, annotations, count))
			continue;
		nearest = diag_str_nearest(name, annotations, count);
		if (!nearest || bindery_manifest_annotation(manifest, nearest))
			continue;
		finding = find(ctx, manifest, key, "there is no such annotation");
		diag_finding_at_line(finding, diag_snapshot_position_key(ctx->snapshot, map, key));
		suggest(finding, name, nearest);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *manifest;

	each_schema_fault(ctx, tell);
	diag_snapshot_foreach(ctx->snapshot, "modulemanifests.bindery.platform", manifest) {
		check_scheduling(ctx, manifest);
		check_annotations(ctx, manifest);
	}
	return DIAG_OK;
}

DIAG_CHECK(manifest_unknown_field) = {
	.id = "manifest.unknown-field",
	.title = "Every field of a manifest exists",
	.fault = "F05",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The setting has no effect, and nobody says so.",
	.hint = "Correct the name; kubectl apply --validate=strict refuses unknown fields.",
	.requires = DIAG_RESOURCES(MANIFEST_REQUIRES),
	.enriches = DIAG_RESOURCES(MANIFEST_ENRICHES,
				   "customresourcedefinitions.apiextensions.k8s.io"),
	.supplementary = true,
	.run = run,
};
