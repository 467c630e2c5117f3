#include "tests/support/tarball.h"

#include <archive.h>
#include <archive_entry.h>

#include "base/alloc.h"

#include "tests/support/unit.h"

enum { ROOM = 4 * 1024 * 1024 };

struct tarball {
	struct archive *archive;
	char *bytes;
	size_t length;
};

static void add_filter(struct archive *archive, enum tarball_packing packing)
{
	static int (*const filters[])(struct archive *) = {
		[TARBALL_PLAIN] = archive_write_add_filter_none,
		[TARBALL_GZIP] = archive_write_add_filter_gzip,
		[TARBALL_ZSTD] = archive_write_add_filter_zstd,
		[TARBALL_XZ] = archive_write_add_filter_xz,
		[TARBALL_BZIP2] = archive_write_add_filter_bzip2,
	};

	assert_int_equal(filters[packing](archive), ARCHIVE_OK);
}

struct tarball *tarball_new(enum tarball_packing packing)
{
	struct tarball *tarball = diag_xcalloc(1, sizeof(*tarball));

	tarball->bytes = diag_xcalloc(1, ROOM);
	tarball->archive = archive_write_new();
	archive_write_set_format_pax_restricted(tarball->archive);
	add_filter(tarball->archive, packing);
	archive_write_set_bytes_in_last_block(tarball->archive, 1);
	assert_int_equal(
		archive_write_open_memory(tarball->archive, tarball->bytes, ROOM, &tarball->length),
		ARCHIVE_OK);
	return tarball;
}

static struct archive_entry *new_entry(const char *name, unsigned type)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, type);
	archive_entry_set_perm(entry, 0644);
	archive_entry_set_size(entry, 0);
	return entry;
}

static void write_entry(struct tarball *tarball, struct archive_entry *entry, const void *bytes,
			size_t length)
{
	assert_int_equal(archive_write_header(tarball->archive, entry), ARCHIVE_OK);
	if (length)
		assert_int_equal(archive_write_data(tarball->archive, bytes, length), length);
	archive_entry_free(entry);
}

void tarball_bytes(struct tarball *tarball, const char *name, const void *bytes, size_t length,
		   int64_t mtime)
{
	struct archive_entry *entry = new_entry(name, AE_IFREG);

	archive_entry_set_size(entry, (la_int64_t)length);
	archive_entry_set_mtime(entry, (time_t)mtime, 0);
	write_entry(tarball, entry, bytes, length);
}

void tarball_file(struct tarball *tarball, const char *name, const char *text)
{
	tarball_bytes(tarball, name, text, strlen(text), 1767225600); /* 2026-01-01T00:00:00Z */
}

void tarball_symlink(struct tarball *tarball, const char *name, const char *target)
{
	struct archive_entry *entry = new_entry(name, AE_IFLNK);

	archive_entry_set_symlink(entry, target);
	write_entry(tarball, entry, NULL, 0);
}

void tarball_hardlink(struct tarball *tarball, const char *name, const char *target)
{
	struct archive_entry *entry = new_entry(name, AE_IFREG);

	archive_entry_set_hardlink(entry, target);
	write_entry(tarball, entry, NULL, 0);
}

void tarball_folder(struct tarball *tarball, const char *name)
{
	write_entry(tarball, new_entry(name, AE_IFDIR), NULL, 0);
}

void tarball_device(struct tarball *tarball, const char *name)
{
	write_entry(tarball, new_entry(name, AE_IFCHR), NULL, 0);
}

void tarball_fifo(struct tarball *tarball, const char *name)
{
	write_entry(tarball, new_entry(name, AE_IFIFO), NULL, 0);
}

void tarball_sparse(struct tarball *tarball, const char *name, int64_t size)
{
	struct archive_entry *entry = new_entry(name, AE_IFREG);

	archive_entry_set_size(entry, size);
	archive_entry_sparse_add_entry(entry, size - 1, 1);
	assert_int_equal(archive_write_header(tarball->archive, entry), ARCHIVE_OK);
	for (int64_t at = 0; at < size; at += 4096) {
		static const char zeros[4096];

		archive_write_data(tarball->archive, zeros,
				   (size_t)DIAG_MIN(size - at, INT64_C(4096)));
	}
	archive_entry_free(entry);
}

char *tarball_take(struct tarball *tarball, size_t *ret_length)
{
	char *bytes = tarball->bytes;

	assert_int_equal(archive_write_close(tarball->archive), ARCHIVE_OK);
	archive_write_free(tarball->archive);
	*ret_length = tarball->length;
	free(tarball);
	return bytes;
}

void tarball_write(struct tarball *tarball, const char *path, size_t length)
{
	size_t all;
	diag_autofree char *bytes = tarball_take(tarball, &all);
	FILE *file = fopen(path, "wb");

	length = DIAG_MIN(length, all);
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}
