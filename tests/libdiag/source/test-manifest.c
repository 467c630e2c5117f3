/* Manifests as people keep them: folders, streams, broken documents, links that lead upwards. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/timestamp.h"
#include "model/snapshot.h"
#include "source/manifest.h"
#include "text/json.h"

#include "tests/support/unit.h"

static char dir[] = "/tmp/diag-manifest-XXXXXX";

static const char *in_dir(const char *name)
{
	static char paths[4][256];
	static size_t next;
	char *path = paths[next++ % 4];

	snprintf(path, 256, "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static struct diag_snapshot *load(const char *path)
{
	const char *paths[] = { path, NULL };
	struct diag_manifest_options options = { .paths = paths };
	struct diag_snapshot_options how = { .at_ms = DIAG_TIME_NONE };
	struct diag_snapshot *snapshot = diag_snapshot_new(&how);
	diag_source_auto struct diag_source *source = NULL;

	assert_int_equal(diag_manifest_open(&options, &source, NULL), 0);
	assert_int_equal(diag_source_load(source, diag_snapshot_sink(snapshot), NULL), 0);
	assert_int_equal(diag_snapshot_finish(snapshot, NULL), 0);
	return snapshot;
}

#define REALM(name)                                                                                \
	"apiVersion: bindery.platform/v1alpha1\nkind: Realm\nmetadata: {name: " name "}\n"         \
	"spec: {modules: [{name: chat}]}\n"
#define REALMS "realms.bindery.platform"

static size_t problems(const struct diag_snapshot *snapshot)
{
	size_t count;

	diag_snapshot_problems(snapshot, &count);
	return count;
}

/* A broken document costs only itself, and lines are those of the file. */
TEST(documents_are_read_alone)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;
	const struct diag_problem *list;
	const json_t *realm;
	size_t count;

	write_file("stream.yaml", REALM("eu") "---\nkind: [broken\n---\n" REALM("us"));
	snapshot = load(in_dir("stream.yaml"));
	list = diag_snapshot_problems(snapshot, &count);
	assert_int_equal(count, 1);
	assert_int_equal(list[0].line, 7);
	assert_int_equal(json_array_size(diag_snapshot_list(snapshot, REALMS)), 2);
	realm = diag_snapshot_get(snapshot, REALMS, "default", "us");
	assert_int_equal(diag_snapshot_position_self(snapshot, realm).line, 8);
	assert_true(diag_snapshot_is_predicted(snapshot));
}

TEST(folders)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;

	assert_int_equal(mkdir(in_dir("deploy"), 0700), 0);
	assert_int_equal(mkdir(in_dir("deploy/sub"), 0700), 0);
	assert_int_equal(mkdir(in_dir("deploy/.git"), 0700), 0);
	write_file("deploy/a b.yaml", REALM("one"));
	write_file("deploy/sub/c.yml", REALM("two"));
	write_file("deploy/values.yaml", "image: x\n");
	write_file("deploy/readme.txt", "no: [yaml");
	write_file("deploy/.git/x.yaml", "[broken");
	assert_int_equal(symlink("..", in_dir("deploy/sub/up")), 0);
	snapshot = load(in_dir("deploy"));
	assert_int_equal(json_array_size(diag_snapshot_list(snapshot, REALMS)), 2);
	assert_int_equal(problems(snapshot), 0);
}

TEST(json_is_json)
{
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;

	write_file("list.json",
		   "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n{\"apiVersion\":"
		   "\"bindery.platform/v1alpha1\",\"kind\":\"Realm\",\"metadata\":{\"name\":\"eu\","
		   "\"namespace\":\"game\"}}]}");
	snapshot = load(in_dir("list.json"));
	assert_non_null(diag_snapshot_get(snapshot, REALMS, "game", "eu"));
	assert_int_equal(problems(snapshot), 0);
}

/* A file that is named by itself must hold objects; one that is merely found need not. */
TEST(what_holds_no_object)
{
	diag_snapshot_auto struct diag_snapshot *empty = NULL, *values = NULL;

	write_file("empty.yaml", "\n");
	write_file("only-values.yaml", "image: x\n");
	empty = load(in_dir("empty.yaml"));
	values = load(in_dir("only-values.yaml"));
	assert_int_equal(problems(empty), 1);
	assert_int_equal(problems(values), 1);
	assert_int_equal(diag_snapshot_objects_seen(values), 0);
}

TEST(missing_path_names_the_nearest)
{
	const char *paths[] = { in_dir("straem.yaml"), NULL };
	struct diag_manifest_options options = { .paths = paths };
	struct diag_source *source = NULL;
	struct diag_error err = DIAG_ERROR_INIT;

	assert_int_equal(diag_manifest_open(&options, &source, &err), DIAG_E_NOT_FOUND);
	assert_non_null(strstr(err.message, "/stream.yaml'?"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(documents_are_read_alone),
		T(folders),
		T(json_is_json),
		T(what_holds_no_object),
		T(missing_path_names_the_nearest),
	};
	char command[128];
	int failed;

	if (!mkdtemp(dir))
		return 99;
	failed = cmocka_run_group_tests_name("manifest", tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) ? 99 : failed;
}
