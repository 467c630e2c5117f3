/* A bundle that somebody unpacked: a folder, read in byte order of its paths, links never followed.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "bundle/archive_internal.h"
#include "bundle/name.h"

struct folder {
	const struct diag_archive_visitor *visitor;
	struct diag_archive_limits limits;
	size_t entries;
	size_t files;
	size_t total;
};

static void problem(const struct folder *folder, const char *name, const char *message)
{
	folder->visitor->problem(folder->visitor->arg, name, message);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void regular_file(struct folder *folder, const FTSENT *entry, const char *name)
{
	const struct diag_archive_visitor *visitor = folder->visitor;
	int64_t mtime_ms = (int64_t)entry->fts_statp->st_mtime * 1000;
	struct diag_buf content diag_buf_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;
	diag_autoclose int fd = -1;

	folder->files++;
	if (!visitor->wants(visitor->arg, name, mtime_ms))
		return;
	diag_buf_init(&content, folder->limits.entry_bytes);
	fd = open(entry->fts_accpath, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		diag_error_errno(&err, errno, "cannot be opened");
	else
		diag_file_read_fd(fd, name, &content, &err);
	if (err.code) {
		problem(folder, name, err.message);
		return;
	}
	folder->total += content.length;
	if (folder->total > folder->limits.total_bytes) {
		problem(folder, name, "the bundle is larger than may be read");
		return;
	}
	visitor->entry(visitor->arg, &(struct diag_archive_entry){
					     .name = name,
					     .bytes = diag_buf_str(&content),
					     .length = content.length,
					     .mtime_ms = mtime_ms,
				     });
}

static void link_entry(const struct folder *folder, const FTSENT *entry, const char *name)
{
	char target[PATH_MAX];
	ssize_t length = readlink(entry->fts_accpath, target, sizeof(target) - 1);

	target[length > 0 ? length : 0] = '\0';
	if (!diag_bundle_link_is_inside(name, target))
		problem(folder, name, "is a link that leads out of the bundle; refused");
}

static void one_entry(struct folder *folder, const FTSENT *entry, const char *top)
{
	const char *raw = entry->fts_path + strlen(top);
	const char *reason = NULL;
	diag_autofree char *name = NULL;

	while (*raw == '/')
		raw++;
	name = diag_bundle_name(raw, &reason);
	if (!name) {
		problem(folder, raw, reason);
		return;
	}
	switch (entry->fts_info) {
	case FTS_F:
		regular_file(folder, entry, name);
		break;
	case FTS_SL:
	case FTS_SLNONE:
		link_entry(folder, entry, name);
		break;
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		problem(folder, name, "cannot be read: no permission");
		break;
	case FTS_DEFAULT:
		problem(folder, name, "is a device or pipe; refused");
		break;
	default:
		break; /* folders, on the way in and out */
	}
}

int diag_archive_read_folder(const char *path, const struct diag_archive_limits *limits,
			     const struct diag_archive_visitor *visitor,
			     const struct diag_cancel *cancel, struct diag_error *err)
{
	struct folder folder = { .visitor = visitor, .limits = diag_archive_effective(limits) };
	diag_autofree char *top = diag_xstrdup(path);
	char *const paths[] = { top, NULL };
	FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	int r = DIAG_OK;
	FTSENT *entry;

	if (!walk)
		return diag_error_errno(err, errno, "cannot read '%s'", path);
	while (r == 0 && (entry = fts_read(walk))) {
		if (diag_cancelled(cancel))
			r = diag_error_set(err, DIAG_E_CANCELLED, "interrupted");
		else if (++folder.entries > folder.limits.entries)
			r = diag_error_set(err, DIAG_E_LIMIT,
					   "'%s' holds more entries than may be read", path);
		else
			one_entry(&folder, entry, top);
	}
	fts_close(walk);
	if (r == 0 && !folder.files)
		r = diag_error_set(err, DIAG_E_PARSE, "'%s' is an empty folder: no support bundle",
				   path);
	return r;
}
