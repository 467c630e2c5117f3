#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

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
