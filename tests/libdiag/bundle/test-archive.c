/* Archives as a stranger could send them, made here with libarchive. */
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "bundle/archive.h"

#include "tests/support/unit.h"

/* What the visitor saw, as text: "NAME=CONTENT;" and "!NAME: MESSAGE;". */
struct seen {
	struct diag_buf text;
};

static bool wants(void *arg DIAG_UNUSED, const char *name DIAG_UNUSED, int64_t mtime DIAG_UNUSED)
{
	return true;
}

static void entry(void *arg, const struct diag_archive_entry *entry)
{
	struct seen *seen = arg;

	diag_buf_printf(&seen->text, "%s=%.*s;", entry->name,
			(int)DIAG_MIN(entry->length, (size_t)8), entry->bytes);
}

static void problem(void *arg, const char *name, const char *message)
{
	struct seen *seen = arg;

	diag_buf_printf(&seen->text, "!%s: %s;", name, message);
}

static char dir[] = "/tmp/diag-archive-XXXXXX";

static char *path_in_dir(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static struct archive *create(const char *name, bool zstd)
{
	struct archive *archive = archive_write_new();

	archive_write_set_format_pax_restricted(archive);
	if (zstd)
		archive_write_add_filter_zstd(archive);
	else
		archive_write_add_filter_gzip(archive);
	assert_int_equal(archive_write_open_filename(archive, path_in_dir(name)), ARCHIVE_OK);
	return archive;
}

static void add(struct archive *archive, const char *name, unsigned type, const char *content,
		const char *link)
{
	struct archive_entry *e = archive_entry_new();

	archive_entry_set_pathname(e, name);
	archive_entry_set_filetype(e, type);
	archive_entry_set_perm(e, 0644);
	archive_entry_set_size(e, (la_int64_t)strlen(content));
	if (link && type == AE_IFLNK)
		archive_entry_set_symlink(e, link);
	else if (link)
		archive_entry_set_hardlink(e, link);
	assert_int_equal(archive_write_header(archive, e), ARCHIVE_OK);
	if (*content)
		archive_write_data(archive, content, strlen(content));
	archive_entry_free(e);
}

static int read_seen(const char *path, const struct diag_archive_limits *limits, struct seen *seen,
		     struct diag_error *err)
{
	struct diag_archive_visitor visitor = { wants, entry, problem, seen };

	diag_buf_init(&seen->text, DIAG_MIB);
	return diag_archive_read(path, limits, &visitor, NULL, err);
}

static void check(const char *name, const struct diag_archive_limits *limits, const char *want)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct seen seen;

	if (read_seen(path_in_dir(name), limits, &seen, &err) < 0)
		fail_msg("%s", err.message);
	assert_string_equal(diag_buf_str(&seen.text), want);
	diag_buf_done(&seen.text);
}

static void check_error(const char *path, int code, const char *part)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct seen seen;

	assert_int_equal(read_seen(path, NULL, &seen, &err), code);
	assert_non_null(strstr(err.message, part));
	diag_buf_done(&seen.text);
}

static void close_archive(struct archive *archive)
{
	archive_write_close(archive);
	archive_write_free(archive);
}

TEST(what_leads_outside_is_refused_by_name)
{
	struct archive *a = create("hostile.tgz", false);

	add(a, "../x", AE_IFREG, "1", NULL);
	add(a, "/etc/x", AE_IFREG, "2", NULL);
	add(a, "top/out", AE_IFLNK, "", "/etc");
	add(a, "top/out/passwd", AE_IFREG, "3", NULL);
	add(a, "top/hard", AE_IFREG, "", "../../etc/passwd");
	add(a, "top/null", AE_IFCHR, "", NULL);
	add(a, "top/a\nb", AE_IFREG, "4", NULL);
	add(a, "top/good", AE_IFREG, "5", NULL);
	add(a, "top/twin", AE_IFLNK, "", "good");
	close_archive(a);
	check("hostile.tgz", NULL,
	      "!../x: its name leads upwards with '..';"
	      "!/etc/x: its name is absolute;"
	      "!top/out: is a link that leads out of the bundle; refused;"
	      "top/out/passwd=3;"
	      "!top/hard: is a link that leads out of the bundle; refused;"
	      "!top/null: is a device or pipe; refused;"
	      "!top/a\nb: its name has control characters;"
	      "top/good=5;");
}

