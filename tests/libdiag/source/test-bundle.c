/* Support bundles as they come: well made, old, forbidden, repacked, cut, and hostile. */
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "source/bundle.h"

#include "tests/support/recording-sink.h"
#include "tests/support/tarball.h"
#include "tests/support/unit.h"

#define TOP    "support-bundle-2026-01-02T15_04_05/"
#define CR     TOP "cluster-resources/"
#define CUSTOM CR "custom-resources/"
#define LOGS   CR "pods/logs/"
#define ITEM   "{\"items\":[{\"metadata\":{\"name\":\"a\"}}]}"
#define YAML   "- metadata:\n    name: a\n- metadata:\n    name: b\n"
#define CRDS                                                                                       \
	"{\"items\":[{\"metadata\":{\"name\":\"realms.bindery.platform\"}},"                       \
	"{\"metadata\":{\"name\":\"booklets.bindery.platform\"}},"                                 \
	"{\"metadata\":{\"name\":\"capabilitydefinitions.bindery.platform\"}}]}"
#define FORBIDDEN "is forbidden: User \\\"x\\\" cannot list resource"

static char dir[] = "/tmp/diag-bundle-XXXXXX";
static const char *data; /* the recordings */

static const char *in_dir(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static int load_path(const char *path, const struct diag_bundle_options *options,
		     struct recording_sink *sink, struct diag_error *err)
{
	diag_source_auto struct diag_source *source = NULL;
	int r = diag_bundle_open_with(path, options, &source, err);

	return r < 0 ? r : diag_source_load(source, &sink->sink, err);
}

/* Load the tarball, of which the first `length` bytes are kept. */
static void load_cut(struct tarball *tarball, size_t length, const char *const *wants,
		     const struct diag_bundle_options *options, struct recording_sink *ret_sink)
{
	struct diag_error err = DIAG_ERROR_INIT;

	recording_sink_init(ret_sink, wants);
	tarball_write(tarball, in_dir("b.tar.gz"), length);
	if (load_path(in_dir("b.tar.gz"), options, ret_sink, &err) < 0)
		fail_msg("%s", err.message);
}

static struct recording_sink load(struct tarball *tarball)
{
	struct recording_sink sink;

	load_cut(tarball, SIZE_MAX, NULL, NULL, &sink);
	return sink;
}

TEST(lists_and_their_names)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, CR "nodes.json", ITEM);
	tarball_file(t, CR "pvcs/game.json", "[]");
	tarball_file(t, CR "storage-classes.json", "{\"items\":null}");
	tarball_file(t, CUSTOM "realms.bindery.platform/game.json", "[{},{}]");
	tarball_file(t, CUSTOM "capabilitydefinitions.bindery.platform.json", "[{}]");
	tarball_file(t, CUSTOM "certificates.cert-manager.io/game.json", "[{}]");
	tarball_file(t, CR "auth-cani-list/game.json", "[]");
	tarball_file(t, CR "cronjobs/game.json", ITEM);
	tarball_file(t, TOP "version.yaml", "kind: SupportBundle");
	tarball_file(t, TOP "analysis.json", "[]");
	sink = load(t);
	assert_int_equal(recording_sink_count(&sink, "page "), 6);
	recording_sink_has(&sink, "page pods game " CR "pods/game.json json 1\n");
	recording_sink_has(&sink, "page nodes - " CR "nodes.json json 1\n");
	recording_sink_has(&sink, "page persistentvolumeclaims game " CR "pvcs/game.json json 0\n");
	recording_sink_has(&sink, "page storageclasses.storage.k8s.io - ");
	recording_sink_has(&sink, "page realms.bindery.platform game " CUSTOM
				  "realms.bindery.platform/game.json json 2\n");
	recording_sink_has(&sink, "page capabilitydefinitions.bindery.platform - ");
	recording_sink_lacks(&sink, "problem");
	recording_sink_done(&sink);
}

/* Of what nobody asked for, nothing is said; the definitions are read all the same. */
TEST(only_what_is_wanted)
{
	static const char *const wants[] = { "pods", "realms.bindery.platform", NULL };
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, CR "services/game.json", "broken");
	tarball_file(t, CR "services/game.yaml", "{broken");
	tarball_file(t, CR "events-errors.json", "{\"game\":\"x\"}");
	tarball_file(t, CR "custom-resource-definitions.json", CRDS);
	tarball_file(t, CUSTOM "booklets.bindery.platform/game.json", ITEM);
	tarball_file(t, LOGS "game/p/c.log", "text");
	load_cut(t, SIZE_MAX, wants, NULL, &sink);
	recording_sink_has(&sink, "page pods game " CR "pods/game.json json 1\n");
	recording_sink_has(&sink, "state realms.bindery.platform game empty: -\n");
	assert_int_equal(recording_sink_count(&sink, "page"), 1);
	assert_int_equal(recording_sink_count(&sink, "state"), 1);
	recording_sink_lacks(&sink, "log");
	recording_sink_lacks(&sink, "problem");
	recording_sink_done(&sink);
}

