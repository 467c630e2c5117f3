#include "bundle/writer.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "bundle/name.h"
#include "bundle/newfile.h"
#include "bundle/packer.h"

static const size_t default_member_bytes = 128 * 1024;

/* Where a member ended: what is before it is safe. */
struct mark {
	size_t size;    /* of the file */
	size_t entries; /* written by then */
};

struct diag_writer {
	struct diag_writer_options options;
	struct diag_arena *arena;
	struct diag_newfile file;
	struct diag_packer *packer;
	struct archive *tar; /* hands its blocks to the packer */
	struct diag_digest *digest;
	struct diag_map *names;
	struct diag_writer_entry *entries;
	size_t count, capacity;
	struct mark *marks;
	size_t mark_count, mark_capacity;
	size_t missing;  /* bytes that the current entry still needs */
	size_t unpacked; /* bytes in the current member */
	bool in_entry;
	bool cut_back; /* and no member has ended since */
	bool closed;
};

static la_ssize_t write_block(struct archive *archive DIAG_UNUSED, void *data, const void *bytes,
			      size_t length)
{
	struct diag_writer *writer = data;

	if (!writer->closed)
		diag_packer_add(writer->packer, bytes, length);
	writer->unpacked += length;
	return (la_ssize_t)length;
}

static int open_tar(struct diag_writer *writer, struct diag_error *err)
{
	writer->tar = archive_write_new();
	archive_write_set_format_pax_restricted(writer->tar);
	archive_write_set_bytes_per_block(writer->tar, 0);
	if (archive_write_open(writer->tar, writer, NULL, write_block, NULL) != ARCHIVE_OK)
		return diag_error_set(err, DIAG_E_IO, "cannot write an archive: %s",
				      archive_error_string(writer->tar));
	return DIAG_OK;
}

int diag_writer_open(const struct diag_writer_options *options, struct diag_writer **ret,
		     struct diag_error *err)
{
	diag_writer_auto struct diag_writer *writer = diag_xcalloc(1, sizeof(*writer));
	int r;

	writer->options = *options;
	writer->arena = diag_arena_new();
	writer->options.top = diag_arena_strdup(writer->arena, options->top);
	if (!writer->options.member_bytes)
		writer->options.member_bytes = default_member_bytes;
	writer->names = diag_map_new();
	writer->digest = diag_digest_new();
	writer->file = (struct diag_newfile){ .fd = -1, .folder = -1 };
	r = diag_newfile_open(options->path, &writer->file, err);
	if (r == 0) {
		writer->packer = diag_packer_new(writer->file.fd, options->packing);
		r = open_tar(writer, err);
	}
	if (r == 0)
		*ret = DIAG_STEAL(writer);
	return r;
}

static int check(const struct diag_writer *writer, struct diag_error *err)
{
	int failure = diag_packer_failure(writer->packer);

	return failure ? diag_error_set(err, DIAG_E_IO, "cannot write '%s': %s", writer->file.path,
					strerror(failure))
		       : DIAG_OK;
}

static int check_name(const struct diag_writer *writer, const char *name, struct diag_error *err)
{
	const char *reason = "is not written as it would be read";
	diag_autofree char *normal = diag_bundle_name(name, &reason);

	if (!normal || !*normal || strcmp(normal, name) != 0)
		return diag_error_set(err, DIAG_E_INVALID, "'%s' cannot be in a bundle: %s", name,
				      reason);
	if (diag_map_get(writer->names, name))
		return diag_error_set(err, DIAG_E_INVALID, "'%s' is in the bundle already", name);
	return DIAG_OK;
}

static int write_header(struct diag_writer *writer, const char *name, size_t bytes,
			struct diag_error *err)
{
	struct archive_entry *entry = archive_entry_new();
	int r;

	archive_entry_set_pathname(
		entry, diag_arena_printf(writer->arena, "%s/%s", writer->options.top, name));
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, (la_int64_t)bytes);
	archive_entry_set_mtime(entry, writer->options.time_s, 0);
	r = archive_write_header(writer->tar, entry);
	archive_entry_free(entry);
	if (r < ARCHIVE_WARN)
		return diag_error_set(err, DIAG_E_IO, "cannot write '%s' into the archive: %s",
				      name, archive_error_string(writer->tar));
	return check(writer, err);
}

int diag_writer_begin(struct diag_writer *writer, const char *name, size_t bytes,
		      struct diag_error *err)
{
	struct diag_writer_entry *entry;
	int r = check(writer, err);

	if (r == 0)
		r = check_name(writer, name, err);
	if (r < 0)
		return r;
	writer->entries = diag_xgrow(writer->entries, writer->count, &writer->capacity,
				     sizeof(*writer->entries));
	entry = &writer->entries[writer->count++];
	*entry = (struct diag_writer_entry){ diag_arena_strdup(writer->arena, name), bytes, "" };
	diag_map_set(writer->names, name, writer);
	writer->missing = bytes;
	writer->in_entry = true;
	return write_header(writer, name, bytes, err);
}

