#include "bundle/layout.h"

#include "tests/support/unit.h"

#define CR "cluster-resources/"

static const struct {
	const char *name;
	enum diag_bundle_kind kind;
	const char *top, *folder, *namespace_, *pod, *container;
	bool previous, yaml;
} rows[] = {
	/* lists, of namespaces and of the cluster */
	{ CR "pods/game.json", DIAG_BUNDLE_OBJECTS, "", "pods", "game" },
	{ "top/" CR "pods/game.json", DIAG_BUNDLE_OBJECTS, "top", "pods", "game" },
	{ "a/b/" CR "nodes.json", DIAG_BUNDLE_OBJECTS, "a/b", "nodes" },
	{ "a/b/c/" CR "nodes.json", DIAG_BUNDLE_OTHER },
	{ "top/" CR "pods/game.yaml", DIAG_BUNDLE_OBJECTS, "top", "pods", "game", .yaml = true },
	{ "top/" CR "pods/kube-system.v2.json", DIAG_BUNDLE_OBJECTS, "top", "pods",
	  "kube-system.v2" },
	{ CR "pvs", DIAG_BUNDLE_OBJECTS, "", "pvs" },
	{ CR "clusterroles", DIAG_BUNDLE_OBJECTS, "", "clusterroles" },
	{ CR "statefulsets-errors.json/game.json", DIAG_BUNDLE_OBJECTS, "", "replicasets", "game" },
	{ CR "pods/.json", DIAG_BUNDLE_OTHER },
	{ CR "pods/game.txt", DIAG_BUNDLE_OTHER },
	{ CR "pods/game/x.json", DIAG_BUNDLE_OTHER },
	{ CR "pods", DIAG_BUNDLE_OTHER },
	/* custom resources */
	{ "top/" CR "custom-resources/realms.bindery.platform/game.json", DIAG_BUNDLE_OBJECTS,
	  "top", "custom-resources/realms.bindery.platform", "game" },
	{ "top/" CR "custom-resources/realms.bindery.platform/game.yaml", DIAG_BUNDLE_OBJECTS,
	  "top", "custom-resources/realms.bindery.platform", "game", .yaml = true },
	{ CR "custom-resources/capabilitydefinitions.bindery.platform.json", DIAG_BUNDLE_OBJECTS,
	  "", "custom-resources/capabilitydefinitions.bindery.platform" },
	{ CR "custom-resources/capabilitydefinitions.bindery.platform.yaml", DIAG_BUNDLE_OBJECTS,
	  "", "custom-resources/capabilitydefinitions.bindery.platform", .yaml = true },
	/* errors; a namespace may be called like one */
	{ CR "pods-errors.json", DIAG_BUNDLE_ERRORS, "", "pods" },
	{ CR "pod-disruption-budgets-errors.json", DIAG_BUNDLE_ERRORS, "",
	  "pod-disruption-budgets" },
	{ CR "custom-resources/custom-resources-errors.json", DIAG_BUNDLE_ERRORS, "",
	  "custom-resources" },
	{ CR "custom-resources-errors.json", DIAG_BUNDLE_ERRORS, "", "custom-resources" },
	{ CR "custom-resources/realms.bindery.platform-errors.json", DIAG_BUNDLE_ERRORS, "",
	  "custom-resources/realms.bindery.platform" },
	{ CR "pods/my-errors.json", DIAG_BUNDLE_OBJECTS, "", "pods", "my-errors" },
	{ CR "-errors.json", DIAG_BUNDLE_OBJECTS, "", "-errors" },
	/* logs; a container may be called like an ending */
	{ "top/" CR "pods/logs/game/p-1/module.log", DIAG_BUNDLE_LOG, "top", NULL, "game", "p-1",
	  "module" },
	{ CR "pods/logs/game/p-1/module-previous.log", DIAG_BUNDLE_LOG, "", NULL, "game", "p-1",
	  "module", .previous = true },
	{ CR "pods/logs/game/p-1/a-previous-previous.log", DIAG_BUNDLE_LOG, "", NULL, "game", "p-1",
	  "a-previous", .previous = true },
	{ CR "pods/logs/game/p-1/module-logs.log", DIAG_BUNDLE_LOG, "", NULL, "game", "p-1",
	  "module-logs" },
	{ CR "pods/logs/game/p-1/-previous.log", DIAG_BUNDLE_LOG, "", NULL, "game", "p-1",
	  "-previous" },
	{ CR "pods/logs/game/p-1/module-logs-errors.log", DIAG_BUNDLE_LOG_ERRORS, "", NULL, "game",
	  "p-1", "module" },
	{ CR "pods/logs/game/p-1/a-logs-logs-errors.log", DIAG_BUNDLE_LOG_ERRORS, "", NULL, "game",
	  "p-1", "a-logs" },
	{ CR "pods/logs/game/p-1/.log", DIAG_BUNDLE_OTHER },
	{ CR "pods/logs/game/p-1.log", DIAG_BUNDLE_OTHER },
	/* links to logs, beside cluster-resources */
	{ "top/p-1/module.log", DIAG_BUNDLE_OTHER },
	{ "top/p-1/module-errors.json", DIAG_BUNDLE_OTHER },
	/* the rest */
	{ CR "auth-cani-list/game.json", DIAG_BUNDLE_ACCESS, "", NULL, "game" },
	{ "top/metrics/ns/pod.txt", DIAG_BUNDLE_METRICS, "top", NULL, "ns", "pod" },
	{ "top/metrics/ns/pod.json", DIAG_BUNDLE_OTHER },
	{ "top/cluster-info/cluster_version.json", DIAG_BUNDLE_SERVER_VERSION, "top" },
	{ "top/version.yaml", DIAG_BUNDLE_VERSION, "top" },
	{ "bundle.json", DIAG_BUNDLE_MANIFEST, "" },
	{ "top/" CR "a/b/c/d/e/f/g/h/i/j/k.json", DIAG_BUNDLE_OTHER },
	{ "top", DIAG_BUNDLE_OTHER },
	{ "", DIAG_BUNDLE_OTHER },
};

