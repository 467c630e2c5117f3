/*
 * Reading a support bundle, an archive or a folder, without ever writing to disk. Names that could
 * lead anywhere else are refused by name, limits hold for everything, and what was read before a
 * break is used. This is the only file that knows libarchive.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"

/* 0 in any of them: the value of base/limits.h. */
struct diag_archive_limits {
	size_t entries;     /* entries of all kinds */
	size_t entry_bytes; /* one entry, expanded */
	size_t total_bytes; /* all wanted entries, expanded */
	size_t expansion;   /* expanded bytes per byte of the file, above expansion_floor */
	size_t expansion_floor;
};

struct diag_archive_entry {
	const char *name; /* normalised: no "./", no doubled slash */
	const char *bytes;
	size_t length;
	int64_t mtime_ms;
};

struct diag_archive_visitor {
	/* Whether the content of this entry is of interest. Called once for each regular file. */
	bool (*wants)(void *arg, const char *name, int64_t mtime_ms);
	/* A wanted entry; borrowed for the call. */
	void (*entry)(void *arg, const struct diag_archive_entry *entry);
	/* Something that was refused or broken; `name` may hold any bytes. */
	void (*problem)(void *arg, const char *name, const char *message);
	void *arg;
};

/**
 * Read everything wanted from a tar (plain, gzip, zstd, xz, bzip2, lz4) or a folder.
 *
 * Of entries with the same name each is handed over, in order. Links to files inside are other
 * names for what is read anyway and are passed over; links that lead outside, devices, pipes,
 * absolute names and names with ".." or control characters are problems.
 *
 * Returns DIAG_OK when at least one file was seen (breaks are problems); else NOT_FOUND, IO, PARSE
 * (no archive, or nothing in it), CANCELLED.
 */
int diag_archive_read(const char *path, const struct diag_archive_limits *limits,
		      const struct diag_archive_visitor *visitor, const struct diag_cancel *cancel,
		      struct diag_error *err);