/* Logs come first in this archive, and last in the sink, which learns from the objects. */
TEST(objects_before_logs)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, LOGS "game/p/c.log", "one");
	tarball_file(t, LOGS "game/p/c-previous.log", "two");
	tarball_file(t, LOGS "game/q/c-logs-errors.log", "container not found");
	tarball_file(t, TOP "metrics/ops/m.txt", "up 1");
	tarball_file(t, CUSTOM "realms.bindery.platform/game.yaml", YAML);
	tarball_file(t, CR "pods/game.json", ITEM);
	sink = load(t);
	assert_int_equal(recording_sink_count(&sink, "log "), 3);
	recording_sink_has(&sink, "log game p c current whole one\n");
	recording_sink_has(&sink, "log game p c previous whole two\n");
	recording_sink_has(&sink, "log ops m metrics current whole up 1\n");
	assert_true(recording_sink_at(&sink, "page pods") < recording_sink_at(&sink, "log "));
	assert_true(recording_sink_at(&sink, "page realms") < recording_sink_at(&sink, "log "));
	recording_sink_lacks(&sink, "problem");
	recording_sink_done(&sink);
}

/* Only the end of a log is kept, in whole lines, also of one that is too large to be read whole. */
TEST(ends_of_logs)
{
	static const struct diag_bundle_options options = { .archive = { .entry_bytes = 100 },
							    .log_bytes = 8 };
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;
	char text[1001] = "";

	for (int i = 0; i < 100; i++)
		snprintf(text + 10 * i, 11, "line %04d\n", i);
	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, LOGS "game/p/fits.log", "1\n2\n3\n4\n");
	tarball_file(t, LOGS "game/p/long.log", "1\n2\n3\n4\n5\n");
	tarball_file(t, LOGS "game/p/huge.log", text);
	load_cut(t, SIZE_MAX, NULL, &options, &sink);
	recording_sink_has(&sink, "log game p fits current whole 1|2|3|4|\n");
	recording_sink_has(&sink, "log game p long current cut 2|3|4|5|\n");
	recording_sink_has(&sink, "log game p huge current cut \n"); /* no line fits */
	recording_sink_lacks(&sink, "problem");
	recording_sink_done(&sink);
}

/* Logs that do not fit into memory come in a pass of their own: none is lost, none comes twice. */
TEST(more_logs_than_memory)
{
	static const struct diag_bundle_options options = { .held_bytes = 7 };
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, LOGS "game/p/a.log", "aaa");
	tarball_file(t, LOGS "game/p/b.log", "bbb");
	tarball_file(t, LOGS "game/p/c.log", "ccc");
	tarball_file(t, LOGS "game/p/d.log", "d");
	tarball_file(t, "../x", "");
	tarball_file(t, CR "pods/game.json", ITEM);
	load_cut(t, SIZE_MAX, NULL, &options, &sink);
	assert_int_equal(recording_sink_count(&sink, "log "), 4);
	recording_sink_has(&sink, "log game p a current whole aaa\nlog game p b current whole bbb\n"
				  "log game p c current whole ccc\nlog game p d current whole d\n");
	assert_true(recording_sink_at(&sink, "page pods") < recording_sink_at(&sink, "log "));
	assert_int_equal(recording_sink_count(&sink, "page pods"), 1);
	assert_int_equal(recording_sink_count(&sink, "problem"), 1);
	recording_sink_done(&sink);
}

/* What becomes of a list with these two files, in both orders. */
static void check_twins(const char *json, const char *yaml, const char *want_page,
			const char *want_problem)
{
	for (int order = 0; order < 2; order++) {
		struct tarball *t = tarball_new(TARBALL_GZIP);
		struct recording_sink sink;

		if (order && yaml)
			tarball_file(t, CR "pods/game.yaml", yaml);
		if (json)
			tarball_file(t, CR "pods/game.json", json);
		if (!order && yaml)
			tarball_file(t, CR "pods/game.yaml", yaml);
		sink = load(t);
		assert_int_equal(recording_sink_count(&sink, "page"), want_page ? 1 : 0);
		if (want_page)
			recording_sink_has(&sink, want_page);
		assert_int_equal(recording_sink_count(&sink, "problem"), want_problem ? 1 : 0);
		if (want_problem)
			recording_sink_has(&sink, want_problem);
		assert_int_equal(recording_sink_count(&sink, "state pods game failed: "),
				 want_problem ? 1 : 0);
		recording_sink_done(&sink);
	}
}

