#include "bundle/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "bundle/archive_internal.h"
#include "bundle/name.h"

struct reading {
	struct archive *archive;
	const struct diag_archive_visitor *visitor;
	struct diag_archive_limits limits;
	size_t entries;
	size_t files;
	size_t total;
};

static size_t or_default(size_t value, size_t fallback)
{
	return value ? value : fallback;
}

struct diag_archive_limits diag_archive_effective(const struct diag_archive_limits *limits)
{
	struct diag_archive_limits zero = { 0 };
	const struct diag_archive_limits *l = limits ? limits : &zero;

	return (struct diag_archive_limits){
		.entries = or_default(l->entries, DIAG_MAX_ARCHIVE_ENTRIES),
		.entry_bytes = or_default(l->entry_bytes, DIAG_MAX_ENTRY_BYTES),
		.total_bytes = or_default(l->total_bytes, DIAG_MAX_ARCHIVE_BYTES),
		.expansion = or_default(l->expansion, DIAG_MAX_EXPANSION),
		.expansion_floor = or_default(l->expansion_floor, DIAG_EXPANSION_FLOOR),
	};
}

static void problem(const struct reading *reading, const char *name, const char *message)
{
	reading->visitor->problem(reading->visitor->arg, name, message);
}

/* A few kilobytes that grow without end are an attack, whatever each entry's own size. */
static bool expands_too_much(const struct reading *reading, size_t more)
{
	la_int64_t packed = archive_filter_bytes(reading->archive, -1);
	size_t unpacked = (size_t)archive_filter_bytes(reading->archive, 0) + more;

	return unpacked > reading->limits.expansion_floor && packed > 0 &&
	       unpacked / (size_t)packed > reading->limits.expansion;
}

enum read_result { READ_OK, READ_SKIP, READ_STOP };

static enum read_result read_content(struct reading *reading, const char *name,
				     struct diag_buf *content)
{
	for (;;) {
		const void *block;
		size_t length;
		la_int64_t offset;
		int r = archive_read_data_block(reading->archive, &block, &length, &offset);

		if (r == ARCHIVE_EOF)
			return READ_OK;
		if (r < ARCHIVE_WARN) {
			const char *why = archive_error_string(reading->archive);

			problem(reading, name, why ? why : "broken");
			return READ_STOP;
		}
		if (expands_too_much(reading, length)) {
			problem(reading, name, "expands beyond all measure; reading stopped here");
			return READ_STOP;
		}
		diag_buf_add(content, block, length);
		reading->total += length;
		if (reading->total > reading->limits.total_bytes) {
			problem(reading, name, "the bundle is larger than may be read");
			return READ_STOP;
		}
		if (diag_buf_failed(content)) {
			problem(reading, name, "is larger than may be read; left out");
			return READ_SKIP;
		}
	}
}

static int64_t mtime_of(struct archive_entry *entry)
{
	return archive_entry_mtime_is_set(entry) ? (int64_t)archive_entry_mtime(entry) * 1000
						 : DIAG_TIME_NONE;
}

static enum read_result regular_file(struct reading *reading, struct archive_entry *entry,
				     const char *name)
{
	const struct diag_archive_visitor *visitor = reading->visitor;
	struct diag_buf content diag_buf_auto = { 0 };
	enum read_result r;

	reading->files++;
	if (!visitor->wants(visitor->arg, name, mtime_of(entry)))
		return READ_OK;
	diag_buf_init(&content, reading->limits.entry_bytes);
	r = read_content(reading, name, &content);
	if (r == READ_SKIP)
		return READ_OK;
	if (r == READ_OK || content.length)
		visitor->entry(visitor->arg, &(struct diag_archive_entry){
						     .name = name,
						     .bytes = diag_buf_str(&content),
						     .length = content.length,
						     .mtime_ms = mtime_of(entry),
					     });
	return r;
}

