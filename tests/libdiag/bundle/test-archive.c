/* Archives and folders as a stranger could send them. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/timestamp.h"
#include "bundle/archive.h"

#include "tests/support/tarball.h"
#include "tests/support/unit.h"

/*
 * What comes out, as text: "NAME=CONTENT;" with the first 8 bytes, "NAME->TARGET;" for a link
 * inside, "!NAME: PROBLEM;" for what is refused or cannot be read, "#PROBLEM;" for a break. Names
 * that begin with "skip" are not read.
 */
static int walk(struct diag_archive *archive, struct diag_buf *out, struct diag_error *err)
{
	struct diag_archive_entry entry;
	struct diag_error lost = DIAG_ERROR_INIT;
	const char *bytes;
	size_t length;
	int r;

	diag_buf_init(out, DIAG_MIB);
	while ((r = diag_archive_next(archive, &entry, err)) > 0) {
		if (entry.kind == DIAG_ARCHIVE_ALIAS)
			diag_buf_printf(out, "%s->%s;", entry.name, entry.target);
		else if (entry.kind == DIAG_ARCHIVE_REFUSED)
			diag_buf_printf(out, "!%s: %s;", entry.name, entry.problem);
		else if (entry.kind == DIAG_ARCHIVE_BROKEN)
			diag_buf_printf(out, "#%s;", entry.problem);
		else if (strncmp(entry.name, "skip", 4) == 0)
			continue;
		else if (diag_archive_content(archive, &bytes, &length, &lost) < 0)
			diag_buf_printf(out, "!%s: %s;", entry.name, lost.message);
		else
			diag_buf_printf(out, "%s=%.*s;", entry.name,
					(int)DIAG_MIN(length, (size_t)8), bytes);
	}
	return r;
}

static void check_open(struct diag_archive *archive, const char *want)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_buf out diag_buf_auto = { 0 };

	if (walk(archive, &out, &err) < 0)
		fail_msg("%s", err.message);
	assert_string_equal(diag_buf_str(&out), want);
	diag_archive_close(archive);
}

static void check_bytes(const char *bytes, size_t length,
			const struct diag_archive_options *options, const char *want)
{
	struct diag_archive *archive;

	assert_int_equal(diag_archive_open_memory(bytes, length, "b", options, &archive, NULL), 0);
	check_open(archive, want);
}

static void check(struct tarball *tarball, const struct diag_archive_options *options,
		  const char *want)
{
	size_t length;
	diag_autofree char *bytes = tarball_take(tarball, &length);

	check_bytes(bytes, length, options, want);
}

TEST(what_leads_outside_is_refused_by_name)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);

	tarball_file(t, "../x", "1");
	tarball_file(t, "/etc/x", "2");
	tarball_file(t, "top/../../y", "3");
	tarball_symlink(t, "top/out", "/etc");
	tarball_file(t, "top/out/passwd", "4");
	tarball_symlink(t, "top/up", "../../../etc/passwd");
	tarball_hardlink(t, "top/hard", "../etc/passwd");
	tarball_hardlink(t, "top/rooted", "/etc/passwd");
	tarball_device(t, "top/null");
	tarball_fifo(t, "top/pipe");
	tarball_file(t, "top/a\nb", "5");
	tarball_file(t, "top/esc\033[2J", "6");
	tarball_file(t, "./top//good", "7");
	check(t, NULL,
	      "!../x: its name leads upwards with '..';"
	      "!/etc/x: its name is absolute;"
	      "!top/../../y: its name leads upwards with '..';"
	      "!top/out: is a link that leads out of the bundle; refused;"
	      "!top/out/passwd: lies behind a link; refused;"
	      "!top/up: is a link that leads out of the bundle; refused;"
	      "!top/hard: is a link that leads out of the bundle; refused;"
	      "!top/rooted: is a link that leads out of the bundle; refused;"
	      "!top/null: is a device or pipe; refused;"
	      "!top/pipe: is a device or pipe; refused;"
	      "!top/a\nb: its name has control characters;"
	      "!top/esc\033[2J: its name has control characters;"
	      "top/good=7;");
}

/*
 * libarchive ends a name at its first NUL, as tar does, and does not tell. What is left passes the
 * same rules as any name.
 */
