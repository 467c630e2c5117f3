#include "base/timestamp.h"
#include "model/snapshot.h"
#include "text/json.h"

#include "tests/support/unit.h"

static struct diag_snapshot *start(void)
{
	struct diag_snapshot_options options = { .at_ms = DIAG_TIME_NONE };

	return diag_snapshot_new(&options);
}

static int push(struct diag_snapshot *snapshot, const char *resource, const char *namespace_,
		const char *text)
{
	struct diag_page page = {
		.resource = resource,
		.namespace_ = namespace_,
		.file = "x.json",
		.bytes = text,
		.length = strlen(text),
	};

	return diag_sink_page(diag_snapshot_sink(snapshot), &page, NULL);
}

static enum diag_availability state(const struct diag_snapshot *snapshot, const char *resource,
				    const char *namespace_)
{
	return diag_snapshot_state(snapshot, resource, namespace_, NULL);
}

/* A list, an array, null items, and what was never asked for are different facts. */
TEST(availability)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = start();
	const char *why;

	push(snapshot, "pods", "game", "{\"items\":[{\"metadata\":{\"name\":\"a\"}}]}");
	push(snapshot, "pods", "other", "{\"items\":null}");
	push(snapshot, "services", "game",
	     "{\"metadata\":{\"continue\":\"x\"},\"items\":[{\"metadata\":{\"name\":\"s\"}}]}");
	diag_sink_state(diag_snapshot_sink(snapshot), "events", NULL, DIAG_FORBIDDEN, "no right");
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	assert_int_equal(state(snapshot, "pods", "game"), DIAG_AVAILABLE);
	assert_int_equal(state(snapshot, "pods", "other"), DIAG_EMPTY);
	assert_int_equal(state(snapshot, "pods", "third"), DIAG_NOT_COLLECTED);
	assert_int_equal(state(snapshot, "services", "game"), DIAG_TRUNCATED);
	assert_int_equal(state(snapshot, "nodes", NULL), DIAG_NOT_COLLECTED);
	assert_int_equal(diag_snapshot_state(snapshot, "events", "game", &why), DIAG_FORBIDDEN);
	assert_string_equal(why, "no right");
}

/* Items without kind take the list's; an item that cannot be used costs only itself. */
TEST(items)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = start();
	size_t problems;
	const json_t *pod;

	push(snapshot, "pods", "game",
	     "[{\"metadata\":{\"name\":\"b\"}},7,{\"metadata\":[]},{\"metadata\":{\"name\":\"a\",\"namespace\":\"game\"}}]");
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	diag_snapshot_problems(snapshot, &problems);
	assert_int_equal(problems, 2);
	assert_int_equal(json_array_size(diag_snapshot_list(snapshot, "pods")), 2);
	pod = json_array_get(diag_snapshot_list(snapshot, "pods"), 0);
	assert_string_equal(diag_ref_of(pod).name, "a");
	pod = diag_snapshot_get(snapshot, "pods", "game", "b");
	assert_string_equal(diag_json_str(pod, "kind"), "Pod");
	assert_null(diag_snapshot_get(snapshot, "pods", "game", "c"));
}

TEST(prunes)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = start();
	const json_t *pod, *field;

	push(snapshot, "pods", "game",
	     "[{\"metadata\":{\"name\":\"a\",\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"x\",\"keep\":\"y\"},"
	     "\"managedFields\":[{\"manager\":\"m\",\"operation\":\"Update\",\"time\":\"2026-01-01T00:00:00Z\",\"fieldsV1\":{\"f:x\":{}}}]}}]");
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	pod = diag_snapshot_get(snapshot, "pods", "game", "a");
	field = json_array_get(diag_json_array(pod, "metadata", "managedFields"), 0);
	assert_string_equal(diag_json_str(field, "manager"), "m");
	assert_null(json_object_get(field, "fieldsV1"));
	assert_null(diag_json_get(pod, "metadata", "annotations",
				  "kubectl.kubernetes.io/last-applied-configuration"));
	assert_string_equal(diag_json_str(pod, "metadata", "annotations", "keep"), "y");
}

