/* F04: what the API server refuses, told with file and line before it is applied. */
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "text/json.h"
#include "text/k8sname.h"

#include "checks/manifest/manifests.h"
#include "checks/manifest/wording.h"

static struct diag_finding *find(const struct diag_check_ctx *ctx, const json_t *object,
				 const char *about, const char *reason)
{
	struct diag_ref ref = diag_ref_of(object);
	struct diag_finding *finding =
		diag_check_find(ctx, ref, "%s %s is refused: %s", ref.kind, ref.name, reason);

	diag_finding_discriminate(finding, about);
	finding_about_manifest(finding, object);
	return finding;
}

/* `requires:` with nothing behind it is no list either: what is meant is an empty one. */
static bool is_empty_list(const struct diag_schema_fault *fault)
{
	return diag_str_eq(diag_json_str(fault->schema, "type"), "array") &&
	       !diag_json_get(fault->schema, "minItems") &&
	       (!fault->value || json_is_null(fault->value));
}

static void add_edit(struct diag_finding *finding, const struct diag_schema_fault *fault)
{
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	if (fault->rule == DIAG_SCHEMA_REQUIRED && fault->nearest)
		diag_finding_edit(finding, "write %s instead of %s", fault->field, fault->nearest);
	else if (is_empty_list(fault))
		diag_finding_edit(finding, "write %s: []", fault->path);
	else if (say_correction(&text, fault))
		diag_finding_edit(finding, "write %s: %s", fault->path, diag_buf_str(&text));
	else {
		say_wanted(&text, fault->schema);
		diag_finding_edit(finding, "set %s to %s", fault->path, diag_buf_str(&text));
	}
}

static void report(const struct diag_check_ctx *ctx, const json_t *object,
		   const struct diag_schema_fault *fault, const char *crd)
{
	struct diag_buf text diag_buf_auto = { 0 };
	struct diag_finding *finding;

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	if (fault->rule == DIAG_SCHEMA_REQUIRED) {
		diag_buf_printf(&text, "%s is missing", fault->path);
		if (fault->nearest)
			diag_buf_printf(&text, "; did you mean it by %s?", fault->nearest);
	} else {
		diag_buf_printf(&text, "%s must be ", fault->path);
		say_wanted(&text, fault->schema);
		diag_buf_puts(&text, ", and is ");
		say_value(&text, fault->value);
	}
	finding = find(ctx, object, fault->path, diag_buf_str(&text));
	if (fault->value) {
		diag_buf_clear(&text);
		say_value(&text, fault->value);
		diag_finding_field(finding, diag_ref_of(object), fault->path, "%s",
				   diag_buf_str(&text));
	}
	if (crd)
		diag_finding_related(finding, diag_ref_make("CustomResourceDefinition", NULL, crd));
	finding_at_fault(ctx, finding, object, fault);
	add_edit(finding, fault);
}

/* What manifest.old-api tells of. */
static bool is_former(const json_t *object, const struct diag_schema_fault *fault)
{
	const struct former_field *former = former_field_of(object);

	if (fault->rule == DIAG_SCHEMA_REQUIRED)
		return former && strcmp(fault->field, former->now) == 0;
	return strcmp(fault->field, "capabilityId") == 0 &&
	       diag_str_eq(json_string_value(fault->value), "root");
}

static void tell(const struct diag_check_ctx *ctx, json_t *object,
		 const struct diag_schema_fault *fault, const char *crd)
{
	if (fault->rule != DIAG_SCHEMA_UNKNOWN && !is_former(object, fault))
		report(ctx, object, fault, crd);
}

static void check_version(const struct diag_check_ctx *ctx, const json_t *object)
{
	const char *version = diag_json_str(object, "apiVersion");
	struct diag_finding *finding;
	struct diag_buf text diag_buf_auto = { 0 };

	if (diag_str_eq(version, BINDERY_API_VERSION))
		return;
	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	diag_buf_printf(&text, "there is no %s in %.100s", diag_ref_of(object).kind, version);
	finding = find(ctx, object, "apiVersion", diag_buf_str(&text));
	diag_finding_at_line(finding,
			     diag_snapshot_position_key(ctx->snapshot, object, "apiVersion"));
	diag_finding_edit(finding, "write apiVersion: " BINDERY_API_VERSION);
}

static void check_name(const struct diag_check_ctx *ctx, const json_t *object)
{
	const json_t *metadata = json_object_get(object, "metadata");
	struct diag_finding *finding;

	if (diag_k8s_is_subdomain(diag_ref_of(object).name))
		return;
	finding = find(ctx, object, "metadata.name",
		       "its name must be of lower-case letters, digits, hyphens and dots, at most "
		       "253, with a letter or digit at both ends");
	diag_finding_at_line(finding, diag_snapshot_position_key(ctx->snapshot, metadata, "name"));
	diag_finding_edit(finding, "rename the %s, and what refers to it",
			  diag_ref_of(object).kind);
}

static void check_identity(const struct diag_check_ctx *ctx, json_t *object, void *arg DIAG_UNUSED)
{
	if (!is_from_file(ctx, object))
		return;
	check_version(ctx, object);
	check_name(ctx, object);
}

static size_t kind_count(void)
{
	size_t count = 0;

	while (bindery_kinds[count])
		count++;
	return count;
}

/* A kind of our group that does not exist; GameDefinition is told by manifest.old-api. */
static void check_unknown_kinds(const struct diag_check_ctx *ctx)
{
	const json_t *object;
	size_t i;

	json_array_foreach(diag_snapshot_list(ctx->snapshot, DIAG_UNKNOWN_KINDS), i, object) {
		const char *kind = diag_json_str(object, "kind"), *nearest;
		struct diag_finding *finding;

		if (!diag_str_starts(diag_json_str(object, "apiVersion"), "bindery.platform/") ||
		    strcmp(kind, "GameDefinition") == 0)
			continue;
		finding = find(ctx, object, "kind", "there is no such kind in bindery.platform");
		nearest = diag_str_nearest(kind, bindery_kinds, kind_count());
		diag_finding_at_line(finding,
				     diag_snapshot_position_key(ctx->snapshot, object, "kind"));
		if (nearest)
			diag_finding_edit(finding, "write kind: %s", nearest);
		else
			diag_finding_edit(finding, "remove it, or move it to its own apiVersion");
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	size_t objects = each_schema_fault(ctx, tell);

	each_manifest(ctx, check_identity, NULL);
	check_unknown_kinds(ctx);
	if (!objects && !diag_snapshot_is_predicted(ctx->snapshot))
		diag_check_skip(ctx, "what is in a cluster has passed its API server");
	return DIAG_OK;
}

DIAG_CHECK(manifest_refused) = {
	.id = "manifest.refused",
	.title = "The API server takes every manifest",
	.fault = "F04",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "kubectl apply fails, and the object stays as it was or is not made.",
	.hint = "Correct the field.",
	.requires = DIAG_RESOURCES(MANIFEST_REQUIRES),
	.enriches = DIAG_RESOURCES(MANIFEST_ENRICHES,
				   "customresourcedefinitions.apiextensions.k8s.io",
				   DIAG_UNKNOWN_KINDS),
	.supplementary = true,
	.run = run,
};