TEST(name_with_nul)
{
	char name[161] = "top/a.json+../../../";
	struct tarball *t = tarball_new(TARBALL_PLAIN);
	size_t length;
	diag_autofree char *bytes = NULL;
	char *record;

	memset(name + strlen(name), 'x', sizeof(name) - 1 - strlen(name));
	tarball_file(t, name, "1");
	bytes = tarball_take(t, &length);
	record = memmem(bytes, length, "path=top/", 9);
	assert_non_null(record);
	*(char *)memchr(record, '+', 20) = '\0';
	check_bytes(bytes, length, NULL, "top/a.json=1;");
}

/* Links inside are other names; hard links count from the top, symbolic ones from where they are.
 */
TEST(links_inside_are_aliases)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);

	tarball_symlink(t, "top/a/x.yaml", "x.json");
	tarball_file(t, "top/a/x.json", "1");
	tarball_symlink(t, "top/pod/c.log", "../a/../logs/c.log");
	tarball_hardlink(t, "top/pod/d.log", "top/a/x.json");
	tarball_symlink(t, "top/logs", "a");
	tarball_file(t, "top/logs/c.log", "2");
	check(t, NULL,
	      "top/a/x.yaml->top/a/x.json;top/a/x.json=1;top/pod/c.log->top/logs/c.log;"
	      "top/pod/d.log->top/a/x.json;top/logs->top/a;"
	      "!top/logs/c.log: lies behind a link; refused;");
}

TEST(every_packing)
{
	for (int packing = TARBALL_PLAIN; packing <= TARBALL_BZIP2; packing++) {
		struct tarball *t = tarball_new(packing);

		tarball_folder(t, "top/");
		tarball_file(t, "skip", "0");
		tarball_file(t, "top/a", "1");
		tarball_file(t, "top/b", "");
		check(t, NULL, "top/a=1;top/b=;");
	}
}

/* The first one may have been used when the second comes; "./x" is the same name. */
TEST(of_duplicates_the_first_counts)
{
	struct tarball *t = tarball_new(TARBALL_ZSTD);

	tarball_file(t, "x", "one");
	tarball_file(t, "./x", "two");
	tarball_file(t, "y", "three");
	check(t, NULL, "x=one;!x: is there more than once; the first one is used;y=three;");
}

TEST(limits_of_entries_names_and_bytes)
{
	static const struct diag_archive_options one = { .entries = 1 };
	static const struct diag_archive_options small = { .entry_bytes = 4 };
	static const struct diag_archive_options little = { .total_bytes = 9 };
	static const struct diag_archive_options brief = { .name_bytes = 3 };
	struct tarball *t = tarball_new(TARBALL_GZIP);
	size_t length;
	diag_autofree char *bytes = NULL;

	tarball_file(t, "a", "abcdefgh");
	tarball_file(t, "b", "xy");
	tarball_file(t, "skip", "abcdefgh");
	tarball_file(t, "long", "z");
	bytes = tarball_take(t, &length);
	check_bytes(
		bytes, length, &one,
		"a=abcdefgh;#the archive can be read no further than 'a': it holds more entries "
		"than may be read; what follows is missing;");
	check_bytes(bytes, length, &small,
		    "!a: is larger than 4 bytes, the most that is read of one file; left out;"
		    "b=xy;long=z;");
	check_bytes(
		bytes, length, &little,
		"a=abcdefgh;!b: the archive can be read no further than this: it is larger than "
		"may be read; what follows is missing;");
	check_bytes(bytes, length, &brief,
		    "a=abcdefgh;b=xy;!skip: its name is too long;!long: its name is too long;");
}

/* What expands beyond measure is stopped, whether anybody wants it or not. */
TEST(bombs)
{
	static const struct diag_archive_options limits = { .expansion = 100,
							    .expansion_floor = 100000 };
	static const size_t size = 3 * 1024 * 1024;
	diag_autofree char *zeros = diag_xcalloc(1, size);

	for (int packing = TARBALL_GZIP; packing <= TARBALL_BZIP2; packing++) {
		struct tarball *t = tarball_new(packing);

		tarball_file(t, "first", "1");
		tarball_bytes(t, "big", zeros, size, 0);
		tarball_file(t, "last", "2");
		check(t, &limits,
		      "first=1;!big: the archive can be read no further than this: it expands beyond "
		      "all measure; what follows is missing;");
		t = tarball_new(packing);
		tarball_file(t, "first", "1");
		tarball_bytes(t, "skip", zeros, size, 0);
		tarball_file(t, "last", "2");
		check(t, &limits,
		      "first=1;#the archive can be read no further than 'skip': it expands beyond all "
		      "measure; what follows is missing;");
	}
}

