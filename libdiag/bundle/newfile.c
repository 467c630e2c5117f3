#include "bundle/newfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"

enum { MODE = 0600, TRIES = 100 };

static int taken(const char *path, struct diag_error *err)
{
	return diag_error_set(err, DIAG_E_INVALID,
			      "'%s' exists already and is not overwritten: give another name",
			      path);
}

/* What linkat() needs to name an unnamed file without privileges. */
static char *proc_name(int fd)
{
	struct diag_buf name = { 0 };

	diag_buf_init(&name, DIAG_MAX_MESSAGE);
	diag_buf_printf(&name, "/proc/self/fd/%d", fd);
	return diag_buf_steal(&name);
}

/* -1 where the file system has no unnamed files, or nothing could name them later. */
static int open_unnamed(int folder)
{
	int fd = openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, MODE);

	if (fd >= 0) {
		diag_autofree char *proc = proc_name(fd);

		if (access(proc, F_OK) == 0)
			return fd;
		close(fd);
	}
	return -1;
}

static int open_hidden(struct diag_newfile *file, struct diag_error *err)
{
	for (int i = 0; i < TRIES; i++) {
		struct diag_buf name diag_buf_auto = { 0 };

		diag_buf_init(&name, DIAG_MAX_MESSAGE);
		diag_buf_printf(&name, ".%s.%d-%d", file->name, (int)getpid(), i);
		file->fd = openat(file->folder, diag_buf_str(&name),
				  O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, MODE);
		if (file->fd >= 0) {
			file->hidden = diag_buf_steal(&name);
			return DIAG_OK;
		}
		if (errno != EEXIST)
			break;
	}
	return diag_error_errno(err, errno, "cannot write '%s'", file->path);
}

static int open_folder(struct diag_newfile *file, struct diag_error *err)
{
	const char *slash = strrchr(file->path, '/');
	diag_autofree char *folder =
		!slash ? diag_xstrdup(".")
		       : diag_xstrndup(file->path, (size_t)(slash - file->path) + 1);
	struct stat st;

	file->name = diag_xstrdup(slash ? slash + 1 : file->path);
	if (!*file->name || strcmp(file->name, ".") == 0 || strcmp(file->name, "..") == 0)
		return diag_error_set(err, DIAG_E_INVALID, "'%s' is no name for a file",
				      file->path);
	file->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file->folder < 0)
		return diag_error_errno(err, errno, "cannot write into the folder '%s'", folder);
	if (fstatat(file->folder, file->name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return taken(file->path, err);
	return DIAG_OK;
}

int diag_newfile_open(const char *path, struct diag_newfile *ret, struct diag_error *err)
{
	struct diag_newfile file = { .fd = -1, .folder = -1, .path = diag_xstrdup(path) };
	int r = open_folder(&file, err);

	if (r == 0) {
		file.fd = open_unnamed(file.folder);
		if (file.fd < 0)
			r = open_hidden(&file, err);
	}
	if (r < 0) {
		diag_newfile_done(&file);
		return r;
	}
	*ret = file;
	return DIAG_OK;
}

/* Not every file system knows RENAME_NOREPLACE; a second name and the loss of the first is the same
 * in two steps. */
static int name_hidden(struct diag_newfile *file)
{
	if (renameat2(file->folder, file->hidden, file->folder, file->name, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (linkat(file->folder, file->hidden, file->folder, file->name, 0) < 0)
		return -1;
	unlinkat(file->folder, file->hidden, 0);
	return 0;
}

static int name_unnamed(struct diag_newfile *file)
{
	diag_autofree char *proc = proc_name(file->fd);

	return linkat(AT_FDCWD, proc, file->folder, file->name, AT_SYMLINK_FOLLOW);
}

int diag_newfile_publish(struct diag_newfile *file, struct diag_error *err)
{
	if (fsync(file->fd) < 0 && errno != EINVAL)
		return diag_error_errno(err, errno, "cannot write '%s'", file->path);
	if ((file->hidden ? name_hidden(file) : name_unnamed(file)) < 0) {
		if (errno == EEXIST)
			return taken(file->path, err);
		return diag_error_errno(err, errno, "cannot name the archive '%s'", file->path);
	}
	free(file->hidden);
	file->hidden = NULL;
	fsync(file->folder);
	return DIAG_OK;
}

void diag_newfile_done(struct diag_newfile *file)
{
	if (file->hidden)
		unlinkat(file->folder, file->hidden, 0);
	if (file->fd >= 0)
		close(file->fd);
	if (file->folder >= 0)
		close(file->folder);
	free(file->hidden);
	free(file->name);
	free(file->path);
	*file = (struct diag_newfile){ .fd = -1, .folder = -1 };
}
