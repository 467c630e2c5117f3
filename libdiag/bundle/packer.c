#include "bundle/packer.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"

struct diag_packer {
	int fd;
	enum diag_writer_packing packing;
	struct archive *member; /* NULL between two */
	size_t size;
	int failure;
	bool dropping; /* what a member that is given up still writes */
};

struct diag_packer *diag_packer_new(int fd, enum diag_writer_packing packing)
{
	struct diag_packer *packer = diag_xcalloc(1, sizeof(*packer));

	packer->fd = fd;
	packer->packing = packing;
	return packer;
}

static void drop_member(struct diag_packer *packer)
{
	if (!packer->member)
		return;
	packer->dropping = true;
	archive_write_free(packer->member);
	packer->dropping = false;
	packer->member = NULL;
}

void diag_packer_free(struct diag_packer *packer)
{
	if (!packer)
		return;
	drop_member(packer);
	free(packer);
}

/* What fails is remembered, not told: the member is lost in any case. */
static la_ssize_t write_packed(struct archive *archive DIAG_UNUSED, void *data, const void *bytes,
			       size_t length)
{
	struct diag_packer *packer = data;
	size_t done = 0;

	while (!packer->failure && !packer->dropping && done < length) {
		ssize_t n = write(packer->fd, (const char *)bytes + done, length - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || errno != EINTR)
			packer->failure = n < 0 ? errno : ENOSPC;
	}
	packer->size += done;
	return (la_ssize_t)length;
}

/* No name and no time in the packing: equal input gives equal bytes. */
static void begin_member(struct diag_packer *packer)
{
	struct archive *member = archive_write_new();
	struct archive_entry *entry = archive_entry_new();

	archive_write_set_format_raw(member);
	if (packer->packing == DIAG_WRITER_ZSTD) {
		archive_write_add_filter_zstd(member);
	} else {
		archive_write_add_filter_gzip(member);
		archive_write_set_filter_option(member, "gzip", "timestamp", NULL);
	}
	archive_write_set_bytes_per_block(member, 0);
	archive_entry_set_filetype(entry, AE_IFREG);
	if (archive_write_open(member, packer, NULL, write_packed, NULL) != ARCHIVE_OK ||
	    archive_write_header(member, entry) < ARCHIVE_WARN)
		packer->failure = ENOMEM;
	archive_entry_free(entry);
	packer->member = member;
}

void diag_packer_add(struct diag_packer *packer, const void *bytes, size_t length)
{
	if (!packer->member && !packer->failure)
		begin_member(packer);
	if (!packer->failure && length &&
	    archive_write_data(packer->member, bytes, length) != (la_ssize_t)length &&
	    !packer->failure)
		packer->failure = EIO;
}

void diag_packer_end(struct diag_packer *packer)
{
	if (packer->failure) {
		drop_member(packer);
		return;
	}
	if (packer->member && archive_write_close(packer->member) < ARCHIVE_WARN &&
	    !packer->failure)
		packer->failure = EIO;
	archive_write_free(packer->member);
	packer->member = NULL;
}

int diag_packer_failure(const struct diag_packer *packer)
{
	return packer->failure;
}

size_t diag_packer_size(const struct diag_packer *packer)
{
	return packer->size;
}

int diag_packer_cut(struct diag_packer *packer, size_t size, struct diag_error *err)
{
	drop_member(packer);
	if (ftruncate(packer->fd, (off_t)size) < 0 || lseek(packer->fd, (off_t)size, SEEK_SET) < 0)
		return diag_error_errno(err, errno, "cannot cut the archive back");
	packer->size = size;
	packer->failure = 0;
	return DIAG_OK;
}
