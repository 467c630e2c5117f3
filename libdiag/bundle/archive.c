/* Archives as a backend of the iterator, and the ways in. The only file that knows libarchive. */
#include "bundle/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "bundle/archive_internal.h"

enum { BLOCK = 128 * 1024 };

struct packed {
	struct diag_archive base; /* first */
	struct archive *reader;
	int fd;        /* -1 when in memory */
	la_int64_t at; /* in the current file */
	bool unread;   /* the current entry may have content left */
};

static const char *why(struct archive *reader)
{
	const char *text = archive_error_string(reader);

	return text ? text : "it is damaged";
}

/* A damaged header is "retryable" to libarchive, by searching the bytes that follow for one; those
 * are the content of files, which may hold anything. */
static bool is_lost(int r)
{
	return r != ARCHIVE_OK && r != ARCHIVE_WARN;
}

/* A few kilobytes that grow without end are an attack, whatever each entry's own size. */
static bool expands_too_much(const struct packed *packed)
{
	la_int64_t from = archive_filter_bytes(packed->reader, -1);
	la_int64_t to = archive_filter_bytes(packed->reader, 0);

	return from > 0 && to > 0 && (size_t)to > packed->base.options.expansion_floor &&
	       (size_t)(to / from) >= packed->base.options.expansion;
}

static const char too_much[] = "it expands beyond all measure";

/*
 * Pass over what is left of an entry. In an unpacked tar that is a seek; else all of it has to be
 * expanded, and is watched like content that is used.
 *
 * Returns NULL, or why the archive is lost.
 */
static const char *skip(const struct packed *packed)
{
	const void *bytes;
	la_int64_t offset;
	size_t length;
	int r;

	if (archive_filter_code(packed->reader, 0) == ARCHIVE_FILTER_NONE)
		return is_lost(archive_read_data_skip(packed->reader)) ? why(packed->reader) : NULL;
	while ((r = archive_read_data_block(packed->reader, &bytes, &length, &offset)) !=
	       ARCHIVE_EOF) {
		if (is_lost(r))
			return why(packed->reader);
		if (expands_too_much(packed))
			return too_much;
		if (diag_cancelled(packed->base.options.cancel))
			return "interrupted";
	}
	return NULL;
}

/* Only where the locale cannot express the name is the UTF-8 of the archive taken as it is. */
static const char *pathname(struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry);

	return name ? name : archive_entry_pathname_utf8(entry);
}

static const char *hardlink(struct archive_entry *entry)
{
	const char *target = archive_entry_hardlink(entry);

	return target ? target : archive_entry_hardlink_utf8(entry);
}

static void classify(struct archive_entry *entry, struct raw_entry *ret_entry)
{
	ret_entry->target = hardlink(entry);
	if (ret_entry->target) {
		ret_entry->type = RAW_HARDLINK;
		return;
	}
	switch (archive_entry_filetype(entry)) {
	case AE_IFREG:
		ret_entry->type = archive_entry_sparse_count(entry) ? RAW_REFUSED : RAW_FILE;
		ret_entry->why = "is a sparse file, which no bundle holds; refused";
		break;
	case AE_IFDIR:
		ret_entry->type = RAW_FOLDER;
		break;
	case AE_IFLNK:
		ret_entry->type = RAW_SYMLINK;
		ret_entry->target = archive_entry_symlink(entry);
		if (!ret_entry->target)
			ret_entry->target = archive_entry_symlink_utf8(entry);
		break;
	default:
		ret_entry->type = RAW_REFUSED;
		ret_entry->why = "is a device or pipe; refused";
		break;
	}
}

static bool next(struct diag_archive *base, struct raw_entry *ret_entry)
{
	struct packed *packed = (struct packed *)base;
	struct archive_entry *entry;
	int r;

	if (packed->unread) {
		packed->unread = false;
		ret_entry->why = skip(packed);
		if (ret_entry->why) {
			ret_entry->type = RAW_BROKEN;
			return true;
		}
	}
	r = archive_read_next_header(packed->reader, &entry);
	if (r == ARCHIVE_EOF)
		return false;
	if (is_lost(r)) {
		ret_entry->type = RAW_BROKEN;
		ret_entry->why = why(packed->reader);
		return true;
	}
	packed->at = 0;
	packed->unread = true;
	ret_entry->name = pathname(entry);
	ret_entry->mtime_s = archive_entry_mtime(entry);
	ret_entry->has_mtime = archive_entry_mtime_is_set(entry);
	classify(entry, ret_entry);
	return true;
}