TEST(twins)
{
	static const char json[] = "page pods game " CR "pods/game.json json 1\n";
	static const char yaml[] = "page pods game " CR "pods/game.yaml yaml 2\n";

	check_twins(ITEM, YAML, json, NULL);
	check_twins(ITEM, "{broken", json, NULL);
	check_twins(NULL, YAML, yaml, NULL);
	check_twins("{\"items\":[{", YAML, yaml, NULL);
	check_twins("", YAML, yaml, NULL);
	check_twins("{\n\"items\":[{", "{broken", NULL, "problem " CR "pods/game.json:");
	check_twins("{\n\"items\":[}", NULL, NULL, "problem " CR "pods/game.json:2: ");
	check_twins(NULL, "a: [", NULL, "problem " CR "pods/game.yaml:");
	check_twins(" \n", NULL, NULL, "problem " CR "pods/game.json:0: is empty");
}

/* The collector makes the twin a link; one to nothing is a list that is lost. */
TEST(linked_twins)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_symlink(t, CUSTOM "realms.bindery.platform/game.yaml", "game.json");
	tarball_file(t, CUSTOM "realms.bindery.platform/game.json", "[{}]");
	tarball_file(t, CUSTOM "booklets.bindery.platform/game.yaml", YAML);
	tarball_symlink(t, CUSTOM "booklets.bindery.platform/game.json", "game.yaml");
	tarball_symlink(t, TOP "p/c.log", "../cluster-resources/pods/logs/game/p/c.log");
	tarball_file(t, LOGS "game/p/c.log", "text");
	sink = load(t);
	assert_int_equal(recording_sink_count(&sink, "page"), 2);
	recording_sink_has(&sink, "page realms.bindery.platform game " CUSTOM
				  "realms.bindery.platform/game.json json 1\n");
	recording_sink_has(&sink, "page booklets.bindery.platform game " CUSTOM
				  "booklets.bindery.platform/game.yaml yaml 2\n");
	assert_int_equal(recording_sink_count(&sink, "log "), 1);
	recording_sink_lacks(&sink, "problem");
	recording_sink_done(&sink);
}

/*
 * Whoever packs a bundle again with links resolved (tar -h) gets hard links, and whichever name
 * comes first is the file: the content is read under the name that means something.
 */
TEST(content_under_another_name)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, TOP "p/c.log", "text");
	tarball_hardlink(t, LOGS "game/p/c.log", TOP "p/c.log");
	tarball_hardlink(t, CR "pods/game.json", TOP "copy/pods.json");
	tarball_file(t, TOP "copy/pods.json", ITEM);
	tarball_symlink(t, CR "services/game.json", "gone.json");
	tarball_hardlink(t, LOGS "game/q/c.log", TOP "q/c.log");
	sink = load(t);
	recording_sink_has(&sink, "log game p c current whole text\n");
	recording_sink_has(&sink, "page pods game " CR "pods/game.json json 1\n");
	recording_sink_has(&sink, "problem " CR "services/game.json:0: is a link to '" CR
				  "services/gone.json', which is not in the bundle\n");
	recording_sink_has(&sink, "state services game failed: is a link to");
	recording_sink_has(&sink, "problem " LOGS "game/q/c.log:0: is a link to '" TOP
				  "q/c.log', which is not in the bundle\n");
	assert_int_equal(recording_sink_count(&sink, "problem"), 2);
	recording_sink_done(&sink);
}

