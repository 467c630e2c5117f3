/* Reading whole inputs with a ceiling. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"

/**
 * Read everything from a descriptor into a buffer that the caller opened with its ceiling.
 *
 * @fd   open descriptor, borrowed
 * @name what to call it in an error
 *
 * Returns DIAG_OK, IO, or LIMIT when the ceiling is reached.
 */
int diag_file_read_fd(int fd, const char *name, struct diag_buf *ret_buf, struct diag_error *err);

/** As diag_file_read_fd() for a path; NOT_FOUND when it does not exist. */
int diag_file_read(const char *path, struct diag_buf *ret_buf, struct diag_error *err);

/** True for an existing folder. */
bool diag_file_is_dir(const char *path);

static inline void diag_fd_cleanup_(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}
#define diag_autoclose __attribute__((cleanup(diag_fd_cleanup_)))
