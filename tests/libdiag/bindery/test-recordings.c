/*
 * The prediction against real clusters: in every recording, each object the operator makes equals
 * the predicted one in the fields the operator sets, no object is missing and none too many. What a
 * recording's own fault spoils is in the table below, with the reason.
 *
 *   test-recordings FOLDER_OF_RECORDINGS
 */
#include <dirent.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "bindery/view.h"
#include "model/snapshot.h"
#include "source/bundle.h"
#include "text/json.h"

#include "tests/support/unit.h"

static const char *folder;

/* Differences that the recording's fault makes; the object is KIND/NAME, as a glob. */
static const struct {
	const char *recording, *object, *why;
} spoilt[] = {
#include "recordings-spoilt.inc"
};

static bool is_spoilt(const char *recording, const char *object)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(spoilt); i++)
		if (strcmp(spoilt[i].recording, recording) == 0 &&
		    diag_str_glob(spoilt[i].object, object))
			return true;
	return false;
}

static bool matches(const json_t *want, const json_t *got, const char *path, char *ret_where);

static const json_t *named(const json_t *array, const char *name)
{
	const json_t *item;
	size_t i;

	json_array_foreach(array, i, item) {
		if (diag_str_eq(diag_json_str(item, "name"), name))
			return item;
	}
	return NULL;
}

static bool array_matches(const json_t *want, const json_t *got, const char *path, char *ret_where)
{
	const json_t *item;
	size_t i;

	if (json_array_size(want) != json_array_size(got)) {
		snprintf(ret_where, 512, "%s: %zu items instead of %zu", path, json_array_size(got),
			 json_array_size(want));
		return false;
	}
	json_array_foreach(want, i, item) {
		const char *name = diag_json_str(item, "name");
		const json_t *other = name ? named(got, name) : json_array_get(got, i);
		char deeper[256];

		snprintf(deeper, sizeof(deeper), "%s[%s]", path, name ? name : "");
		if (!matches(item, other, deeper, ret_where))
			return false;
	}
	return true;
}

/* Everything in `want` is in `got`; lists have the same items, in any order where they have names.
 */
static bool matches(const json_t *want, const json_t *got, const char *path, char *ret_where)
{
	const char *key;
	json_t *value;

	if (json_is_array(want) && json_is_array(got))
		return array_matches(want, got, path, ret_where);
	if (json_is_object(want) && json_is_object(got)) {
		json_object_foreach((json_t *)(uintptr_t)want, key, value) {
			char deeper[256];

			snprintf(deeper, sizeof(deeper), "%s.%s", path, key);
			if (!matches(value, json_object_get(got, key), deeper, ret_where))
				return false;
		}
		return true;
	}
	if (json_equal(want, got))
		return true;
	snprintf(ret_where, 512, "%s differs", path);
	return false;
}

/* The operator removes what it does not want of these: absent in the prediction means absent. */
static bool nothing_too_many(const json_t *want, const json_t *got, char *ret_where)
{
	static const char *const keys[] = { "initContainers", "volumes", "nodeSelector",
					    "priorityClassName", "tolerations" };
	const json_t *want_spec = diag_json_get(want, "spec", "template", "spec");
	const json_t *got_spec = diag_json_get(got, "spec", "template", "spec");

	for (size_t i = 0; want_spec && i < DIAG_ARRAY_SIZE(keys); i++) {
		if (!json_object_get(want_spec, keys[i]) && json_object_get(got_spec, keys[i])) {
			snprintf(ret_where, 512, "spec.template.spec.%s is there", keys[i]);
			return false;
		}
	}
	return true;
}

struct comparison {
	const char *recording;
	const char *namespace_;
	const struct diag_snapshot *snapshot;
	struct diag_map *expected; /* "Kind/name" of all predicted objects */
	int wrong;
	int compared;
};

static void complain(struct comparison *c, const char *object, const char *what)
{
	if (is_spoilt(c->recording, object))
		return;
	print_error("%s %s: %s\n", c->recording, object, what);
	c->wrong++;
}

static void object_name(const json_t *object, char *ret_text)
{
	struct diag_ref ref = diag_ref_of(object);

	snprintf(ret_text, 512, "%s/%s", ref.kind, ref.name);
}

/* `contested`: another binding may hold the name just now. */
static void compare(struct comparison *c, const char *resource, const json_t *want, bool contested)
{
	const json_t *got =
		diag_snapshot_get(c->snapshot, resource, c->namespace_, diag_ref_of(want).name);
	char object[512], where[512];

	object_name(want, object);
	diag_map_set(c->expected, object, c);
	c->compared++;
	if (!got) {
		if (!contested)
			complain(c, object, "is missing");
		return;
	}
	if (!contested && (!matches(want, got, "", where) || !nothing_too_many(want, got, where)))
		complain(c, object, where);
}