/* Each shape of error file, as the collector writes it. */
TEST(error_files)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, CR "pods-errors.json", "{\"game\":\"pods " FORBIDDEN " \\\"pods\\\"\"}");
	tarball_file(t, CR "pods/ops.json", ITEM);
	tarball_file(t, CR "events-errors.json", "{\"\":\"the server is currently unable\"}");
	tarball_file(t, CR "nodes-errors.json", "[\"nodes " FORBIDDEN "\"]");
	tarball_file(t, CR "storage-errors.json", "[\"one\",\"two\"]");
	tarball_file(t, CR "services-errors.json", "{\"game\":7,\"ops\":null}");
	tarball_file(t, CR "pvs-errors.json", "null");
	tarball_file(t, CR "leases-errors.json", "{}");
	tarball_file(t, CR "endpoints-errors.json", "");
	tarball_file(t, CUSTOM "custom-resources-errors.json",
		     "{\"realms.bindery.platform\":\"realms " FORBIDDEN "\","
		     "\"booklets.bindery.platform/game\":\"yaml: bad\","
		     "\"certificates.cert-manager.io\":\"x\"}");
	tarball_file(t, CR "configmaps-errors.json", "{broken");
	sink = load(t);
	recording_sink_has(&sink, "state pods game forbidden: pods is forbidden: User \"x\" cannot "
				  "list resource \"pods\"\n");
	recording_sink_lacks(&sink, "state pods ops");
	recording_sink_has(&sink, "state events - failed: the server is currently unable\n");
	recording_sink_lacks(&sink, "state events game");
	recording_sink_has(&sink, "state nodes - forbidden: nodes is forbidden");
	recording_sink_has(&sink, "state storageclasses.storage.k8s.io - failed: one; two\n");
	recording_sink_has(&sink, "state services game failed: no reason is given\n");
	recording_sink_has(&sink, "state services ops not collected: ");
	recording_sink_has(&sink, "state persistentvolumes - not collected: ");
	recording_sink_has(&sink, "state leases.coordination.k8s.io ops not collected: ");
	recording_sink_has(&sink, "state endpoints ops not collected: ");
	recording_sink_has(&sink, "state realms.bindery.platform - forbidden: realms is");
	recording_sink_has(&sink, "state booklets.bindery.platform game failed: yaml: bad\n");
	recording_sink_has(&sink,
			   "problem " CR "configmaps-errors.json:0: cannot be read; it would");
	recording_sink_has(&sink, "state configmaps - failed: the error file cannot be read\n");
	assert_int_equal(recording_sink_count(&sink, "problem"), 1);
	recording_sink_done(&sink);
}

/* When not even the definitions could be listed, no custom resource was. */
TEST(no_custom_resource_could_be_listed)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, CUSTOM "custom-resources-errors.json",
		     "{\"crdList\":\"customresourcedefinitions " FORBIDDEN "\"}");
	sink = load(t);
	recording_sink_has(&sink, "state realms.bindery.platform - forbidden: customresource");
	recording_sink_has(&sink, "state capabilitydefinitions.bindery.platform - forbidden: ");
	recording_sink_done(&sink);
}

/* Where it could list nothing the collector leaves an empty file; of several, a part may be there.
 */
TEST(errors_beside_lists)
{
	for (int order = 0; order < 2; order++) {
		struct tarball *t = tarball_new(TARBALL_GZIP);
		struct recording_sink sink;

		if (order)
			tarball_file(t, CR "nodes-errors.json", "[\"nodes " FORBIDDEN "\"]");
		tarball_file(t, CR "nodes.json", "");
		if (!order)
			tarball_file(t, CR "nodes-errors.json", "[\"nodes " FORBIDDEN "\"]");
		tarball_file(t, CR "namespaces.json", "[{}]");
		tarball_file(t, CR "namespaces-errors.json",
			     "[\"namespaces \\\"b\\\" not found\"]");
		tarball_file(t, CR "pvs.json", "null");
		tarball_file(t, CR "pvs-errors.json", "[\"x\"]");
		tarball_file(t, CR "clusterroles.json", "");
		sink = load(t);
		recording_sink_has(&sink, "state nodes - forbidden: nodes is forbidden");
		recording_sink_has(&sink,
				   "state namespaces - truncated: namespaces \"b\" not found\n");
		recording_sink_has(&sink, "state persistentvolumes - failed: x\n");
		recording_sink_has(&sink, "state clusterroles.rbac.authorization.k8s.io - failed: "
					  "is empty: no list\n");
		recording_sink_has(&sink, "problem " CR "clusterroles.json:0: is empty: no list\n");
		assert_int_equal(recording_sink_count(&sink, "problem"), 1);
		recording_sink_done(&sink);
	}
}

/* No file: built-in kinds are always written, custom resources only where there are any. */
TEST(absent_lists)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, CR "pods/ops.json", ITEM);
	tarball_file(t, CR "services/ops.json", ITEM);
	tarball_file(t, CR "custom-resource-definitions.json", CRDS);
	tarball_file(t, CUSTOM "booklets.bindery.platform/game.json", ITEM);
	sink = load(t);
	recording_sink_has(&sink, "state services game not collected: the bundle has no "
				  "cluster-resources/services/game.json\n");
	recording_sink_lacks(&sink, "state services ops");
	recording_sink_lacks(&sink, "state pods");
	recording_sink_has(&sink, "state nodes - not collected: the bundle has no "
				  "cluster-resources/nodes.json\n");
	recording_sink_has(&sink, "state booklets.bindery.platform ops empty: -\n");
	recording_sink_lacks(&sink, "state booklets.bindery.platform game");
	recording_sink_has(&sink, "state realms.bindery.platform game empty: -\n");
	recording_sink_has(&sink, "state realms.bindery.platform ops empty: -\n");
	recording_sink_lacks(&sink, "state realms.bindery.platform other");
	recording_sink_has(&sink, "state capabilitydefinitions.bindery.platform - empty: -\n");
	recording_sink_has(&sink, "state shardautoscalers.bindery.platform - empty: no CRD named "
				  "shardautoscalers.bindery.platform\n");
	recording_sink_lacks(&sink, "problem");
	recording_sink_done(&sink);
}