static int block(struct diag_archive *base, const void **ret_bytes, size_t *ret_length,
		 struct diag_error *err)
{
	struct packed *packed = (struct packed *)base;
	la_int64_t offset;
	int r = archive_read_data_block(packed->reader, ret_bytes, ret_length, &offset);

	if (r == ARCHIVE_EOF) {
		packed->unread = false;
		return 0;
	}
	if (is_lost(r))
		return diag_archive_break(base, DIAG_E_PARSE, why(packed->reader), err);
	if (expands_too_much(packed))
		return diag_archive_break(base, DIAG_E_LIMIT, too_much, err);
	if (offset != packed->at)
		return diag_error_set(err, DIAG_E_UNSUPPORTED,
				      "is a sparse file, which no bundle holds; left out");
	packed->at += (la_int64_t)*ret_length;
	return 1;
}

static void close_packed(struct diag_archive *base)
{
	struct packed *packed = (struct packed *)base;

	archive_read_free(packed->reader);
	if (packed->fd >= 0)
		close(packed->fd);
}

static const struct diag_archive_backend packed_backend = {
	.noun = "archive",
	.next = next,
	.block = block,
	.close = close_packed,
};

/* Packings that libarchive knows by library: nothing that would start a program. */
static struct packed *new_packed(const char *path, const struct diag_archive_options *options)
{
	struct packed *packed = diag_xcalloc(1, sizeof(*packed));

	diag_archive_init(&packed->base, &packed_backend, path, options);
	packed->fd = -1;
	packed->reader = archive_read_new();
	archive_read_support_format_tar(packed->reader);
	archive_read_support_filter_gzip(packed->reader);
	archive_read_support_filter_zstd(packed->reader);
	archive_read_support_filter_xz(packed->reader);
	archive_read_support_filter_bzip2(packed->reader);
	archive_read_support_filter_lz4(packed->reader);
	return packed;
}

/* `r` is what opening gave: libarchive looks for a packing and a format then. */
static int opened(struct packed *packed, int r, struct diag_archive **ret_archive,
		  struct diag_error *err)
{
	if (is_lost(r)) {
		diag_archive_no_bundle(&packed->base, why(packed->reader), err);
		diag_archive_close(&packed->base);
		return DIAG_E_PARSE;
	}
	*ret_archive = &packed->base;
	return DIAG_OK;
}

int diag_archive_open_memory(const void *bytes, size_t length, const char *name,
			     const struct diag_archive_options *options,
			     struct diag_archive **ret_archive, struct diag_error *err)
{
	struct packed *packed;

	if (!length)
		return diag_error_set(err, DIAG_E_PARSE, "'%s' is empty: no support bundle", name);
	packed = new_packed(name, options);
	return opened(packed, archive_read_open_memory(packed->reader, bytes, length), ret_archive,
		      err);
}

int diag_archive_open(const char *path, const struct diag_archive_options *options,
		      struct diag_archive **ret_archive, struct diag_error *err)
{
	/* Not to hang on a pipe: what it is, is asked of what was opened. */
	diag_autoclose int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct packed *packed;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return diag_error_errno(err, errno, "cannot read the bundle '%s'", path);
	if (S_ISDIR(st.st_mode)) {
		*ret_archive = diag_archive_new_folder(fd, path, options);
		fd = -1;
		return DIAG_OK;
	}
	if (!S_ISREG(st.st_mode))
		return diag_error_set(err, DIAG_E_INVALID,
				      "'%s' is neither a file nor a folder: no support bundle",
				      path);
	if (st.st_size == 0)
		return diag_error_set(err, DIAG_E_PARSE,
				      "'%s' is empty: no support bundle; ask for it again", path);
	packed = new_packed(path, options);
	packed->fd = fd;
	fd = -1;
	return opened(packed, archive_read_open_fd(packed->reader, packed->fd, BLOCK), ret_archive,
		      err);
}
