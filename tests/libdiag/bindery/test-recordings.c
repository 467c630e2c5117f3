/*
 * The prediction against real clusters: in every recording, each object the operator makes equals
 * the predicted one in the fields the operator sets, no object is missing and none too many. What a
 * recording's own fault spoils is in the table below, with the reason.
 *
 *   test-recordings FOLDER_OF_RECORDINGS
 */
#include <dirent.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "bindery/objects.h"
#include "bindery/view.h"
#include "model/snapshot.h"
#include "source/bundle.h"
#include "text/json.h"

#include "tests/support/operator-objects.h"
#include "tests/support/unit.h"

static const char *folder;

/* Differences that the recording's fault makes; the object is KIND/NAME, as a glob. */
static const struct {
	const char *recording, *object, *why;
} spoilt[] = {
#include "recordings-spoilt.inc"
};

/* Rows that excused something; one that does not has to go. */
static bool used[DIAG_ARRAY_SIZE(spoilt)];

static bool is_spoilt(const char *recording, const char *object)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(spoilt); i++) {
		if (strcmp(spoilt[i].recording, recording) != 0 ||
		    !diag_str_glob(spoilt[i].object, object))
			continue;
		used[i] = true;
		return true;
	}
	return false;
}

/* All that was predicted for one object; the real one has to be one of them. */
struct expected {
	const char *resource, *name;
	bool missing_is_fine; /* it may come and go */
	bool gone;            /* refused: it must not be there */
	bool met;
	struct difference d;
};

struct comparison {
	const char *recording;
	const char *namespace_;
	const struct diag_snapshot *snapshot;
	struct diag_arena *arena;
	struct diag_map *expected; /* "Kind/name" -> struct expected */
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

static struct expected *expected_of(struct comparison *c, const char *resource, const json_t *want)
{
	struct expected *expected;
	char object[512];

	object_name(want, object);
	expected = diag_map_get(c->expected, object);
	if (!expected) {
		expected = diag_arena_alloc(c->arena, sizeof(*expected));
		expected->resource = resource;
		expected->name = diag_arena_strdup(c->arena, diag_ref_of(want).name);
		expected->gone = true;
		diag_map_set(c->expected, object, expected);
	}
	c->compared++;
	return expected;
}

/* Takes `want`. */
static void expect(struct comparison *c, const char *resource, json_t *want, bool contested,
		   bool refused, bool unsettled)
{
	struct expected *expected = expected_of(c, resource, want);
	const json_t *got = diag_snapshot_get(c->snapshot, resource, c->namespace_, expected->name);
	struct difference d = { "" };

	compare_operator_objects(want, got, unsettled, &d);
	expected->missing_is_fine |= contested;
	expected->gone &= refused;
	expected->met |= got && !*d.where;
	if (!*expected->d.where)
		expected->d = d;
	json_decref(want);
}

static void expect_storage(struct comparison *c, const struct bindery_storage *storage)
{
	if (!storage->effective)
		return;
	expect(c, "worldstorageclaims.bindery.platform", bindery_claim_object(storage), false,
	       storage->claim_refused, false);
	expect(c, "persistentvolumeclaims", bindery_pvc_object(storage), false,
	       storage->claim_refused || storage->pvc_refused, false);
}

/* A Service that is refused keeps its Deployment from being made. */
static void expect_workload(struct comparison *c, const struct bindery_workload *workload)
{
	bool refused = true;

	for (size_t i = 0; i < workload->member_count; i++) {
		const struct bindery_member *member = &workload->members[i];

		expect(c, "services", bindery_service_object(workload, member), workload->contested,
		       member->refused, false);
		expect_storage(c, &member->storage);
		refused &= member->refused;
	}
	expect(c, "deployments.apps", bindery_deployment_object(workload), workload->contested,
	       refused, workload->unsettled);
}

static void expect_all(struct comparison *c, const struct bindery_prediction *p)
{
	for (size_t i = 0; i < p->binding_count; i++)
		expect(c, "capabilitybindings.bindery.platform",
		       bindery_binding_object(&p->bindings[i]), false, p->bindings[i].refused,
		       false);
	for (size_t i = 0; i < p->world_count; i++)
		for (int64_t id = 0; id < p->worlds[i].shard_count; id++)
			expect(c, "worldshards.bindery.platform",
			       bindery_shard_object(&p->worlds[i], id), false, false, false);
	for (size_t i = 0; i < p->workload_count; i++)
		expect_workload(c, &p->workloads[i]);
}

static void judge(const char *object, void *value, void *arg)
{
	const struct expected *expected = value;
	struct comparison *c = arg;
	bool there = diag_snapshot_get(c->snapshot, expected->resource, c->namespace_,
				       expected->name) != NULL;

	if (expected->gone && there)
		complain(c, object, "is there, although it is refused");
	else if (!expected->gone && !there && !expected->missing_is_fine)
		complain(c, object, "is missing");
	else if (!expected->gone && there && !expected->met)
		complain(c, object, expected->d.where);
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

/* The right answer of a recording; a healthy one may have nothing spoilt. */
static json_t *answer_of(const char *recording)
{
	char path[1024];
	json_t *answer;

	snprintf(path, sizeof(path), "%s/%s/expected.json", folder, recording);
	answer = json_load_file(path, 0, NULL);
	assert_non_null(answer);
	for (size_t i = 0; diag_json_true(answer, "clean") && i < DIAG_ARRAY_SIZE(spoilt); i++)
		assert_string_not_equal(spoilt[i].recording, recording);
	return answer;
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
	json_auto_t *answer = answer_of(recording);
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	const char *namespace_ = diag_json_str(answer, "namespace");
	struct diag_snapshot *snapshot = load(recording, namespace_);
	struct bindery_view *view = bindery_view_new(snapshot);
	struct comparison c = {
		.recording = recording,
		.namespace_ = namespace_,
		.snapshot = snapshot,
		.arena = arena,
		.expected = diag_map_new(),
	};

	assert_int_equal(view->prediction_count, 1);
	expect_all(&c, view->predictions[0]);
	diag_map_each(c.expected, judge, &c);
	find_unexpected(&c);
	*wrong += c.wrong;
	*compared += c.compared;
	diag_map_free(c.expected);
	bindery_view_free(view);
	diag_snapshot_free(snapshot);
}

static void assert_no_idle_row(void)
{
	int idle = 0;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(spoilt); i++) {
		if (used[i])
			continue;
		print_error("%s %s is not spoilt\n", spoilt[i].recording, spoilt[i].object);
		idle++;
	}
	assert_int_equal(idle, 0);
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
	assert_no_idle_row();
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
