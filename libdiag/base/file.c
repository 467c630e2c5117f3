#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/limits.h"

int diag_file_read_fd(int fd, const char *name, struct diag_buf *ret_buf, struct diag_error *err)
{
	char block[64 * 1024];

	for (;;) {
		ssize_t got = read(fd, block, sizeof(block));

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return diag_error_errno(err, errno, "cannot read '%s'", name);
		if (got == 0)
			return DIAG_OK;
		diag_buf_add(ret_buf, block, (size_t)got);
		if (diag_buf_failed(ret_buf))
			return diag_error_set(err, DIAG_E_LIMIT, "'%s' is larger than %zu bytes",
					      name, ret_buf->ceiling);
	}
}

int diag_file_read(const char *path, struct diag_buf *ret_buf, struct diag_error *err)
{
	diag_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return diag_error_errno(err, errno, "cannot open '%s'", path);
	return diag_file_read_fd(fd, path, ret_buf, err);
}

bool diag_file_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

char *diag_file_absolute(const char *path)
{
	char *real = realpath(path, NULL);
	diag_autofree char *folder = real ? NULL : getcwd(NULL, 0);
	struct diag_buf text diag_buf_auto = { 0 };

	if (real)
		return real;
	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	if (*path != '/')
		diag_buf_printf(&text, "%s/", folder ? folder : "");
	diag_buf_puts(&text, path);
	return diag_buf_steal(&text);
}

char *diag_file_upwards(const char *folder, const char *name)
{
	diag_autofree char *at = diag_xstrdup(folder);
	size_t length = strlen(at);

	while (length) {
		diag_autofree char *path = diag_xcalloc(length + strlen(name) + 2, 1);

		memcpy(path, at, length);
		path[length] = '/';
		strcpy(path + length + 1, name);
		if (access(path, F_OK) == 0)
			return diag_xstrndup(at, length == 0 ? 1 : length);
		while (length && at[length - 1] != '/')
			length--;
		while (length && at[length - 1] == '/')
			length--;
	}
	return NULL;
}

int diag_file_write_fd(int fd, const char *name, const char *bytes, size_t length,
		       struct diag_error *err)
{
	while (length) {
		ssize_t written = write(fd, bytes, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0) {
			diag_error_errno(err, errno, "cannot write '%s'", name);
			return DIAG_E_IO;
		}
		bytes += written;
		length -= (size_t)written;
	}
	return DIAG_OK;
}

/* A device or a pipe has no content to replace. */
static int write_special(const char *path, const char *bytes, size_t length, struct diag_error *err)
{
	diag_autoclose int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return diag_error_errno(err, errno, "cannot write '%s'", path);
	return diag_file_write_fd(fd, path, bytes, length, err);
}

/* Short, so that it fits wherever the final name does; hidden, and with no ending that a folder's
 * reader may look for, such as ".prom". */
static char *temporary_name(const char *path)
{
	static const char name[] = ".diag-XXXXXX";
	const char *slash = strrchr(path, '/');
	size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
	char *temporary = diag_xcalloc(folder + sizeof(name), 1);

	memcpy(temporary, path, folder);
	memcpy(temporary + folder, name, sizeof(name));
	return temporary;
}

static mode_t default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int replace(const char *path, mode_t mode, const char *bytes, size_t length,
		   struct diag_error *err)
{
	diag_autofree char *temporary = temporary_name(path);
	int fd = mkostemp(temporary, O_CLOEXEC);
	int r;

	if (fd < 0)
		return diag_error_errno(err, errno, "cannot write '%s'", path);
	r = diag_file_write_fd(fd, path, bytes, length, err);
	if (r == 0 && (fchmod(fd, mode) < 0 || fsync(fd) < 0))
		r = diag_error_errno(err, errno, "cannot write '%s'", path);
	if (close(fd) < 0 && r == 0)
		r = diag_error_errno(err, errno, "cannot write '%s'", path);
	if (r == 0 && rename(temporary, path) < 0)
		r = diag_error_errno(err, errno, "cannot write '%s'", path);
	if (r < 0)
		unlink(temporary);
	return r;
}

int diag_file_replace(const char *path, const char *bytes, size_t length, struct diag_error *err)
{
	diag_autofree char *real = realpath(path, NULL);
	struct stat st;

	if (!real || stat(real, &st) < 0)
		return replace(path, default_mode(), bytes, length, err);
	if (S_ISDIR(st.st_mode))
		return diag_error_errno(err, EISDIR, "cannot write '%s'", path);
	if (!S_ISREG(st.st_mode))
		return write_special(path, bytes, length, err);
	return replace(real, st.st_mode & 07777, bytes, length, err);
}
