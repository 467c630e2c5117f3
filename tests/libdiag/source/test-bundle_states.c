/* What a bundle tells about lists that are not in it. */
#include "base/timestamp.h"
#include "model/snapshot.h"
#include "source/bundle_states.h"

#include "tests/support/unit.h"

static const char crds[] = "{\"items\":[{\"metadata\":{\"name\":\"realms.bindery.platform\"}},"
			   "{\"metadata\":{\"name\":\"booklets.bindery.platform\"}}]}";

static struct diag_snapshot *push(struct diag_bundle_states *states)
{
	struct diag_snapshot_options how = { .at_ms = DIAG_TIME_NONE };
	struct diag_snapshot *snapshot = diag_snapshot_new(&how);

	diag_bundle_states_push(states, diag_snapshot_sink(snapshot));
	diag_bundle_states_free(states);
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	return snapshot;
}

static void check(const struct diag_snapshot *snapshot, const char *resource,
		  const char *namespace_, enum diag_availability want)
{
	assert_int_equal(diag_snapshot_state(snapshot, resource, namespace_, NULL), want);
}

/* The format leaves empty kinds out: defined and with siblings means empty, undefined cannot exist.
 */
TEST(absent_custom_resources)
{
	struct diag_bundle_states *states = diag_bundle_states_new();
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;
	const char *why;

	diag_bundle_states_crds(states, crds, strlen(crds));
	diag_bundle_states_saw(states, diag_resource_by_name("booklets.bindery.platform"), "game");
	snapshot = push(states);
	check(snapshot, "realms.bindery.platform", "game", DIAG_EMPTY);
	check(snapshot, "pods", "game", DIAG_NOT_COLLECTED);
	assert_int_equal(
		diag_snapshot_state(snapshot, "shardautoscalers.bindery.platform", "game", &why),
		DIAG_EMPTY);
	assert_string_equal(why, "no CRD named shardautoscalers.bindery.platform");
}

/* Without a sibling nobody knows whether custom resources were asked for at all. */
TEST(no_siblings_no_verdict)
{
	struct diag_bundle_states *states = diag_bundle_states_new();
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;

	diag_bundle_states_crds(states, crds, strlen(crds));
	snapshot = push(states);
	check(snapshot, "realms.bindery.platform", "game", DIAG_NOT_COLLECTED);
}

static void errors(struct diag_bundle_states *states, const char *folder, const char *text)
{
	diag_bundle_states_errors(states, folder, text, strlen(text));
}

/* The three shapes of error files, and one that cannot be read. */
TEST(error_files)
{
	struct diag_bundle_states *states = diag_bundle_states_new();
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;

	diag_bundle_states_crds(states, crds, strlen(crds));
	diag_bundle_states_saw(states, diag_resource_by_name("booklets.bindery.platform"), "game");
	errors(states, "pods", "{\"game\": \"pods is forbidden: User cannot list\"}");
	errors(states, "nodes", "[\"the server has asked for credentials\"]");
	errors(states, "custom-resources", "{\"realms.bindery.platform\": \"forbidden\"}");
	errors(states, "services", "{broken");
	snapshot = push(states);
	check(snapshot, "pods", "game", DIAG_FORBIDDEN);
	check(snapshot, "pods", "other", DIAG_NOT_COLLECTED);
	check(snapshot, "nodes", NULL, DIAG_FAILED);
	check(snapshot, "realms.bindery.platform", "game", DIAG_FORBIDDEN);
	check(snapshot, "services", "game", DIAG_FAILED);
}

RUN_TESTS("bundle_states", T(absent_custom_resources), T(no_siblings_no_verdict), T(error_files))