static void compare_workload(struct comparison *c, const struct bindery_workload *workload)
{
	for (size_t i = 0; i < workload->member_count; i++)
		compare(c, "services", workload->members[i].service_object, workload->contested);
	compare(c, "deployments.apps", workload->object, workload->contested);
	if (!workload->storage.effective)
		return;
	compare(c, "worldstorageclaims.bindery.platform", workload->storage.claim_object, false);
	compare(c, "persistentvolumeclaims", workload->storage.pvc_object, false);
}

static void compare_prediction(struct comparison *c, const struct bindery_prediction *p)
{
	const json_t *shard;
	size_t i;

	for (i = 0; i < p->binding_count; i++)
		compare(c, "capabilitybindings.bindery.platform", p->bindings[i].object,
			p->bindings[i].contested);
	json_array_foreach(p->shards, i, shard)
		compare(c, "worldshards.bindery.platform", shard, false);
	for (i = 0; i < p->workload_count; i++)
		compare_workload(c, &p->workloads[i]);
}

static void find_unexpected(struct comparison *c)
{
	static const char *const resources[] = {
		"capabilitybindings.bindery.platform",
		"worldshards.bindery.platform",
		"worldstorageclaims.bindery.platform",
		"services",
		"deployments.apps",
		"persistentvolumeclaims",
	};

	for (size_t r = 0; r < DIAG_ARRAY_SIZE(resources); r++) {
		const json_t *real;

		diag_snapshot_foreach(c->snapshot, resources[r], real) {
			char object[512];

			object_name(real, object);
			if (!diag_map_get(c->expected, object))
				complain(c, object, "nobody predicted it");
		}
	}
}

static char *namespace_of(const char *recording)
{
	char path[1024];
	json_t *expected;
	char *namespace_;

	snprintf(path, sizeof(path), "%s/%s/expected.json", folder, recording);
	expected = json_load_file(path, 0, NULL);
	assert_non_null(expected);
	namespace_ = diag_xstrdup(diag_json_str(expected, "namespace"));
	json_decref(expected);
	return namespace_;
}

static struct diag_snapshot *load(const char *recording, const char *namespace_)
{
	const char *namespaces[] = { namespace_, NULL };
	struct diag_snapshot_options options = { .namespaces = namespaces,
						 .at_ms = DIAG_TIME_NONE };
	struct diag_snapshot *snapshot = diag_snapshot_new(&options);
	diag_source_auto struct diag_source *source = NULL;
	char path[1024];

	snprintf(path, sizeof(path), "%s/%s/bundle.tar.gz", folder, recording);
	assert_int_equal(diag_bundle_open(path, NULL, &source, NULL), 0);
	assert_int_equal(diag_source_load(source, diag_snapshot_sink(snapshot), NULL), 0);
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	return snapshot;
}

static void check_recording(const char *recording, int *wrong, int *compared)
{
	diag_autofree char *namespace_ = namespace_of(recording);
	struct diag_snapshot *snapshot = load(recording, namespace_);
	struct bindery_view *view = bindery_view_new(snapshot);
	struct comparison c = {
		.recording = recording,
		.namespace_ = namespace_,
		.snapshot = snapshot,
		.expected = diag_map_new(),
	};

	assert_int_equal(view->prediction_count, 1);
	compare_prediction(&c, view->predictions[0]);
	find_unexpected(&c);
	*wrong += c.wrong;
	*compared += c.compared;
	diag_map_free(c.expected);
	bindery_view_free(view);
	diag_snapshot_free(snapshot);
}

static void test_recordings(void **state DIAG_UNUSED)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort), wrong = 0, compared = 0, seen = 0;

	assert_true(count > 0);
	for (int i = 0; i < count; i++) {
		char path[1024];

		snprintf(path, sizeof(path), "%s/%s/bundle.tar.gz", folder, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && access(path, R_OK) == 0) {
			check_recording(entries[i]->d_name, &wrong, &compared);
			seen++;
		}
		free(entries[i]);
	}
	free(entries);
	print_message("%d recordings, %d predicted objects\n", seen, compared);
	assert_true(seen >= 60);
	assert_true(compared > 400);
	assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_recordings) };

	if (argc != 2) {
		fprintf(stderr, "usage: %s RECORDINGS\n", argv[0]);
		return 2;
	}
	folder = argv[1];
	return cmocka_run_group_tests_name("recordings", tests, NULL, NULL);
}
