/* Archives as they are written: read back, equal bytes, and what becomes of them on a full disk. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "bundle/archive.h"
#include "bundle/writer.h"

#include "tests/support/unit.h"

/* FIPS 180-2, appendix B.1. */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

static char dir[] = "/tmp/diag-writer-XXXXXX";

static const char *in_dir(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static struct diag_writer *open_writer(const char *name, enum diag_writer_packing packing)
{
	const struct diag_writer_options options = {
		.path = in_dir(name),
		.top = "bundle",
		.packing = packing,
		.time_s = 1700000000,
	};
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_writer *writer = NULL;

	if (diag_writer_open(&options, &writer, &err) < 0)
		fail_msg("%s", err.message);
	return writer;
}

static void add(struct diag_writer *writer, const char *name, const char *text)
{
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_writer_file(writer, name, text, strlen(text), &err) < 0)
		fail_msg("%s", err.message);
}

static void publish(struct diag_writer *writer)
{
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_writer_close(writer, &err) < 0 || diag_writer_publish(writer, &err) < 0)
		fail_msg("%s", err.message);
	diag_writer_free(writer);
}

/* Names and contents, one after the other. */
static char *read_back(const char *name)
{
	diag_archive_auto struct diag_archive *archive = NULL;
	struct diag_archive_entry entry;
	struct diag_buf text = { 0 };
	const char *bytes;
	size_t length;
	int r;

	diag_buf_init(&text, 64 * DIAG_MIB);
	assert_int_equal(diag_archive_open(in_dir(name), NULL, &archive, NULL), 0);
	while ((r = diag_archive_next(archive, &entry, NULL)) > 0) {
		assert_int_equal(entry.kind, DIAG_ARCHIVE_FILE);
		assert_int_equal(entry.mtime_ms, 1700000000000);
		assert_int_equal(diag_archive_content(archive, &bytes, &length, NULL), 0);
		diag_buf_printf(&text, "%s=%.*s\n", entry.name, (int)DIAG_MIN(length, (size_t)40),
				bytes);
	}
	assert_int_equal(r, 0);
	assert_false(diag_archive_is_broken(archive));
	return diag_buf_steal(&text);
}