/* A gigabyte of nothing from a kilobyte. */
TEST(sparse_files)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);

	tarball_sparse(t, "hole", 1024 * 1024 * 1024);
	tarball_file(t, "good", "1");
	check(t, NULL, "!hole: is a sparse file, which no bundle holds; refused;good=1;");
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

/* What was read before the cut is used, and the cut is told once, wanted or not. */
TEST(cut_archives)
{
	static const char *const names[] = { "second", "skip" };
	diag_autofree char *text = noise(400000);

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(names); i++) {
		struct tarball *t = tarball_new(TARBALL_GZIP);
		size_t length;
		diag_autofree char *bytes = NULL;

		tarball_file(t, "first", "1");
		tarball_file(t, names[i], text);
		tarball_file(t, "third", "3");
		bytes = tarball_take(t, &length);
		check_bytes(
			bytes, length / 2, NULL,
			i ? "first=1;#the archive can be read no further than 'skip': truncated "
			    "gzip input; what follows is missing;"
			  : "first=1;!second: the archive can be read no further than this: "
			    "truncated gzip input; what follows is missing;");
	}
}

static int open_and_walk(const char *bytes, size_t length, struct diag_buf *out,
			 struct diag_error *err)
{
	diag_archive_auto struct diag_archive *archive = NULL;
	int r = diag_archive_open_memory(bytes, length, "b", NULL, &archive, err);

	return r < 0 ? r : walk(archive, out, err);
}

/* Every length of a small archive: an error, or its beginning; never more than is there. */
TEST(cut_anywhere)
{
	for (int packing = TARBALL_PLAIN; packing <= TARBALL_BZIP2; packing++) {
		struct tarball *t = tarball_new(packing);
		size_t length;
		diag_autofree char *bytes = NULL;

		tarball_file(t, "a", "1");
		tarball_file(t, "b", "2");
		bytes = tarball_take(t, &length);
		for (size_t cut = 0; cut < length; cut += packing ? 1 : 61) {
			struct diag_error err = DIAG_ERROR_INIT;
			struct diag_buf out diag_buf_auto = { 0 };
			int r = open_and_walk(bytes, cut, &out, &err);

			assert_true(r == 0 || r == DIAG_E_PARSE);
			if (r == 0)
				assert_true(strncmp(diag_buf_str(&out), "a=1;", 4) == 0 ||
					    strncmp(diag_buf_str(&out), "!a: ", 4) == 0);
			else
				assert_non_null(strstr(err.message, "'b'"));
		}
	}
}

/* The bytes after a damaged header are content, which may look like anything: no search in them. */
TEST(damaged_header)
{
	struct tarball *t = tarball_new(TARBALL_PLAIN);
	size_t length;
	diag_autofree char *bytes = NULL;

	tarball_file(t, "a", "1");
	tarball_file(t, "b", "2");
	tarball_file(t, "c", "3");
	bytes = tarball_take(t, &length);
	for (size_t at = 0; at < length; at += 512)
		if (strcmp(bytes + at, "b") == 0)
			bytes[at + 100] ^= 1; /* its mode */
	check_bytes(bytes, length, NULL,
		    "a=1;#the archive can be read no further than 'a': Damaged tar archive; what "
		    "follows is missing;");
}

static void check_error(const char *path, int code, const char *part)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_buf out diag_buf_auto = { 0 };
	diag_archive_auto struct diag_archive *archive = NULL;
	int r = diag_archive_open(path, NULL, &archive, &err);

	if (r == 0)
		r = walk(archive, &out, &err);
	assert_int_equal(r, code);
	if (!strstr(err.message, part) || !strstr(err.message, path))
		fail_msg("'%s' says not '%s'", err.message, part);
}