static enum read_result one_entry(struct reading *reading, struct archive_entry *entry)
{
	const char *raw = archive_entry_pathname(entry);
	const char *reason = NULL;
	const char *link = archive_entry_hardlink(entry);
	diag_autofree char *name = raw ? diag_bundle_name(raw, &reason) : NULL;

	if (!name) {
		problem(reading, raw ? raw : "an entry", reason ? reason : "it has no name");
		return READ_OK;
	}
	if (link) {
		if (!diag_bundle_link_is_inside("", link))
			problem(reading, name, "is a link that leads out of the bundle; refused");
		return READ_OK;
	}
	switch (archive_entry_filetype(entry)) {
	case AE_IFREG:
		return *name ? regular_file(reading, entry, name) : READ_OK;
	case AE_IFDIR:
		return READ_OK;
	case AE_IFLNK:
		if (!diag_bundle_link_is_inside(name, archive_entry_symlink(entry)))
			problem(reading, name, "is a link that leads out of the bundle; refused");
		return READ_OK;
	default:
		problem(reading, name, "is a device or pipe; refused");
		return READ_OK;
	}
}

static int read_entries(struct reading *reading, const char *path, const struct diag_cancel *cancel,
			struct diag_error *err)
{
	struct archive_entry *entry;

	for (;;) {
		int r = archive_read_next_header(reading->archive, &entry);
		const char *why = archive_error_string(reading->archive);

		if (r == ARCHIVE_EOF)
			return DIAG_OK;
		if (diag_cancelled(cancel))
			return diag_error_set(err, DIAG_E_CANCELLED, "interrupted");
		if (r < ARCHIVE_WARN) {
			if (!reading->files)
				return diag_error_set(err, DIAG_E_PARSE,
						      "'%s' is no support bundle: %s", path,
						      why ? why : "not a tar archive");
			problem(reading, path, why ? why : "the archive is broken from here on");
			return DIAG_OK;
		}
		if (++reading->entries > reading->limits.entries) {
			problem(reading, path, "holds more entries than may be read");
			return DIAG_OK;
		}
		if (one_entry(reading, entry) == READ_STOP)
			return DIAG_OK;
	}
}

/* Compressions by library only: nothing that would start a program. */
static struct archive *new_reader(void)
{
	struct archive *archive = archive_read_new();

	archive_read_support_format_tar(archive);
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_bzip2(archive);
	archive_read_support_filter_lz4(archive);
	return archive;
}

static int read_archive(const char *path, const struct diag_archive_limits *limits,
			const struct diag_archive_visitor *visitor,
			const struct diag_cancel *cancel, struct diag_error *err)
{
	struct reading reading = {
		.archive = new_reader(),
		.visitor = visitor,
		.limits = diag_archive_effective(limits),
	};
	int r;

	if (archive_read_open_filename(reading.archive, path, 128 * 1024) != ARCHIVE_OK)
		r = diag_error_set(err, DIAG_E_PARSE, "'%s' is no support bundle: %s", path,
				   archive_error_string(reading.archive));
	else
		r = read_entries(&reading, path, cancel, err);
	if (r == 0 && !reading.files && !reading.entries)
		r = diag_error_set(err, DIAG_E_PARSE, "'%s' is an empty archive", path);
	archive_read_free(reading.archive);
	return r;
}

int diag_archive_read(const char *path, const struct diag_archive_limits *limits,
		      const struct diag_archive_visitor *visitor, const struct diag_cancel *cancel,
		      struct diag_error *err)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return diag_error_errno(err, errno, "cannot read '%s'", path);
	if (S_ISDIR(st.st_mode))
		return diag_archive_read_folder(path, limits, visitor, cancel, err);
	if (!S_ISREG(st.st_mode))
		return diag_error_set(err, DIAG_E_INVALID, "'%s' is neither a file nor a folder",
				      path);
	if (st.st_size == 0)
		return diag_error_set(err, DIAG_E_PARSE, "'%s' is empty: no support bundle", path);
	return read_archive(path, limits, visitor, cancel, err);
}
