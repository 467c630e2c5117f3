/* Archives for tests, made in memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tarball_packing { TARBALL_PLAIN, TARBALL_GZIP, TARBALL_ZSTD, TARBALL_XZ, TARBALL_BZIP2 };

struct tarball;

struct tarball *tarball_new(enum tarball_packing packing);

/** Add a file with a text. */
void tarball_file(struct tarball *tarball, const char *name, const char *text);

/** Add a file of any bytes, with its time in seconds. */
void tarball_bytes(struct tarball *tarball, const char *name, const void *bytes, size_t length,
		   int64_t mtime);

void tarball_symlink(struct tarball *tarball, const char *name, const char *target);
void tarball_hardlink(struct tarball *tarball, const char *name, const char *target);
void tarball_folder(struct tarball *tarball, const char *name);
void tarball_device(struct tarball *tarball, const char *name);
void tarball_fifo(struct tarball *tarball, const char *name);

/** A file of `size` zeros of which only the last byte is stored. */
void tarball_sparse(struct tarball *tarball, const char *name, int64_t size);

/** End the archive and free the tarball; the bytes are the caller's. */
char *tarball_take(struct tarball *tarball, size_t *ret_length);

/** End the archive, write its first `length` bytes (SIZE_MAX for all) to a file, and free. */
void tarball_write(struct tarball *tarball, const char *path, size_t length);