static char dir[] = "/tmp/diag-archive-XXXXXX";

static const char *in_dir(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void write_file(const char *name, const char *content)
{
	int fd = open(in_dir(name), O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, content, strlen(content)), strlen(content));
	close(fd);
}

TEST(no_archive_at_all)
{
	struct tarball *t = tarball_new(TARBALL_GZIP);

	write_file("empty", "");
	write_file("text", "hello, this is no archive, just some words that go on for a while");
	tarball_write(tarball_new(TARBALL_PLAIN), in_dir("none.tar"), SIZE_MAX);
	tarball_write(tarball_new(TARBALL_GZIP), in_dir("none.tgz"), SIZE_MAX);
	tarball_file(t, "/abs/a", "1");
	tarball_file(t, "/abs/b", "2");
	tarball_write(t, in_dir("absolute.tgz"), SIZE_MAX);
	t = tarball_new(TARBALL_GZIP);
	tarball_folder(t, "top");
	tarball_write(t, in_dir("hollow.tgz"), SIZE_MAX);
	check_error(in_dir("empty"), DIAG_E_PARSE, "is empty: no support bundle; ask for it again");
	check_error(in_dir("text"), DIAG_E_PARSE,
		    "is no support bundle, which is a tar archive (plain, gzip, zstd, xz, bzip2, "
		    "lz4) or a folder");
	check_error(in_dir("none.tar"), DIAG_E_PARSE, "is an empty archive");
	check_error(in_dir("none.tgz"), DIAG_E_PARSE, "is an empty archive");
	check_error(in_dir("hollow.tgz"), DIAG_E_PARSE, "is an empty archive");
	check_error(
		in_dir("absolute.tgz"), DIAG_E_PARSE,
		"holds nothing that may be read; the first of 2 refused entries is '/abs/a': its "
		"name is absolute");
	check_error(in_dir("absent"), DIAG_E_NOT_FOUND, "No such file");
	check_error("/dev/null", DIAG_E_INVALID, "neither a file nor a folder");
	assert_int_equal(mkfifo(in_dir("fifo"), 0600), 0);
	check_error(in_dir("fifo"), DIAG_E_INVALID, "neither a file nor a folder");
	assert_int_equal(mkdir(in_dir("bare"), 0700), 0);
	check_error(in_dir("bare"), DIAG_E_PARSE, "is an empty folder");
}

TEST(zeros_and_trailing_bytes)
{
	char zeros[10240] = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_buf out diag_buf_auto = { 0 };

	assert_int_equal(open_and_walk(zeros, sizeof(zeros), &out, &err), DIAG_E_PARSE);
	assert_non_null(strstr(err.message, "empty archive"));
}

static void check_folder(const char *name, const struct diag_archive_options *options,
			 const char *want)
{
	struct diag_archive *archive;

	assert_int_equal(diag_archive_open(in_dir(name), options, &archive, NULL), 0);
	check_open(archive, want);
}

/* In byte order of each folder; nothing outside is reached, no pipe is opened. */
TEST(folders)
{
	static const struct diag_archive_options small = { .entry_bytes = 4 };
	static const struct diag_archive_options few = { .entries = 3 };

	assert_int_equal(mkdir(in_dir("folder"), 0700), 0);
	assert_int_equal(mkdir(in_dir("folder/b"), 0700), 0);
	write_file("folder/c", "longer");
	write_file("folder/b/2", "two");
	write_file("folder/b/1", "one");
	write_file("folder/a\tb", "x");
	assert_int_equal(symlink("/", in_dir("folder/out")), 0);
	assert_int_equal(symlink("/etc/passwd", in_dir("folder/passwd")), 0);
	assert_int_equal(symlink("b", in_dir("folder/twin")), 0);
	assert_int_equal(symlink("../c", in_dir("folder/b/3")), 0);
	assert_int_equal(mkfifo(in_dir("folder/pipe"), 0600), 0);
	check_folder("folder", NULL,
		     "!a\tb: its name has control characters;b/1=one;b/2=two;b/3->c;c=longer;"
		     "!out: is a link that leads out of the bundle; refused;"
		     "!passwd: is a link that leads out of the bundle; refused;"
		     "!pipe: is a device or pipe; refused;twin->b;");
	check_folder("folder", &few,
		     "!a\tb: its name has control characters;b/1=one;#the folder can be read no "
		     "further than 'b/1': it holds more entries than may be read; what follows is "
		     "missing;");
	assert_int_equal(mkdir(in_dir("sizes"), 0700), 0);
	write_file("sizes/a", "longer");
	write_file("sizes/b", "x");
	check_folder(
		"sizes", &small,
		"!a: is larger than 4 bytes, the most that is read of one file; left out;b=x;");
}

