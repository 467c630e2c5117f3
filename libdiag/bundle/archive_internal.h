/*
 * The two ways to read a bundle behind one iterator: backends (archive.c over libarchive, folder.c)
 * yield raw entries and blocks; entries.c holds them to the rules and limits.
 */
#pragma once

#include <sys/stat.h>

#include "base/buf.h"
#include "base/map.h"
#include "bundle/archive.h"

enum raw_type {
	RAW_FILE,
	RAW_FOLDER,
	RAW_SYMLINK,
	RAW_HARDLINK,
	RAW_REFUSED, /* `why`, a phrase after the name */
	RAW_BROKEN,  /* `why`, the cause alone; nothing comes after it */
};

/* As it stands in the bundle; strings are borrowed until the backend's next call. */
struct raw_entry {
	enum raw_type type;
	const char *name;   /* NULL when it has none */
	const char *target; /* of links */
	const char *why;
	int64_t mtime_s;
	bool has_mtime;
};

struct diag_archive_backend {
	const char *noun; /* "archive", "folder" */
	/* False at the end. */
	bool (*next)(struct diag_archive *archive, struct raw_entry *ret_entry);
	/* The next bytes of the current file: 1, 0 at its end, negative: lost; diag_archive_break()
	 * was called when the rest is lost, too. */
	int (*block)(struct diag_archive *archive, const void **ret_bytes, size_t *ret_length,
		     struct diag_error *err);
	/* Go on to the last `most` bytes of the current file. True when something was left out;
	 * NULL when it has to be read. */
	bool (*seek_tail)(struct diag_archive *archive, size_t most);
	void (*close)(struct diag_archive *archive);
};

/* First member of each backend's own state. */
struct diag_archive {
	const struct diag_archive_backend *backend;
	struct diag_archive_options options; /* defaults filled in */
	char *path;
	char *name;   /* of the current entry; NULL before the first */
	char *target; /* of the current link */
	struct diag_buf content;
	struct diag_buf message; /* what entry.problem points to */
	struct diag_map *names;  /* handed over, mapped to the archive itself */
	struct diag_map *links;
	struct diag_buf first_refusal;
	size_t entries, files, refused;
	size_t total;
	bool broken;
};

/** Prepare the common part; the backend has allocated it zeroed. */
void diag_archive_init(struct diag_archive *archive, const struct diag_archive_backend *backend,
		       const char *path, const struct diag_archive_options *options);

/** Record that nothing can be read any more; returns `code` with a message that says where. */
int diag_archive_break(struct diag_archive *archive, int code, const char *why,
		       struct diag_error *err);

/** The error for what is no bundle at all; returns DIAG_E_PARSE. */
int diag_archive_no_bundle(const struct diag_archive *archive, const char *why,
			   struct diag_error *err);

/** A folder as a bundle. `fd` is open on it and is taken. */
struct diag_archive *diag_archive_new_folder(int fd, const char *path,
					     const struct diag_archive_options *options);