/* Definitions alone do not tell whether custom resources were asked for. */
TEST(absent_custom_resources_without_evidence)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, CR "custom-resource-definitions.json", CRDS);
	sink = load(t);
	recording_sink_has(&sink,
			   "state realms.bindery.platform game not collected: the bundle has "
			   "no cluster-resources/custom-resources/realms.bindery.platform/"
			   "game.json\n");
	recording_sink_has(&sink, "state shardautoscalers.bindery.platform - empty: no CRD");
	recording_sink_done(&sink);
	/* No definitions, or none at all: nothing follows from the absence. */
	t = tarball_new(TARBALL_GZIP);
	tarball_file(t, CUSTOM "booklets.bindery.platform/game.json", ITEM);
	tarball_file(t, CR "custom-resource-definitions.json", "{\"items\":[]}");
	sink = load(t);
	recording_sink_lacks(&sink, "state shardautoscalers.bindery.platform - empty");
	recording_sink_done(&sink);
	t = tarball_new(TARBALL_GZIP);
	tarball_file(t, CUSTOM "booklets.bindery.platform/game.json", ITEM);
	tarball_file(t, CR "custom-resource-definitions.json", "{broken");
	sink = load(t);
	recording_sink_has(&sink, "state realms.bindery.platform game not collected");
	recording_sink_has(&sink, "state customresourcedefinitions.apiextensions.k8s.io - failed");
	recording_sink_done(&sink);
	/* A custom resource of any kind is evidence. */
	t = tarball_new(TARBALL_GZIP);
	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, CUSTOM "certificates.cert-manager.io/other.json", ITEM);
	tarball_file(t, CR "custom-resource-definitions.json", CRDS);
	sink = load(t);
	recording_sink_has(&sink, "state realms.bindery.platform game empty: -\n");
	recording_sink_done(&sink);
}

/* Letters that no packing shortens. */
static char *noise(size_t length)
{
	char *text = diag_xcalloc(1, length + 1);
	unsigned state = 7;

	for (size_t i = 0; i < length; i++) {
		state = state * 1103515245U + 12345U;
		text[i] = (char)('a' + (state >> 16) % 26);
	}
	return text;
}

/* A cut archive is used up to the cut; what it does not hold was perhaps behind it. */
TEST(cut_archive)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;
	diag_autofree char *text = noise(300000);

	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, CR "custom-resource-definitions.json", CRDS);
	tarball_file(t, CUSTOM "booklets.bindery.platform/game.json", ITEM);
	tarball_file(t, LOGS "game/p/a.log", "text");
	tarball_file(t, CR "services/game.json", text);
	tarball_file(t, CR "nodes.json", ITEM);
	load_cut(t, 100000, NULL, NULL, &sink);
	recording_sink_has(&sink, "page pods game");
	recording_sink_has(&sink, "log game p a current whole text\n");
	recording_sink_has(&sink,
			   "problem " CR "services/game.json:0: the archive can be read no "
			   "further than this: truncated gzip input; what follows is missing");
	recording_sink_has(&sink, "state services game failed: the archive can be read no further");
	recording_sink_has(&sink, "state nodes - not collected: the bundle breaks off, and what is "
				  "there has no cluster-resources/nodes.json\n");
	recording_sink_has(&sink, "state realms.bindery.platform game not collected: the bundle "
				  "breaks off");
	recording_sink_has(&sink, "state shardautoscalers.bindery.platform - empty: no CRD");
	assert_int_equal(recording_sink_count(&sink, "problem"), 1);
	recording_sink_done(&sink);
}

/* The cut is told even where an error file or a twin would excuse the list that it hit. */
TEST(cut_archive_is_never_silent)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;
	diag_autofree char *text = noise(300000);

	tarball_file(t, CR "services/game.yaml", YAML);
	tarball_file(t, CR "pods-errors.json", "{\"game\":\"x\"}");
	tarball_file(t, CR "pods/game.json", text);
	load_cut(t, 100000, NULL, NULL, &sink);
	recording_sink_has(&sink, "problem " CR "pods/game.json:0: the archive can be read no");
	recording_sink_has(&sink, "state pods game failed: x\n");
	recording_sink_has(&sink, "page services game " CR "services/game.yaml yaml 2\n");
	assert_int_equal(recording_sink_count(&sink, "problem"), 1);
	recording_sink_done(&sink);
}

