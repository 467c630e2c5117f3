/*
 * F13: scheduling has no schema in the CRD, but strict types in the operator: one wrong value, and
 * the operator can decode no ModuleManifest of the cluster any more. The same for numbers over 32
 * bits.
 */
#include "base/str.h"
#include "text/json.h"

#include "checks/support.h"

/* The first member of an object that is no string, or NULL. */
static const char *first_non_string(json_t *map)
{
	const char *key;
	json_t *value;

	json_object_foreach(map, key, value) {
		if (!json_is_string(value))
			return key;
	}
	return NULL;
}

static const char *bad_toleration(const json_t *toleration)
{
	static const char *const texts[] = { "key", "operator", "value", "effect" };
	const json_t *seconds = json_object_get(toleration, "tolerationSeconds");

	if (!json_is_object(toleration))
		return "an entry is no object";
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(texts); i++) {
		const json_t *value = json_object_get(toleration, texts[i]);

		if (value && !json_is_null(value) && !json_is_string(value))
			return texts[i];
	}
	return seconds && !json_is_null(seconds) && !json_is_integer(seconds) ? "tolerationSeconds"
									      : NULL;
}

static const char *bad_tolerations(json_t *list)
{
	const json_t *entry;
	size_t i;

	if (!json_is_array(list))
		return "it is no list";
	json_array_foreach(list, i, entry) {
		if (bad_toleration(entry))
			return bad_toleration(entry);
	}
	return NULL;
}

static const char *bad_selector(json_t *map)
{
	return json_is_object(map) ? first_non_string(map) : "it is no map";
}

static const char *bad_affinity(json_t *value)
{
	return json_is_object(value) ? NULL : "it is no object";
}

static const char *bad_class(json_t *value)
{
	return json_is_string(value) ? NULL : "it is no string";
}

static const struct {
	const char *key;
	const char *(*judge)(json_t *value);
	const char *wanted;
} fields[] = {
	{ "nodeSelector", bad_selector, "a map of strings: quote numbers and booleans" },
	{ "tolerations", bad_tolerations, "a list of tolerations" },
	{ "affinity", bad_affinity, "an affinity object" },
	{ "priorityClassName", bad_class, "a string" },
};

static void report(const struct diag_check_ctx *ctx, const json_t *manifest, const char *key,
		   const char *detail, const char *wanted)
{
	struct diag_ref subject = diag_ref_of(manifest);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"the operator cannot decode ModuleManifest %s, and with it none of the "
		"cluster: spec.scheduling.%s is not %s",
		subject.name, key, wanted);
	const json_t *scheduling = diag_json_object(manifest, "spec", "scheduling");

	diag_finding_at(finding, "operator", NULL, "operator");
	diag_finding_field(finding, subject, "spec.scheduling", "%s: %s", key, detail);
	diag_finding_at_line(finding, diag_snapshot_position_key(ctx->snapshot, scheduling, key));
	diag_finding_edit(finding,
			  "write spec.scheduling.%s of ModuleManifest %s as %s, then restart the "
			  "operator",
			  key, subject.name, wanted);
}

static void check_manifest(const struct diag_check_ctx *ctx, const json_t *manifest)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(fields); i++) {
		json_t *value = diag_json_get(manifest, "spec", "scheduling", fields[i].key);
		const char *detail = value && !json_is_null(value) ? fields[i].judge(value) : NULL;

		if (detail)
			report(ctx, manifest, fields[i].key, detail, fields[i].wanted);
	}
}

static void check_world(const struct diag_check_ctx *ctx, const json_t *world)
{
	int64_t count = diag_json_int(world, 0, "spec", "shardCount");
	struct diag_finding *finding;

	if (count <= INT32_MAX)
		return;
	finding =
		diag_check_find(ctx, diag_ref_of(world),
				"the operator cannot decode WorldInstance %s, and with it none of "
				"the cluster: shardCount is over 2147483647",
				diag_ref_of(world).name);
	diag_finding_at(finding, "operator", NULL, "operator");
	finding_at_spec(ctx, finding, world, "shardCount");
	diag_finding_edit(finding,
			  "set spec.shardCount of WorldInstance %s to the number of shards it "
			  "needs, then restart the operator",
			  diag_ref_of(world).name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *object;

	diag_snapshot_foreach(ctx->snapshot, "modulemanifests.bindery.platform", object)
		check_manifest(ctx, object);
	diag_snapshot_foreach(ctx->snapshot, "worldinstances.bindery.platform", object)
		check_world(ctx, object);
	return DIAG_OK;
}

DIAG_CHECK(module_undecodable) = {
	.id = "module.undecodable",
	.title = "The operator can decode every manifest",
	.fault = "F13",
	.severity = DIAG_SEVERITY_ERROR,
	.impact =
		"Changes of that kind are not noticed in any namespace; the operator hangs or exits "
		"after its next start.",
	.hint = "Correct or delete the object, then restart the operator.",
	.requires = DIAG_RESOURCES("modulemanifests.bindery.platform",
				   "worldinstances.bindery.platform"),
	.run = run,
};