/* A folder that a link names is read: the user said so. Links in it are still not followed. */
TEST(folder_by_link)
{
	assert_int_equal(mkdir(in_dir("real"), 0700), 0);
	write_file("real/a", "1");
	assert_int_equal(symlink("real", in_dir("link")), 0);
	check_folder("link", NULL, "a=1;");
}

TEST(folders_too_deep)
{
	char path[PATH_MAX];
	size_t length;
	struct diag_archive *archive;
	struct diag_buf out diag_buf_auto = { 0 };

	snprintf(path, sizeof(path), "%s", in_dir("deep"));
	for (int i = 0; i < 40; i++) {
		assert_int_equal(mkdir(path, 0700), 0);
		length = strlen(path);
		snprintf(path + length, sizeof(path) - length, "/d");
	}
	write_file("deep/z", "1");
	assert_int_equal(diag_archive_open(in_dir("deep"), NULL, &archive, NULL), 0);
	assert_int_equal(walk(archive, &out, NULL), 0);
	assert_non_null(strstr(diag_buf_str(&out), "/d: lies too deep"));
	assert_non_null(strstr(diag_buf_str(&out), ";z=1;"));
	diag_archive_close(archive);
}

/* A name may become something else between looking and opening: a swap must not be followed. */
TEST(folder_that_changes_while_it_is_read)
{
	struct diag_archive_entry entry;
	struct diag_error err = DIAG_ERROR_INIT;
	diag_archive_auto struct diag_archive *archive = NULL;
	const char *bytes;
	size_t length;
	bool cut;

	assert_int_equal(mkdir(in_dir("swap"), 0700), 0);
	write_file("swap/a", "1");
	write_file("swap/b", "2");
	assert_int_equal(diag_archive_open(in_dir("swap"), NULL, &archive, NULL), 0);
	assert_int_equal(diag_archive_next(archive, &entry, NULL), 1);
	assert_int_equal(unlink(in_dir("swap/a")), 0);
	assert_int_equal(symlink("/etc/passwd", in_dir("swap/a")), 0);
	assert_true(diag_archive_content(archive, &bytes, &length, &err) < 0);
	assert_non_null(strstr(err.message, "cannot be opened"));
	assert_int_equal(diag_archive_next(archive, &entry, NULL), 1);
	assert_int_equal(unlink(in_dir("swap/b")), 0);
	assert_int_equal(mkfifo(in_dir("swap/b"), 0600), 0);
	assert_int_equal(diag_archive_tail(archive, 1, &bytes, &length, &cut, &err),
			 DIAG_E_UNSUPPORTED);
	assert_false(diag_archive_is_broken(archive));
	assert_int_equal(diag_archive_next(archive, &entry, NULL), 0);
}

static void check_tail(struct diag_archive *archive, size_t most, const char *want, bool want_cut)
{
	struct diag_archive_entry entry;
	const char *bytes;
	size_t length;
	bool cut;

	assert_int_equal(diag_archive_next(archive, &entry, NULL), 1);
	assert_int_equal(diag_archive_tail(archive, most, &bytes, &length, &cut, NULL), 0);
	assert_int_equal(length, strlen(want));
	assert_memory_equal(bytes, want, length);
	assert_int_equal(cut, want_cut);
	diag_archive_close(archive);
}