/* What is hostile is named and left out, the rest is used. */
TEST(hostile_archive)
{
	static const struct diag_bundle_options small = { .archive = { .entry_bytes = 50 } };
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, "../" CR "nodes.json", ITEM);
	tarball_symlink(t, CR "leases", "/etc");
	tarball_file(t, CR "leases/passwd.json", ITEM);
	tarball_file(t, CR "pods/game.json", ITEM);
	tarball_file(t, CR "pods/game.json", "[{},{},{},{}]");
	tarball_fifo(t, CR "pods/ops.json");
	tarball_file(t, CR "pods/a\nb.json", ITEM);
	tarball_file(t, CR "services/game.json",
		     "[                                                         ]");
	load_cut(t, SIZE_MAX, NULL, &small, &sink);
	recording_sink_has(&sink, "page pods game " CR "pods/game.json json 1\n");
	assert_int_equal(recording_sink_count(&sink, "page"), 1);
	recording_sink_has(&sink, "problem ../" CR "nodes.json:0: its name leads upwards");
	recording_sink_has(&sink, "problem " CR "leases:0: is a link that leads out");
	recording_sink_has(&sink, "problem " CR "leases/passwd.json:0: lies behind a link");
	recording_sink_has(&sink, "problem " CR "pods/game.json:0: is there more than once");
	recording_sink_has(&sink, "problem " CR "pods/ops.json:0: is a device or pipe");
	recording_sink_has(&sink, "problem " CR "pods/a\nb.json:0: its name has control");
	recording_sink_has(&sink, "problem " CR "services/game.json:0: is larger than 50 bytes");
	recording_sink_has(&sink, "state services game failed: is larger than 50 bytes");
	assert_int_equal(recording_sink_count(&sink, "problem"), 7);
	recording_sink_done(&sink);
}

TEST(facts)
{
	static const char version[] =
		"{\"info\":{\"gitVersion\":\"v1.2.4\"},\"string\":\"v1.2.3\"}";
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	/* Not the bundle's own: another's, and a copy deeper down. */
	tarball_file(t, "other/cluster-info/cluster_version.json", "{\"string\":\"v0\"}");
	tarball_file(t, "other/bundle.json", "{\"taken\":\"2020-01-01T00:00:00Z\"}");
	tarball_bytes(t, TOP "cluster-info/cluster_version.json", version, sizeof(version) - 1,
		      1767366305); /* 2026-01-02T15:05:05Z */
	tarball_file(t, TOP "bundle.json", "{\"taken\":\"2026-01-02T14:04:05Z\"}");
	tarball_file(t, CR "nodes.json", ITEM);
	sink = load(t);
	recording_sink_has(&sink, "fact source=bundle\n");
	recording_sink_has(&sink, "fact origin=/tmp/diag-bundle-");
	recording_sink_has(&sink, "fact server-version=v1.2.3\n");
	recording_sink_has(&sink, "fact taken=2026-01-02T14:04:05Z\n");
	recording_sink_has(&sink, "fact taken-hint=2026-01-02T15:04:05Z\n");
	recording_sink_has(&sink, "fact newest-file=2026-01-02T15:05:05Z\n");
	recording_sink_done(&sink);
}

static int write_bundle(const char *name)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);

	tarball_file(t, "cluster-resources/nodes.json", ITEM);
	tarball_file(t, "cluster-info/cluster_version.json", "{\"info\":{\"gitVersion\":\"v1\"}}");
	tarball_file(t, "bundle.json", "{\"taken\":\"yesterday\"}");
	tarball_write(t, in_dir(name), SIZE_MAX);
	return 0;
}

/* Without a top folder the archive's own name may tell the time; what is no time is not taken. */
TEST(facts_without_a_top_folder)
{
	struct recording_sink sink;

	recording_sink_init(&sink, NULL);
	write_bundle("support-bundle-2026-03-04T05_06_07.tgz");
	assert_int_equal(
		load_path(in_dir("support-bundle-2026-03-04T05_06_07.tgz"), NULL, &sink, NULL), 0);
	recording_sink_has(&sink, "page nodes - cluster-resources/nodes.json json 1\n");
	recording_sink_has(&sink, "fact taken-hint=2026-03-04T05:06:07Z\n");
	recording_sink_has(&sink, "fact server-version=v1\n");
	recording_sink_lacks(&sink, "fact taken=");
	recording_sink_done(&sink);
}