int diag_writer_add(struct diag_writer *writer, const void *bytes, size_t length,
		    struct diag_error *err)
{
	int r = check(writer, err);

	if (r < 0)
		return r;
	if (length > writer->missing)
		return diag_error_set(err, DIAG_E_INVALID, "'%s' is longer than was said",
				      writer->entries[writer->count - 1].name);
	writer->missing -= length;
	diag_digest_add(writer->digest, bytes, length);
	if (length && archive_write_data(writer->tar, bytes, length) != (la_ssize_t)length)
		return diag_error_set(err, DIAG_E_IO, "cannot write the archive: %s",
				      archive_error_string(writer->tar));
	return check(writer, err);
}

static void set_mark(struct diag_writer *writer)
{
	diag_packer_end(writer->packer);
	if (diag_packer_failure(writer->packer))
		return;
	writer->marks = diag_xgrow(writer->marks, writer->mark_count, &writer->mark_capacity,
				   sizeof(*writer->marks));
	writer->marks[writer->mark_count++] =
		(struct mark){ diag_packer_size(writer->packer), writer->count };
	writer->unpacked = 0;
	writer->cut_back = false;
}

int diag_writer_end(struct diag_writer *writer, struct diag_error *err)
{
	int r = check(writer, err);

	if (r < 0)
		return r;
	if (writer->missing)
		return diag_error_set(err, DIAG_E_INVALID, "'%s' is shorter than was said",
				      writer->entries[writer->count - 1].name);
	archive_write_finish_entry(writer->tar);
	diag_digest_take(writer->digest, writer->entries[writer->count - 1].sha256);
	writer->in_entry = false;
	if (writer->unpacked >= writer->options.member_bytes)
		set_mark(writer);
	return check(writer, err);
}

int diag_writer_file(struct diag_writer *writer, const char *name, const void *bytes, size_t length,
		     struct diag_error *err)
{
	int r = diag_writer_begin(writer, name, length, err);

	if (r == 0)
		r = diag_writer_add(writer, bytes, length, err);
	return r < 0 ? r : diag_writer_end(writer, err);
}

bool diag_writer_has(const struct diag_writer *writer, const char *name)
{
	return diag_map_get(writer->names, name) != NULL;
}

const struct diag_writer_entry *diag_writer_entries(const struct diag_writer *writer,
						    size_t *ret_count)
{
	*ret_count = writer->count;
	return writer->entries;
}

size_t diag_writer_size(const struct diag_writer *writer)
{
	return diag_packer_size(writer->packer);
}

/* The names of what was given up are free again. */
static void keep_entries(struct diag_writer *writer, size_t count)
{
	writer->count = count;
	diag_map_free(writer->names);
	writer->names = diag_map_new();
	for (size_t i = 0; i < count; i++)
		diag_map_set(writer->names, writer->entries[i].name, writer);
}

int diag_writer_recover(struct diag_writer *writer, struct diag_error *err)
{
	struct mark mark = { 0 };
	char unused[DIAG_DIGEST_HEX];
	int r;

	if (writer->cut_back && !writer->mark_count)
		return diag_error_set(err, DIAG_E_NOT_FOUND, "there is no room for any archive");
	if (writer->cut_back)
		writer->mark_count--;
	if (writer->mark_count)
		mark = writer->marks[writer->mark_count - 1];
	/* What is missing of the entry goes nowhere: the packer has failed. */
	if (writer->in_entry)
		archive_write_finish_entry(writer->tar);
	writer->in_entry = false;
	r = diag_packer_cut(writer->packer, mark.size, err);
	if (r < 0)
		return r;
	diag_digest_take(writer->digest, unused);
	keep_entries(writer, mark.entries);
	writer->unpacked = 0;
	writer->cut_back = true;
	writer->closed = false;
	return DIAG_OK;
}

/* Two blocks of zeros end a tar (POSIX.1-2017, pax, "ustar Interchange Format"). */
int diag_writer_close(struct diag_writer *writer, struct diag_error *err)
{
	static const char end[1024];

	diag_packer_add(writer->packer, end, sizeof(end));
	diag_packer_end(writer->packer);
	writer->closed = true;
	return check(writer, err);
}

int diag_writer_fd(const struct diag_writer *writer)
{
	return writer->file.fd;
}

int diag_writer_publish(struct diag_writer *writer, struct diag_error *err)
{
	return diag_newfile_publish(&writer->file, err);
}

void diag_writer_free(struct diag_writer *writer)
{
	if (!writer)
		return;
	writer->closed = true;
	if (writer->tar)
		archive_write_free(writer->tar);
	diag_packer_free(writer->packer);
	diag_newfile_done(&writer->file);
	diag_digest_free(writer->digest);
	diag_map_free(writer->names);
	diag_arena_free(writer->arena);
	free(writer->entries);
	free(writer->marks);
	free(writer);
}