static void same(const char *name, const char *got, const char *want)
{
	if (!want && !got)
		return;
	if (!want || !got || strcmp(got, want) != 0)
		fail_msg("'%s': '%s', not '%s'", name, got ? got : "none", want ? want : "none");
}

TEST(paths)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct diag_bundle_path path;

		diag_bundle_classify(rows[i].name, &path);
		if (path.kind != rows[i].kind)
			fail_msg("'%s' is of kind %d", rows[i].name, (int)path.kind);
		same(rows[i].name, path.top, rows[i].top);
		same(rows[i].name, path.folder, rows[i].folder);
		same(rows[i].name, path.namespace_, rows[i].namespace_);
		same(rows[i].name, path.pod, rows[i].pod);
		same(rows[i].name, path.container, rows[i].container);
		assert_int_equal(path.previous, rows[i].previous);
		assert_int_equal(path.yaml, rows[i].yaml);
		diag_bundle_path_done(&path);
	}
}

TEST(time_in_a_name)
{
	static const char *const without[] = {
		"my-bundle",
		"support-bundle-x",
		"support-bundle-2026-01-02T03_04_0",
		"support-bundle-2026-13-02T03_04_05",
		"support-bundle-2026-01-02 03_04_05",
		"support-bundle-2026-01-02T25_04_05",
		"support-bundle-+026-01-02T03_04_05",
		"",
		NULL,
	};
	char text[21];

	assert_true(diag_bundle_time("support-bundle-2026-01-02T03_04_05", text));
	assert_string_equal(text, "2026-01-02T03:04:05Z");
	assert_true(diag_bundle_time("/x/my-support-bundle-2026-11-30T23_59_59.tar.gz", text));
	assert_string_equal(text, "2026-11-30T23:59:59Z");
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(without); i++)
		assert_false(diag_bundle_time(without[i], text));
}

RUN_TESTS("layout", T(paths), T(time_in_a_name))
