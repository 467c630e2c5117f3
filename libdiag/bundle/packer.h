/*
 * A stream of bytes, packed member by member into a file. Once the file could not be written,
 * nothing more is, until it was cut back to a place where a member ended.
 */
#pragma once

#include <stddef.h>

#include "base/error.h"
#include "bundle/writer.h"

struct diag_packer;

/** `fd` is borrowed; the file is empty. */
struct diag_packer *diag_packer_new(int fd, enum diag_writer_packing packing);
void diag_packer_free(struct diag_packer *packer);

/** Append bytes to the current member, which begins with the first. */
void diag_packer_add(struct diag_packer *packer, const void *bytes, size_t length);

/** End the member. */
void diag_packer_end(struct diag_packer *packer);

/** Why nothing more is written: an errno; 0: all is well. */
int diag_packer_failure(const struct diag_packer *packer);

/** Bytes of the file. */
size_t diag_packer_size(const struct diag_packer *packer);

/** Drop the current member and cut the file back. Returns DIAG_OK or IO. */
int diag_packer_cut(struct diag_packer *packer, size_t size, struct diag_error *err);
