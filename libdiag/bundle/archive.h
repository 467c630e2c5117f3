/*
 * Reading a support bundle, an archive or a folder, entry by entry and in memory alone: nothing is
 * ever written to disk, no link is followed, no device is opened. Names that could lead anywhere
 * else are refused by name, limits hold for everything, and what was read before a break is used.
 *
 *	while ((r = diag_archive_next(archive, &entry, err)) > 0)
 *		if (entry.kind == DIAG_ARCHIVE_FILE && wanted(entry.name))
 *			r = diag_archive_content(archive, &bytes, &length, err);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/macros.h"

struct diag_archive;

/* Limits; 0 in any of them: the value of base/limits.h. */
struct diag_archive_options {
	size_t entries;     /* entries of all kinds */
	size_t entry_bytes; /* one entry, expanded; diag_archive_tail() reads beyond it */
	size_t total_bytes; /* all content that is asked for, expanded */
	size_t expansion;   /* expanded bytes per byte of the file, above expansion_floor */
	size_t expansion_floor;
	size_t name_bytes;                /* one name; 0: 4096 */
	const struct diag_cancel *cancel; /* borrowed, may be NULL */
};

enum diag_archive_kind {
	DIAG_ARCHIVE_FILE,    /* its content may be asked for */
	DIAG_ARCHIVE_ALIAS,   /* a link inside the bundle: `target` by another name */
	DIAG_ARCHIVE_REFUSED, /* `problem` says why; the rest goes on */
	DIAG_ARCHIVE_BROKEN,  /* `problem` says where and why reading ends here */
};

/* Borrowed until the next call of diag_archive_next(). */
struct diag_archive_entry {
	enum diag_archive_kind kind;
	const char *name; /* normalised: no "./", no doubled slash; of a refused entry any bytes */
	const char *target;
	const char *problem;
	int64_t mtime_ms; /* DIAG_TIME_NONE when unknown */
};

/**
 * Open a tar (plain or packed with gzip, zstd, xz, bzip2 or lz4) or a folder.
 *
 * @options limits, copied; NULL for the defaults
 *
 * Returns DIAG_OK, or NOT_FOUND, IO, INVALID (neither file nor folder), PARSE (an empty file).
 */
int diag_archive_open(const char *path, const struct diag_archive_options *options,
		      struct diag_archive **ret_archive, struct diag_error *err);

/** As diag_archive_open() for an archive in memory, borrowed until closed; `name` for messages. */
int diag_archive_open_memory(const void *bytes, size_t length, const char *name,
			     const struct diag_archive_options *options,
			     struct diag_archive **ret_archive, struct diag_error *err);

/**
 * The next entry; content that was not asked for is skipped.
 *
 * Archives keep their own order, folders come in byte order of each folder's names. Folders are
 * passed over. Refused are absolute names, "..", control characters, names that are too long,
 * devices, pipes, sparse files, links that lead outside, whatever lies behind a link, and a name
 * that was there before: the first one counts, since it may have been used already. A NUL ends a
 * name, as it does for tar; what is left is held to the same rules.
 *
 * Returns 1 for an entry, 0 at the end (or after a break), or negative: PARSE when there was no
 * file at all, CANCELLED.
 */
int diag_archive_next(struct diag_archive *archive, struct diag_archive_entry *ret_entry,
		      struct diag_error *err);

/**
 * The content of the file that diag_archive_next() returned last; at most once.
 *
 * @ret_bytes  terminated; borrowed until the next call with this archive
 *
 * Returns DIAG_OK, or LIMIT, PARSE, IO, UNSUPPORTED (the entry is lost; diag_archive_is_broken()
 * tells whether the rest is, too), CANCELLED.
 */
int diag_archive_content(struct diag_archive *archive, const char **ret_bytes, size_t *ret_length,
			 struct diag_error *err);

/**
 * As diag_archive_content(), but only the last whole lines that fit into `most` bytes.
 *
 * Memory is bounded by `most`, not by the size of the file.
 *
 * @most    bytes, at least 1
 * @ret_cut whether the beginning is missing
 */
int diag_archive_tail(struct diag_archive *archive, size_t most, const char **ret_bytes,
		      size_t *ret_length, bool *ret_cut, struct diag_error *err);

/** True when reading ended before the end: absence of an entry then tells nothing. */
bool diag_archive_is_broken(const struct diag_archive *archive);

/** Close and free; NULL is fine. */
void diag_archive_close(struct diag_archive *archive);

DIAG_GUARD(diag_archive_auto, struct diag_archive *, diag_archive_close);
#define diag_archive_auto DIAG_CLEANUP(diag_archive_auto)