TEST(zstd_and_duplicates)
{
	struct archive *a = create("twice.tzst", true);

	add(a, "x", AE_IFREG, "one", NULL);
	add(a, "x", AE_IFREG, "two", NULL);
	close_archive(a);
	check("twice.tzst", NULL, "x=one;x=two;");
}

TEST(limits_hold)
{
	static const struct diag_archive_limits one_entry = { .entries = 1 };
	static const struct diag_archive_limits small = { .entry_bytes = 4 };
	static const struct diag_archive_limits bomb = { .expansion = 10, .expansion_floor = 1000 };
	struct archive *a = create("limits.tgz", false);
	char *zeros = diag_xcalloc(1, 2000001);
	char want[512];

	add(a, "a", AE_IFREG, "abcdefgh", NULL);
	add(a, "b", AE_IFREG, "xy", NULL);
	close_archive(a);
	snprintf(want, sizeof(want), "a=abcdefgh;!%s: holds more entries than may be read;",
		 path_in_dir("limits.tgz"));
	check("limits.tgz", &one_entry, want);
	check("limits.tgz", &small, "!a: is larger than may be read; left out;b=xy;");
	a = create("bomb.tgz", false);
	memset(zeros, 'x', 2000000);
	add(a, "big", AE_IFREG, zeros, NULL);
	free(zeros);
	close_archive(a);
	check("bomb.tgz", &bomb, "!big: expands beyond all measure; reading stopped here;");
}

/* What was read before the cut is used, and the cut is told. */
TEST(cut_archive)
{
	struct archive *a = create("cut.tgz", false);
	struct diag_error err = DIAG_ERROR_INIT;
	struct seen seen;
	struct stat st;
	char *noise = diag_xcalloc(1, 400001);

	srand(7);
	for (int i = 0; i < 400000; i++)
		noise[i] = (char)('a' + rand() % 26);
	add(a, "first", AE_IFREG, "1", NULL);
	add(a, "second", AE_IFREG, noise, NULL);
	add(a, "third", AE_IFREG, "3", NULL);
	free(noise);
	close_archive(a);
	assert_int_equal(stat(path_in_dir("cut.tgz"), &st), 0);
	assert_int_equal(truncate(path_in_dir("cut.tgz"), st.st_size / 2), 0);
	assert_int_equal(read_seen(path_in_dir("cut.tgz"), NULL, &seen, &err), 0);
	assert_non_null(strstr(diag_buf_str(&seen.text), "first=1;"));
	assert_non_null(strstr(diag_buf_str(&seen.text), "!second: "));
	diag_buf_done(&seen.text);
}

static void write_file(const char *name, const char *content)
{
	int fd = open(path_in_dir(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
	close(fd);
}

TEST(no_archive_at_all)
{
	write_file("empty", "");
	write_file("text", "hello, this is no archive, just some words that go on for a while");
	close_archive(create("none.tgz", false));
	check_error(path_in_dir("empty"), DIAG_E_PARSE, "is empty");
	check_error(path_in_dir("text"), DIAG_E_PARSE, "is no support bundle");
	check_error(path_in_dir("none.tgz"), DIAG_E_PARSE, "empty archive");
	check_error(path_in_dir("absent"), DIAG_E_NOT_FOUND, "absent");
	check_error("/dev/null", DIAG_E_INVALID, "neither a file nor a folder");
}

TEST(folder)
{
	assert_int_equal(mkdir(path_in_dir("folder"), 0700), 0);
	write_file("folder/b", "2");
	write_file("folder/a", "1");
	assert_int_equal(symlink("/", path_in_dir("folder/out")), 0);
	assert_int_equal(symlink("a", path_in_dir("folder/twin")), 0);
	assert_int_equal(mkfifo(path_in_dir("folder/pipe"), 0600), 0);
	check("folder", NULL,
	      "a=1;b=2;!out: is a link that leads out of the bundle; refused;"
	      "!pipe: is a device or pipe; refused;");
	assert_int_equal(mkdir(path_in_dir("hollow"), 0700), 0);
	check_error(path_in_dir("hollow"), DIAG_E_PARSE, "empty folder");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_leads_outside_is_refused_by_name),
		T(zstd_and_duplicates),
		T(limits_hold),
		T(cut_archive),
		T(no_archive_at_all),
		T(folder),
	};
	char command[128];
	int failed;

	if (!mkdtemp(dir))
		return 99;
	failed = cmocka_run_group_tests_name("archive", tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) ? 99 : failed;
}
