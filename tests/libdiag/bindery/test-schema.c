/* Our table of fields against the CRDs of a recorded cluster: both must say the same. */
#include "base/str.h"
#include "base/timestamp.h"
#include "bindery/schema.h"
#include "source/bundle.h"
#include "text/json.h"

#include "tests/support/unit.h"

static const char *bundle;

static void compare(const json_t *crd, const json_t *table, const char *path);

static bool is_open(const json_t *schema)
{
	return diag_json_true_at(schema, DIAG_PATH("x-kubernetes-preserve-unknown-fields"));
}

static bool names(const json_t *list, const char *name)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry) {
		if (diag_str_eq(json_string_value(entry), name))
			return true;
	}
	return false;
}

static void compare_required(const json_t *crd, const json_t *table, const char *path)
{
	const json_t *one = diag_json_array(crd, "required");
	const json_t *other = diag_json_array(table, "required"), *entry;
	size_t i;

	if (json_array_size(one) != json_array_size(other))
		fail_msg("%s: %zu fields are required by the CRD, %zu by the table", path,
			 json_array_size(one), json_array_size(other));
	json_array_foreach(one, i, entry) {
		if (!names(other, json_string_value(entry)))
			fail_msg("%s: the table does not require %s", path,
				 json_string_value(entry));
	}
}

static void compare_properties(const json_t *crd, const json_t *table, const char *path)
{
	json_t *one = diag_json_object(crd, "properties");
	json_t *other = diag_json_object(table, "properties"), *value;
	const char *key;

	json_object_foreach(one, key, value) {
		char deeper[512];

		snprintf(deeper, sizeof(deeper), "%s.%s", path, key);
		if (!json_object_get(other, key))
			fail_msg("%s is not in the table", deeper);
		compare(value, json_object_get(other, key), deeper);
	}
	json_object_foreach(other, key, value) {
		if (!json_object_get(one, key))
			fail_msg("%s.%s is in the table only", path, key);
	}
}

static void compare(const json_t *crd, const json_t *table, const char *path)
{
	static const char *const keys[] = { "type",    "enum",    "pattern", "minLength",
					    "minimum", "maximum", "minItems" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(keys); i++) {
		json_t *one = json_object_get(crd, keys[i]);
		json_t *other = json_object_get(table, keys[i]);

		if ((one || other) && !json_equal(one, other))
			fail_msg("%s: %s differs", path, keys[i]);
	}
	if (is_open(table))
		return;
	compare_required(crd, table, path);
	compare_properties(crd, table, path);
	if (diag_json_object(crd, "items"))
		compare(diag_json_object(crd, "items"), diag_json_object(table, "items"), path);
	if (diag_json_object(crd, "additionalProperties"))
		compare(diag_json_object(crd, "additionalProperties"),
			diag_json_object(table, "additionalProperties"), path);
}

static struct diag_snapshot *load(void)
{
	struct diag_snapshot_options options = { .at_ms = DIAG_TIME_NONE, .all_namespaces = true };
	struct diag_snapshot *snapshot = diag_snapshot_new(&options);
	struct diag_source *source = NULL;

	assert_int_equal(diag_bundle_open(bundle, NULL, &source, NULL), 0);
	assert_int_equal(diag_source_load(source, diag_snapshot_sink(snapshot), NULL), 0);
	diag_source_close(source);
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	return snapshot;
}

TEST(table_and_crds_agree)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = load();
	size_t compared = 0;

	for (const char *const *kind = bindery_kinds; *kind; kind++) {
		const char *crd, *none;
		json_auto_t *real = bindery_schema(snapshot, *kind, &crd);
		json_auto_t *ours = bindery_schema(NULL, *kind, &none);

		assert_non_null(crd);
		assert_null(none);
		if (!ours)
			continue;
		compare(real, ours, *kind);
		compared++;
	}
	assert_int_equal(compared, 7);
}

TEST(unknown_kind)
{
	const char *crd;

	assert_null(bindery_schema(NULL, "Deployment", &crd));
	assert_null(bindery_schema(NULL, NULL, &crd));
	assert_null(crd);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { T(table_and_crds_agree), T(unknown_kind) };

	if (argc < 2)
		return 2;
	bundle = argv[1];
	return cmocka_run_group_tests_name("bindery/schema", tests, NULL, NULL);
}
