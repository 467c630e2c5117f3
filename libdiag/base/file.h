/* Reading whole inputs with a ceiling, writing whole files. */
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

/** A path from the root, without links where it exists; malloc'ed, never NULL. */
char *diag_file_absolute(const char *path);

/**
 * The nearest folder, from `folder` upwards, that holds `name`.
 *
 * @folder absolute path
 *
 * Returns its path, the caller's, or NULL.
 */
char *diag_file_upwards(const char *folder, const char *name);

/** Write all bytes to a descriptor. Returns DIAG_OK or IO; err->errnum tells EPIPE from the rest.
 */
int diag_file_write_fd(int fd, const char *name, const char *bytes, size_t length,
		       struct diag_error *err);

/**
 * Make a file hold exactly these bytes, or leave it as it was: they are written to a new file in
 * the same folder, which then takes the name, so that no reader ever sees half of them. A symbolic
 * link is followed; what is no regular file (a device, a pipe) is written to as it is.
 *
 * A new file's mode obeys the umask, an old one's mode is kept.
 *
 * Returns DIAG_OK, NOT_FOUND (no such folder) or IO.
 */
int diag_file_replace(const char *path, const char *bytes, size_t length, struct diag_error *err);

static inline void diag_fd_cleanup_(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}
#define diag_autoclose __attribute__((cleanup(diag_fd_cleanup_)))
