#include "bundle/layout.h"

#include "tests/support/unit.h"

static const struct {
	const char *name;
	enum diag_bundle_kind kind;
	const char *folder, *namespace_, *pod, *container;
	bool previous, yaml;
} rows[] = {
	{ "top/cluster-resources/pods/game.json", DIAG_BUNDLE_OBJECTS, "pods", "game", NULL, NULL,
	  false, false },
	{ "cluster-resources/nodes.json", DIAG_BUNDLE_OBJECTS, "nodes", NULL, NULL, NULL, false,
	  false },
	{ "a/b/cluster-resources/nodes.json", DIAG_BUNDLE_OBJECTS, "nodes", NULL, NULL, NULL, false,
	  false },
	{ "top/cluster-resources/custom-resources/realms.bindery.platform/game.yaml",
	  DIAG_BUNDLE_OBJECTS, "custom-resources/realms.bindery.platform", "game", NULL, NULL,
	  false, true },
	{ "top/cluster-resources/custom-resources/capabilitydefinitions.bindery.platform.json",
	  DIAG_BUNDLE_OBJECTS, "custom-resources/capabilitydefinitions.bindery.platform", NULL,
	  NULL, NULL, false, false },
	{ "top/cluster-resources/pods-errors.json", DIAG_BUNDLE_ERRORS, "pods", NULL, NULL, NULL,
	  false, false },
	{ "top/cluster-resources/pods/logs/game/p-1/module.log", DIAG_BUNDLE_LOG, NULL, "game",
	  "p-1", "module", false, false },
	{ "top/cluster-resources/pods/logs/game/p-1/module-previous.log", DIAG_BUNDLE_LOG, NULL,
	  "game", "p-1", "module", true, false },
	{ "top/cluster-resources/pods/logs/game/p-1/module-logs-errors.log", DIAG_BUNDLE_OTHER,
	  NULL, NULL, NULL, NULL, false, false },
	{ "top/metrics/ns/pod.txt", DIAG_BUNDLE_METRICS, NULL, "ns", "pod", NULL, false, false },
	{ "top/cluster-info/cluster_version.json", DIAG_BUNDLE_SERVER_VERSION, NULL, NULL, NULL,
	  NULL, false, false },
	{ "top/version.yaml", DIAG_BUNDLE_OTHER, NULL, NULL, NULL, NULL, false, false },
	{ "top/cluster-resources/a/b/c/d/e/f/g/h/i/j/k.json", DIAG_BUNDLE_OTHER, NULL, NULL, NULL,
	  NULL, false, false },
	{ "", DIAG_BUNDLE_OTHER, NULL, NULL, NULL, NULL, false, false },
};

static void same(const char *got, const char *want)
{
	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
}

TEST(paths)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct diag_bundle_path path;

		diag_bundle_classify(rows[i].name, &path);
		assert_int_equal(path.kind, rows[i].kind);
		same(path.folder, rows[i].folder);
		same(path.namespace_, rows[i].namespace_);
		same(path.pod, rows[i].pod);
		same(path.container, rows[i].container);
		assert_int_equal(path.previous, rows[i].previous);
		assert_int_equal(path.yaml, rows[i].yaml);
		diag_bundle_path_done(&path);
	}
}

TEST(time_in_the_top_folder)
{
	char text[32];

	assert_true(diag_bundle_top_time("support-bundle-2026-01-02T03_04_05", text));
	assert_string_equal(text, "2026-01-02T03:04:05Z");
	assert_false(diag_bundle_top_time("my-bundle", text));
	assert_false(diag_bundle_top_time("support-bundle-x", text));
}

RUN_TESTS("layout", T(paths), T(time_in_the_top_folder))
