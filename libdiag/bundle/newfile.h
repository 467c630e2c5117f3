/* A file that gets its name when it is whole. */
#pragma once

#include <stddef.h>

#include "base/error.h"

struct diag_newfile {
	int fd;       /* -1: none */
	int folder;   /* where it will stand */
	char *path;   /* as the user wrote it, for messages */
	char *name;   /* in the folder */
	char *hidden; /* its name until then; NULL: it has none */
};

/** Make the file, mode 0600. Returns DIAG_OK; INVALID when the name is taken; NOT_FOUND, IO. */
int diag_newfile_open(const char *path, struct diag_newfile *ret, struct diag_error *err);

/** Give it its name, and let it reach the disk. Returns DIAG_OK; INVALID when the name is taken;
 * IO.
 */
int diag_newfile_publish(struct diag_newfile *file, struct diag_error *err);

/** Close it; what has no name yet is gone. */
void diag_newfile_done(struct diag_newfile *file);