/* The same from an archive, which has to be read, and from a folder, where it is sought. */
static void check_tails(const char *text, size_t most, const char *want, bool want_cut)
{
	/* No limit of one file for what only passes by. */
	static const struct diag_archive_options options = { .entry_bytes = 1 };
	struct tarball *t = tarball_new(TARBALL_GZIP);
	struct diag_archive *archive;

	tarball_file(t, "log", text);
	tarball_write(t, in_dir("tail.tgz"), SIZE_MAX);
	assert_int_equal(diag_archive_open(in_dir("tail.tgz"), &options, &archive, NULL), 0);
	check_tail(archive, most, want, want_cut);
	mkdir(in_dir("tail"), 0700);
	write_file("tail/log", text);
	assert_int_equal(diag_archive_open(in_dir("tail"), &options, &archive, NULL), 0);
	check_tail(archive, most, want, want_cut);
}

TEST(tails)
{
	diag_autofree char *text = noise(500000);

	check_tails("", 5, "", false);
	check_tails("one\ntwo\n", 8, "one\ntwo\n", false);
	check_tails("one\ntwo\n", 7, "two\n", true);
	check_tails("one\ntwo\n", 4, "two\n", true);
	check_tails("one\ntwo\n", 3, "", true);
	check_tails("one\ntwo", 3, "two", true);
	check_tails("one\ntwo", 1, "", true);
	/* Blocks of a few hundred kilobytes come and go; only the end stays. */
	for (size_t i = 9; i < 500000; i += 10)
		text[i] = '\n';
	check_tails(text, 100, text + 499900, true);
	check_tails(text, 105, text + 499900, true);
	check_tails(text, 300000, text + 200000, true);
	check_tails(text, 499999, text + 10, true);
	check_tails(text, 500000, text, false);
}

TEST(times)
{
	static const struct {
		int64_t mtime, want;
	} rows[] = {
		{ 1767225600, INT64_C(1767225600000) },
		{ INT64_MAX, DIAG_TIME_NONE },
		{ INT64_MIN / 2, DIAG_TIME_NONE },
		{ INT64_C(253402300800), DIAG_TIME_NONE }, /* the year 10000 */
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct tarball *t = tarball_new(TARBALL_PLAIN);
		diag_archive_auto struct diag_archive *archive = NULL;
		struct diag_archive_entry entry;
		size_t length;
		diag_autofree char *bytes = NULL;

		tarball_bytes(t, "a", "1", 1, rows[i].mtime);
		bytes = tarball_take(t, &length);
		assert_int_equal(diag_archive_open_memory(bytes, length, "b", NULL, &archive, NULL),
				 0);
		assert_int_equal(diag_archive_next(archive, &entry, NULL), 1);
		assert_true(entry.mtime_ms == rows[i].want);
	}
}

TEST(interrupted)
{
	struct diag_cancel cancel = { 0 };
	struct diag_archive_options options = { .cancel = &cancel };
	struct tarball *t = tarball_new(TARBALL_GZIP);
	diag_archive_auto struct diag_archive *archive = NULL;
	struct diag_archive_entry entry;
	const char *bytes;
	size_t length;
	diag_autofree char *packed = NULL;

	tarball_file(t, "a", "1");
	tarball_file(t, "b", "2");
	packed = tarball_take(t, &length);
	assert_int_equal(diag_archive_open_memory(packed, length, "b", &options, &archive, NULL),
			 0);
	assert_int_equal(diag_archive_next(archive, &entry, NULL), 1);
	cancel.requested = 1;
	assert_int_equal(diag_archive_content(archive, &bytes, &length, NULL), DIAG_E_CANCELLED);
	assert_int_equal(diag_archive_next(archive, &entry, NULL), DIAG_E_CANCELLED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(what_leads_outside_is_refused_by_name),
		T(name_with_nul),
		T(links_inside_are_aliases),
		T(every_packing),
		T(of_duplicates_the_first_counts),
		T(limits_of_entries_names_and_bytes),
		T(bombs),
		T(sparse_files),
		T(cut_archives),
		T(cut_anywhere),
		T(damaged_header),
		T(no_archive_at_all),
		T(zeros_and_trailing_bytes),
		T(folders),
		T(folder_by_link),
		T(folders_too_deep),
		T(folder_that_changes_while_it_is_read),
		T(tails),
		T(times),
		T(interrupted),
	};
	char command[128];
	int failed;

	if (!mkdtemp(dir))
		return 99;
	failed = cmocka_run_group_tests_name("archive", tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) ? 99 : failed;
}
