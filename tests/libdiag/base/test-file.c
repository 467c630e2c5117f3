#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"

#include "tests/support/unit.h"

static char folder[64];

static int make_folder(void **state DIAG_UNUSED)
{
	strcpy(folder, "/tmp/diag-test-file-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static const char *in_folder(const char *name)
{
	static char path[4][512];
	static int next;

	next = (next + 1) % 4;
	snprintf(path[next], sizeof(path[next]), "%s/%s", folder, name);
	return path[next];
}

/* Remove everything; returns how many names there were. */
static int clear_folder(void)
{
	DIR *dir = opendir(folder);
	int count = 0;

	for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		count++;
		if (unlink(in_folder(entry->d_name)) < 0)
			rmdir(in_folder(entry->d_name));
	}
	closedir(dir);
	return count;
}

static int remove_folder(void **state DIAG_UNUSED)
{
	clear_folder();
	return rmdir(folder);
}

static int replace(const char *path, const char *text, struct diag_error *err)
{
	return diag_file_replace(path, text, strlen(text), err);
}

static void check_content(const char *path, const char *want)
{
	struct diag_buf content diag_buf_auto = { 0 };

	diag_buf_init(&content, 1000);
	assert_int_equal(diag_file_read(path, &content, NULL), DIAG_OK);
	assert_string_equal(diag_buf_str(&content), want);
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

TEST(new_files_obey_the_umask_and_old_ones_keep_their_mode)
{
	mode_t before = umask(027);

	assert_int_equal(replace(in_folder("a b\n"), "one", NULL), DIAG_OK);
	umask(before);
	assert_int_equal(mode_of(in_folder("a b\n")), 0640);
	assert_int_equal(chmod(in_folder("a b\n"), 0604), 0);
	assert_int_equal(replace(in_folder("a b\n"), "two", NULL), DIAG_OK);
	assert_int_equal(mode_of(in_folder("a b\n")), 0604);
	check_content(in_folder("a b\n"), "two");
	assert_int_equal(clear_folder(), 1);
}

/* Whoever has the old file open goes on reading the old content: it was not written over. */
TEST(readers_never_see_half)
{
	char content[16] = "";
	int fd;

	assert_int_equal(replace(in_folder("x.prom"), "old", NULL), DIAG_OK);
	fd = open(in_folder("x.prom"), O_RDONLY);
	assert_int_equal(replace(in_folder("x.prom"), "new", NULL), DIAG_OK);
	assert_int_equal(read(fd, content, sizeof(content) - 1), 3);
	close(fd);
	assert_string_equal(content, "old");
	check_content(in_folder("x.prom"), "new");
	assert_int_equal(clear_folder(), 1);
}

TEST(links_are_followed)
{
	assert_int_equal(replace(in_folder("target"), "old", NULL), DIAG_OK);
	assert_int_equal(symlink("target", in_folder("link")), 0);
	assert_int_equal(replace(in_folder("link"), "new", NULL), DIAG_OK);
	check_content(in_folder("target"), "new");
	assert_int_equal(clear_folder(), 2);
}

TEST(devices_are_written_to)
{
	struct diag_error err = DIAG_ERROR_INIT;

	assert_int_equal(replace("/dev/null", "x", &err), DIAG_OK);
	assert_int_equal(replace("/dev/full", "x", &err), DIAG_E_IO);
	assert_int_equal(err.errnum, ENOSPC);
	assert_string_equal(err.message, "cannot write '/dev/full': No space left on device");
}

TEST(a_failure_leaves_nothing_behind)
{
	struct diag_error err = DIAG_ERROR_INIT;

	assert_int_equal(mkdir(in_folder("dir"), 0700), 0);
	assert_int_equal(replace(in_folder("dir"), "x", &err), DIAG_E_IO);
	assert_int_equal(err.errnum, EISDIR);
	assert_int_equal(replace(in_folder("no/such"), "x", &err), DIAG_E_NOT_FOUND);
	assert_int_equal(replace("", "x", &err), DIAG_E_NOT_FOUND);
	assert_int_equal(clear_folder(), 1);
}

static void check_upwards(const char *from, const char *name, const char *want)
{
	char *got = diag_file_upwards(in_folder(from), name);

	if (want)
		assert_string_equal(got, want);
	else
		assert_null(got);
	free(got);
}

TEST(the_nearest_folder_upwards)
{
	assert_int_equal(mkdir(in_folder("dir"), 0700), 0);
	assert_int_equal(replace(in_folder("here"), "", NULL), DIAG_OK);
	check_upwards("dir", "here", folder);
	check_upwards("dir//", "here", folder);
	check_upwards(".", "dir", in_folder("."));
	check_upwards("dir", "no such name", NULL);
	assert_int_equal(clear_folder(), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(new_files_obey_the_umask_and_old_ones_keep_their_mode),
		T(readers_never_see_half),
		T(links_are_followed),
		T(devices_are_written_to),
		T(a_failure_leaves_nothing_behind),
		T(the_nearest_folder_upwards),
	};

	return cmocka_run_group_tests_name("file", tests, make_folder, remove_folder);
}
