/*
 * Writing a bundle: a tar packed with gzip or zstd, streamed into a file that has no name yet. Only
 * diag_writer_publish() gives it its name, and never that of a file which is there: until then
 * nothing is under that name, whatever ends the program. Where the file system knows no unnamed
 * files, a hidden one beside it, of mode 0600, takes their place.
 *
 * The same entries give the same bytes. The packing is cut into members that are whole in
 *themselves (RFC 1952, section 2.2; RFC 8878, section 3.1), so that a disk that is full costs the
 *last of them and not the archive.
 *
 *	diag_writer_file() …, diag_writer_close(), look at diag_writer_fd(), diag_writer_publish()
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/macros.h"
#include "bundle/digest.h"

enum diag_writer_packing { DIAG_WRITER_GZIP, DIAG_WRITER_ZSTD };

struct diag_writer_options {
	const char *path; /* the name it will have */
	const char *top;  /* the folder that all entries stand in */
	enum diag_writer_packing packing;
	int64_t time_s;      /* of every entry, seconds since the epoch */
	size_t member_bytes; /* unpacked bytes after which a member ends with its entry; 0: 128 KiB
			      */
};

/* An entry as it was written. */
struct diag_writer_entry {
	const char *name; /* without the top folder */
	size_t bytes;
	char sha256[DIAG_DIGEST_HEX];
};

struct diag_writer;

/**
 * Make the file; its name is not taken yet. The options are copied.
 *
 * Returns DIAG_OK; INVALID when the name is taken already; NOT_FOUND (no such folder), IO.
 */
int diag_writer_open(const struct diag_writer_options *options, struct diag_writer **ret,
		     struct diag_error *err);

/**
 * Begin an entry of exactly `bytes` bytes.
 *
 * Returns DIAG_OK; INVALID for a name that no reader would take, or that is there already; IO when
 * the file cannot grow: then every call returns that until diag_writer_recover().
 */
int diag_writer_begin(struct diag_writer *writer, const char *name, size_t bytes,
		      struct diag_error *err);

/** The next bytes of the entry. Returns DIAG_OK, INVALID for more than were promised, IO. */
int diag_writer_add(struct diag_writer *writer, const void *bytes, size_t length,
		    struct diag_error *err);

/** End the entry. Returns DIAG_OK, INVALID for fewer bytes than were promised, IO. */
int diag_writer_end(struct diag_writer *writer, struct diag_error *err);

/** All three at once. */
int diag_writer_file(struct diag_writer *writer, const char *name, const void *bytes, size_t length,
		     struct diag_error *err);

/** Whether an entry of this name was written. */
bool diag_writer_has(const struct diag_writer *writer, const char *name);

/** What was written so far, in order; borrowed until the next call that changes it. */
const struct diag_writer_entry *diag_writer_entries(const struct diag_writer *writer,
						    size_t *ret_count);

/** Bytes of the file so far; what a member holds back is not among them. */
size_t diag_writer_size(const struct diag_writer *writer);

/**
 * After IO: forget the entries behind the last whole member, and that member too when this is
 * called again without a success in between, so that there is room for something smaller.
 *
 * Returns DIAG_OK, or NOT_FOUND when there is nothing left to give up, IO.
 */
int diag_writer_recover(struct diag_writer *writer, struct diag_error *err);

/** End the archive; nothing can be added any more. Returns DIAG_OK, IO (diag_writer_recover()). */
int diag_writer_close(struct diag_writer *writer, struct diag_error *err);

/** The file, for reading it back before it is published; borrowed. */
int diag_writer_fd(const struct diag_writer *writer);

/**
 * Give the closed archive its name.
 *
 * Returns DIAG_OK; INVALID when the name has been taken meanwhile, IO.
 */
int diag_writer_publish(struct diag_writer *writer, struct diag_error *err);

/** Free; what was not published is gone. NULL is fine. */
void diag_writer_free(struct diag_writer *writer);

DIAG_GUARD(diag_writer_auto, struct diag_writer *, diag_writer_free);
#define diag_writer_auto DIAG_CLEANUP(diag_writer_auto)