static void check_time(const char *hint, const char *files, const char *object, const char *want)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = start();
	char text[256], got[32];

	if (hint)
		diag_sink_fact(diag_snapshot_sink(snapshot), "taken-hint", hint);
	if (files)
		diag_sink_fact(diag_snapshot_sink(snapshot), "newest-file", files);
	snprintf(text, sizeof(text),
		 "[{\"metadata\":{\"name\":\"a\",\"creationTimestamp\":\"%s\"}}]", object);
	push(snapshot, "pods", "game", text);
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	assert_string_equal(diag_time_format(diag_snapshot_time(snapshot), got, sizeof(got)), want);
}

/* The folder's name is in an unknown zone; file times mend it, or were lost in unpacking. */
TEST(time_of_the_snapshot)
{
	check_time("2026-01-01T12:00:00Z", "2026-01-01T12:00:02Z", "2026-01-01T11:00:00Z",
		   "2026-01-01T12:00:02Z");
	check_time("2026-01-01T17:30:00Z", "2026-01-01T12:00:01Z", "2026-01-01T11:00:00Z",
		   "2026-01-01T12:00:01Z");
	check_time("2026-01-01T12:00:00Z", "2026-03-05T09:07:00Z", "2026-01-01T11:59:50Z",
		   "2026-01-01T11:59:50Z");
	check_time(NULL, "2026-03-05T09:07:00Z", "2026-01-01T11:59:50Z", "2026-01-01T11:59:50Z");
}

TEST(namespace_that_is_not_there)
{
	static const char *const asked[] = { "gamee", NULL };
	struct diag_snapshot_options options = { .at_ms = DIAG_TIME_NONE, .namespaces = asked };
	diag_snapshot_auto struct diag_snapshot *snapshot = diag_snapshot_new(&options);
	struct diag_error err = DIAG_ERROR_INIT;

	push(snapshot, "pods", "game", "[{\"metadata\":{\"name\":\"a\"}}]");
	assert_int_equal(diag_snapshot_finish(snapshot, &err), DIAG_E_NOT_FOUND);
	assert_non_null(strstr(err.message, "did you mean 'game'"));
}

/* A secret of one object is masked in what is read later. */
TEST(redacts_before_keeping)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = start();
	struct diag_log log = {
		.namespace_ = "game",
		.pod = "p",
		.container = "m",
		.bytes = "login hunter-42x ok",
		.length = 19,
	};

	push(snapshot, "pods", "game",
	     "[{\"metadata\":{\"name\":\"a\"},\"spec\":{\"containers\":[{\"env\":[{\"name\":\"PASSWORD\",\"value\":\"hunter-42x\"}]}]}}]");
	diag_sink_log(diag_snapshot_sink(snapshot), &log);
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	assert_string_equal(diag_snapshot_log(snapshot, "game", "p", "m", false),
			    "login ***HIDDEN-1*** ok");
	assert_null(diag_snapshot_log(snapshot, "game", "p", "m", true));
}

/* The variable stands behind the command that repeats its value. */
TEST(one_object_is_masked_alike)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = start();
	const json_t *manifest, *command;

	push(snapshot, "modulemanifests.bindery.platform", "game",
	     "[{\"metadata\":{\"name\":\"m\"},\"spec\":{\"runtime\":{\"command\":[\"run blue-7x-horse\"],\"env\":{\"DB_PASSWORD\":\"blue-7x-horse\"}}}}]");
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	manifest = diag_snapshot_get(snapshot, "modulemanifests.bindery.platform", "game", "m");
	command = diag_json_array(manifest, "spec", "runtime", "command");
	assert_string_equal(json_string_value(json_array_get(command, 0)), "run ***HIDDEN-1***");
}

RUN_TESTS("snapshot", T(availability), T(items), T(prunes), T(time_of_the_snapshot),
	  T(namespace_that_is_not_there), T(redacts_before_keeping), T(one_object_is_masked_alike))
