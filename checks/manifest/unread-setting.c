/* F06: fields that are in the CRD and that no controller reads. */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/json.h"

#include "checks/manifest/manifests.h"

/* Where a path of the table first leads to something in an object. */
struct hit {
	const json_t *container;
	char key[64];
};

static bool lead(const json_t *value, const char *path, struct hit *hit);

static bool lead_elements(const json_t *list, const char *rest, struct hit *hit)
{
	const json_t *element;
	size_t i;

	json_array_foreach(list, i, element) {
		if (lead(element, rest, hit))
			return true;
	}
	return false;
}

/* Follow "a.b[].c" as far as it goes. */
static bool lead(const json_t *value, const char *path, struct hit *hit)
{
	size_t length = strcspn(path, ".[");
	const char *rest = path + length;
	const json_t *member;

	if (length >= sizeof(hit->key))
		return false;
	memcpy(hit->key, path, length);
	hit->key[length] = '\0';
	member = json_object_get(value, hit->key);
	if (!member || json_is_null(member))
		return false;
	if (!*rest) {
		hit->container = value;
		return true;
	}
	if (*rest == '[')
		return lead_elements(member, rest + strlen("[]."), hit);
	return lead(member, rest + 1, hit);
}

static void report(const struct diag_check_ctx *ctx, const json_t *object, const char *paths,
		   bool several, const struct hit *first)
{
	struct diag_ref ref = diag_ref_of(object);
	struct diag_finding *finding =
		diag_check_find(ctx, ref, "%s of %s %s %s read by no controller", paths, ref.kind,
				ref.name, several ? "are" : "is");

	if (diag_str_eq(ref.kind, "WorldInstance"))
		diag_finding_at(finding, "world", ref.namespace_, ref.name);
	diag_finding_at_line(
		finding, diag_snapshot_position_key(ctx->snapshot, first->container, first->key));
	diag_finding_edit(finding, "do not rely on %s; tools and people may still read %s", paths,
			  several ? "them" : "it");
}

static void check(const struct diag_check_ctx *ctx, json_t *object, void *arg DIAG_UNUSED)
{
	const struct bindery_field *field = bindery_fields(diag_json_str(object, "kind"));
	struct diag_buf paths diag_buf_auto = { 0 };
	struct hit first = { 0 };
	size_t count = 0;

	diag_buf_init(&paths, DIAG_MAX_MESSAGE);
	for (; field && field->path; field++) {
		struct hit hit;

		if (!(field->flags & BINDERY_FIELD_UNREAD) || !lead(object, field->path, &hit))
			continue;
		diag_buf_printf(&paths, "%s%s", count ? ", " : "", field->path);
		if (!count++)
			first = hit;
	}
	if (count)
		report(ctx, object, diag_buf_str(&paths), count > 1, &first);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_manifest(ctx, check, NULL);
	return DIAG_OK;
}

DIAG_CHECK(manifest_unread_setting) = {
	.id = "manifest.unread-setting",
	.title = "Settings in manifests are read by somebody",
	.fault = "F06",
	.severity = DIAG_SEVERITY_INFO,
	.impact = "The value changes nothing.",
	.hint = "Do not rely on it.",
	.requires = DIAG_RESOURCES(MANIFEST_REQUIRES),
	.enriches = DIAG_RESOURCES(MANIFEST_ENRICHES),
	.supplementary = true,
	.run = run,
};