static size_t files_in_dir(void)
{
	DIR *folder = opendir(dir);
	size_t count = 0;

	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

static void forget(const char *name)
{
	assert_int_equal(unlink(in_dir(name)), 0);
}

static void round_trip(enum diag_writer_packing packing)
{
	struct diag_writer *writer = open_writer("a", packing);
	const struct diag_writer_entry *entries;
	char long_name[300];
	size_t count;
	char *text;
	struct stat st;

	memset(long_name, 'x', sizeof(long_name));
	long_name[sizeof(long_name) - 1] = '\0';
	add(writer, "one.txt", "abc");
	add(writer, "folder/empty", "");
	add(writer, long_name, "long");
	entries = diag_writer_entries(writer, &count);
	assert_int_equal(count, 3);
	assert_string_equal(entries[0].sha256, ABC);
	assert_int_equal(entries[0].bytes, 3);
	assert_true(diag_writer_has(writer, "folder/empty"));
	assert_false(diag_writer_has(writer, "folder"));
	assert_int_equal(files_in_dir(), 0);
	publish(writer);
	assert_int_equal(files_in_dir(), 1);
	assert_int_equal(stat(in_dir("a"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	text = read_back("a");
	assert_non_null(strstr(text, "bundle/one.txt=abc\nbundle/folder/empty=\nbundle/xxx"));
	assert_non_null(strstr(text, "x=long\n"));
	free(text);
	forget("a");
}

TEST(what_was_written_can_be_read)
{
	round_trip(DIAG_WRITER_GZIP);
	round_trip(DIAG_WRITER_ZSTD);
}

/* So many that there are several members. */
static void write_many(const char *name, enum diag_writer_packing packing)
{
	struct diag_writer *writer = open_writer(name, packing);
	char path[32], text[4096];

	for (int i = 0; i < 200; i++) {
		snprintf(path, sizeof(path), "f%03d", i);
		memset(text, 'a' + i % 26, sizeof(text));
		snprintf(text, sizeof(text), "number %d", i);
		text[strlen(text)] = ' ';
		text[sizeof(text) - 1] = '\0';
		add(writer, path, text);
	}
	publish(writer);
}

static void equal_bytes(enum diag_writer_packing packing)
{
	struct diag_buf a diag_buf_auto = { 0 }, b diag_buf_auto = { 0 };
	char *text;

	write_many("a", packing);
	write_many("b", packing);
	diag_buf_init(&a, DIAG_MIB);
	diag_buf_init(&b, DIAG_MIB);
	assert_int_equal(diag_file_read(in_dir("a"), &a, NULL), 0);
	assert_int_equal(diag_file_read(in_dir("b"), &b, NULL), 0);
	assert_int_equal(a.length, b.length);
	assert_memory_equal(a.data, b.data, a.length);
	text = read_back("a");
	assert_non_null(strstr(text, "bundle/f000=number 0 "));
	assert_non_null(strstr(text, "bundle/f199=number 199 "));
	free(text);
	forget("a");
	forget("b");
}

TEST(the_same_entries_give_the_same_bytes)
{
	equal_bytes(DIAG_WRITER_GZIP);
	equal_bytes(DIAG_WRITER_ZSTD);
}

static void write_text(const char *name, const char *text)
{
	assert_int_equal(diag_file_replace(in_dir(name), text, strlen(text), NULL), 0);
}

TEST(nothing_is_overwritten)
{
	const struct diag_writer_options options = { .path = in_dir("a"), .top = "bundle" };
	struct diag_writer *writer = open_writer("a", DIAG_WRITER_GZIP);
	struct diag_buf there diag_buf_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;

	add(writer, "x", "y");
	assert_int_equal(diag_writer_close(writer, NULL), 0);
	write_text("a", "mine");
	assert_int_equal(diag_writer_publish(writer, &err), DIAG_E_INVALID);
	assert_non_null(strstr(err.message, "exists already"));
	diag_writer_free(writer);
	assert_int_equal(diag_writer_open(&options, &writer, &err), DIAG_E_INVALID);
	diag_buf_init(&there, 100);
	assert_int_equal(diag_file_read(in_dir("a"), &there, NULL), 0);
	assert_string_equal(diag_buf_str(&there), "mine");
	assert_int_equal(files_in_dir(), 1);
	forget("a");
}

TEST(what_is_not_published_is_gone)
{
	struct diag_writer *writer = open_writer("a", DIAG_WRITER_GZIP);

	add(writer, "x", "y");
	assert_int_equal(diag_writer_close(writer, NULL), 0);
	diag_writer_free(writer);
	assert_int_equal(files_in_dir(), 0);
}

TEST(places_that_cannot_be_written)
{
	const struct {
		const char *path;
		int code;
	} cases[] = {
		{ "/nowhere/at/all", DIAG_E_NOT_FOUND },
		{ "/tmp/", DIAG_E_INVALID },
		{ "..", DIAG_E_INVALID },
		{ "/proc/x", DIAG_E_NOT_FOUND },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++) {
		const struct diag_writer_options options = { .path = cases[i].path, .top = "b" };
		struct diag_writer *writer;
		struct diag_error err = DIAG_ERROR_INIT;

		assert_int_equal(diag_writer_open(&options, &writer, &err), cases[i].code);
		assert_true(*err.message);
	}
}

TEST(names_that_no_reader_would_take)
{
	static const char *const names[] = { "",     "/etc/passwd", "../x", "a/../b",
					     "a//b", "./a",         "a\nb" };
	struct diag_writer *writer = open_writer("a", DIAG_WRITER_GZIP);

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(names); i++)
		assert_int_equal(diag_writer_file(writer, names[i], "", 0, NULL), DIAG_E_INVALID);
	add(writer, "twice", "1");
	assert_int_equal(diag_writer_file(writer, "twice", "2", 1, NULL), DIAG_E_INVALID);
	diag_writer_free(writer);
}

TEST(an_entry_keeps_its_promise)
{
	struct diag_writer *writer = open_writer("a", DIAG_WRITER_GZIP);

	assert_int_equal(diag_writer_begin(writer, "x", 3, NULL), 0);
	assert_int_equal(diag_writer_add(writer, "ab", 2, NULL), 0);
	assert_int_equal(diag_writer_end(writer, NULL), DIAG_E_INVALID);
	assert_int_equal(diag_writer_add(writer, "cd", 2, NULL), DIAG_E_INVALID);
	diag_writer_free(writer);
}

/* Bytes that do not pack. */
static void noise(char *text, size_t length)
{
	static uint64_t state = 88172645463325252u;

	for (size_t i = 0; i + 1 < length; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		text[i] = (char)('!' + state % 90);
	}
	text[length - 1] = '\0';
}

static void limit_files(rlim_t bytes)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = bytes == RLIM_INFINITY ? limit.rlim_max : bytes;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Returns the number of entries that were written before the disk was full. */
static int fill(struct diag_writer *writer)
{
	static char text[20000];
	char name[32];
	int i = 0, r;

	do {
		noise(text, sizeof(text));
		snprintf(name, sizeof(name), "f%04d", i++);
		r = diag_writer_file(writer, name, text, strlen(text), NULL);
	} while (r == 0 && i < 1000);
	assert_int_equal(r, DIAG_E_IO);
	return i;
}

static void full_disk(enum diag_writer_packing packing)
{
	static char index[50000];
	struct diag_writer *writer = open_writer("a", packing);
	int tries = 0, tried;
	size_t kept;
	char *text;
	int r;

	limit_files(1000000);
	tried = fill(writer);
	noise(index, sizeof(index));
	do {
		assert_int_equal(diag_writer_recover(writer, NULL), 0);
		diag_writer_entries(writer, &kept);
		r = diag_writer_file(writer, "bundle.json", index, strlen(index), NULL);
		if (r == 0)
			r = diag_writer_close(writer, NULL);
	} while (r < 0 && ++tries < 20);
	limit_files(RLIM_INFINITY);
	assert_int_equal(r, 0);
	assert_in_range(kept, 30, tried - 1);
	assert_int_equal(diag_writer_publish(writer, NULL), 0);
	diag_writer_free(writer);
	text = read_back("a");
	assert_non_null(strstr(text, "bundle/f0000="));
	assert_non_null(strstr(text, "bundle/bundle.json="));
	free(text);
	forget("a");
}

TEST(a_full_disk_costs_the_last_entries_only)
{
	signal(SIGXFSZ, SIG_IGN);
	full_disk(DIAG_WRITER_GZIP);
	full_disk(DIAG_WRITER_ZSTD);
}

TEST(no_room_at_all)
{
	struct diag_writer *writer = open_writer("a", DIAG_WRITER_GZIP);

	limit_files(10);
	add(writer, "x", "y");
	assert_int_equal(diag_writer_close(writer, NULL), DIAG_E_IO);
	assert_int_equal(diag_writer_file(writer, "z", "", 0, NULL), DIAG_E_IO);
	assert_int_equal(diag_writer_recover(writer, NULL), 0);
	assert_int_equal(diag_writer_close(writer, NULL), DIAG_E_IO);
	assert_int_equal(diag_writer_recover(writer, NULL), DIAG_E_NOT_FOUND);
	limit_files(RLIM_INFINITY);
	diag_writer_free(writer);
	assert_int_equal(files_in_dir(), 0);
}

TEST(begin)
{
	assert_non_null(mkdtemp(dir));
}

TEST(end)
{
	assert_int_equal(rmdir(dir), 0);
}

RUN_TESTS("writer", T(begin), T(what_was_written_can_be_read),
	  T(the_same_entries_give_the_same_bytes), T(nothing_is_overwritten),
	  T(what_is_not_published_is_gone), T(places_that_cannot_be_written),
	  T(names_that_no_reader_would_take), T(an_entry_keeps_its_promise),
	  T(a_full_disk_costs_the_last_entries_only), T(no_room_at_all), T(end))