TEST(several_bundles)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	tarball_file(t, "one/cluster-resources/pods/game.json", ITEM);
	tarball_file(t, "two/cluster-resources/pods/game.json", "[{},{}]");
	tarball_file(t, "two/cluster-resources/nodes.json", ITEM);
	tarball_file(t, "two/cluster-resources/pods/logs/game/p/c.log", "text");
	tarball_file(t, "one/copied/cluster-resources/services/game.json", ITEM);
	sink = load(t);
	assert_int_equal(recording_sink_count(&sink, "page"), 1);
	recording_sink_has(&sink, "page pods game one/cluster-resources/pods/game.json json 1\n");
	recording_sink_lacks(&sink, "log ");
	recording_sink_has(&sink, "problem two:0: is one more bundle; 'one' is read and nothing "
				  "else: give one bundle at a time\n");
	assert_int_equal(recording_sink_count(&sink, "problem"), 1);
	recording_sink_done(&sink);
}

static void make_file(const char *name, const char *text)
{
	FILE *file = fopen(in_dir(name), "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* Unpacked, with the top folder inside, and with what an archive cannot smuggle in. */
TEST(folder)
{
	struct recording_sink sink;

	recording_sink_init(&sink, NULL);
	assert_int_equal(mkdir(in_dir("unpacked"), 0700), 0);
	assert_int_equal(mkdir(in_dir("unpacked/support-bundle-2026-01-02T15_04_05"), 0700), 0);
	assert_int_equal(mkdir(in_dir("unpacked/" CR), 0700), 0);
	assert_int_equal(mkdir(in_dir("unpacked/" CR "pods"), 0700), 0);
	make_file("unpacked/" CR "pods/game.json", ITEM);
	make_file("unpacked/" CR "pods/game.yaml", YAML);
	assert_int_equal(symlink("/", in_dir("unpacked/" CR "services")), 0);
	assert_int_equal(symlink("/etc/passwd", in_dir("unpacked/" CR "nodes.json")), 0);
	assert_int_equal(mkfifo(in_dir("unpacked/" CR "pvs.json"), 0600), 0);
	assert_int_equal(load_path(in_dir("unpacked"), NULL, &sink, NULL), 0);
	assert_int_equal(recording_sink_count(&sink, "page"), 1);
	recording_sink_has(&sink, "page pods game " CR "pods/game.json json 1\n");
	recording_sink_has(&sink, "problem " CR "nodes.json:0: is a link that leads out");
	recording_sink_has(&sink, "problem " CR "services:0: is a link that leads out");
	recording_sink_has(&sink, "problem " CR "pvs.json:0: is a device or pipe");
	assert_int_equal(recording_sink_count(&sink, "problem"), 3);
	recording_sink_has(&sink, "fact taken-hint=2026-01-02T15:04:05Z\n");
	recording_sink_done(&sink);
	/* From inside the top folder, whose name then is the path's. */
	recording_sink_init(&sink, NULL);
	assert_int_equal(load_path(in_dir("unpacked/" TOP), NULL, &sink, NULL), 0);
	recording_sink_has(&sink, "page pods game cluster-resources/pods/game.json json 1\n");
	recording_sink_has(&sink, "fact taken-hint=2026-01-02T15:04:05Z\n");
	recording_sink_done(&sink);
}

static void check_error(const char *name, int code, const char *part)
{
	struct recording_sink sink;
	struct diag_error err = DIAG_ERROR_INIT;

	recording_sink_init(&sink, NULL);
	assert_int_equal(load_path(in_dir(name), NULL, &sink, &err), code);
	if (!strstr(err.message, part) || !strstr(err.message, name))
		fail_msg("'%s' says not '%s'", err.message, part);
	recording_sink_done(&sink);
}

TEST(no_bundle)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct recording_sink sink;

	make_file("empty", "");
	make_file("text", "just some text");
	make_file("file", "");
	tarball_write(tarball_new(TARBALL_PLAIN), in_dir("none.tar"), SIZE_MAX);
	check_error("absent", DIAG_E_NOT_FOUND,
		    "does not exist; give the archive, or the folder it was unpacked to");
	check_error("file/x", DIAG_E_NOT_FOUND, "does not exist");
	check_error("empty", DIAG_E_PARSE, "is empty");
	check_error("text", DIAG_E_PARSE, "is no support bundle, which is a tar archive");
	check_error("none.tar", DIAG_E_PARSE, "is an empty archive");
	/* An archive of something else is read to its end, and found to hold nothing. */
	tarball_file(t, "holiday/photo.jpg", "x");
	sink = load(t);
	recording_sink_has(&sink, "problem /tmp/diag-bundle-");
	assert_non_null(strstr(diag_buf_str(&sink.lines), "holds no cluster-resources folder"));
	recording_sink_lacks(&sink, "page");
	recording_sink_done(&sink);
}

TEST(interrupted)
{
	struct diag_cancel cancel = { .requested = 1 };
	struct recording_sink sink;
	diag_source_auto struct diag_source *source = NULL;

	recording_sink_init(&sink, NULL);
	write_bundle("cancel.tgz");
	assert_int_equal(diag_bundle_open(in_dir("cancel.tgz"), &cancel, &source, NULL), 0);
	assert_int_equal(diag_source_load(source, &sink.sink, NULL), DIAG_E_CANCELLED);
	recording_sink_done(&sink);
}

static struct recording_sink load_recording(const char *name)
{
	struct recording_sink sink;
	struct diag_error err = DIAG_ERROR_INIT;
	char path[PATH_MAX];

	recording_sink_init(&sink, NULL);
	snprintf(path, sizeof(path), "%s/%s", data, name);
	if (load_path(path, NULL, &sink, &err) < 0)
		fail_msg("%s", err.message);
	return sink;
}

/* Counted with tar and jq from the recording. */
TEST(recording_of_a_real_cluster)
{
	struct recording_sink sink = load_recording("scenarios/ok-small/bundle.tar.gz");

	recording_sink_lacks(&sink, "problem");
	assert_int_equal(recording_sink_count(&sink, "page "), 47);
	recording_sink_has(&sink, "page modulemanifests.bindery.platform delta ");
	assert_int_equal(recording_sink_count(&sink, "log "), 5);
	recording_sink_has(&sink,
			   "log delta rt-arena-gateway-55d56896bd-rnbv2 wait-for-deps current "
			   "whole ");
	recording_sink_has(&sink, "log bindery-system bindery-core-controller-manager-84fffdd5dd-"
				  "pxnrd manager previous whole ");
	recording_sink_has(&sink, "state realms.bindery.platform delta empty: -\n");
	recording_sink_has(&sink,
			   "state worldinstances.bindery.platform bindery-system empty: -\n");
	recording_sink_has(&sink, "state capabilitydefinitions.bindery.platform - empty: -\n");
	recording_sink_has(&sink, "state roles.rbac.authorization.k8s.io delta not collected: ");
	recording_sink_lacks(&sink, "state pods");
	recording_sink_has(&sink, "fact server-version=v1.34.4\n");
	recording_sink_has(&sink, "fact taken-hint=2026-12-01T08:23:37Z\n");
	recording_sink_has(&sink, "fact newest-file=2026-12-01T08:23:37Z\n");
	recording_sink_done(&sink);
}

/* Links beside the logs, .yaml links, error files of logs, and any order. */
TEST(bundles_of_another_tool)
{
	static const char *const names[] = { "dependency-crash", "secret-leaks",
					     "version-unsatisfied" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(names); i++) {
		struct recording_sink sink;
		char name[128];

		snprintf(name, sizeof(name), "scenarios-troubleshoot/%s.tar.gz", names[i]);
		sink = load_recording(name);
		recording_sink_lacks(&sink, "problem");
		assert_int_equal(recording_sink_count(&sink, "page "), 53);
		assert_int_equal(recording_sink_count(&sink, "page worldinstances"), 1);
		assert_true(recording_sink_count(&sink, "log ") > 0);
		recording_sink_has(&sink,
				   "state realms.bindery.platform bindery-system empty: -\n");
		recording_sink_lacks(&sink, "state pods");
		recording_sink_has(&sink, "fact server-version=v1.34.4\n");
		recording_sink_lacks(&sink, "fact taken-hint");
		recording_sink_done(&sink);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		T(lists_and_their_names),
		T(only_what_is_wanted),
		T(objects_before_logs),
		T(ends_of_logs),
		T(more_logs_than_memory),
		T(twins),
		T(linked_twins),
		T(content_under_another_name),
		T(error_files),
		T(no_custom_resource_could_be_listed),
		T(errors_beside_lists),
		T(absent_lists),
		T(absent_custom_resources_without_evidence),
		T(cut_archive),
		T(cut_archive_is_never_silent),
		T(hostile_archive),
		T(facts),
		T(facts_without_a_top_folder),
		T(several_bundles),
		T(folder),
		T(no_bundle),
		T(interrupted),
		T(recording_of_a_real_cluster),
		T(bundles_of_another_tool),
	};
	char command[128];
	int failed;

	if (argc != 2 || !mkdtemp(dir))
		return 99;
	data = argv[1];
	failed = cmocka_run_group_tests_name("bundle", tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) ? 99 : failed;
}
