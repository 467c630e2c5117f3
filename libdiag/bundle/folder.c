/*
 * A bundle that somebody unpacked, as a backend of the iterator. Every step goes from an open
 * folder to one name in it and never through a link, so that nothing outside can be reached, even
 * when the folder changes while it is read.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "bundle/archive_internal.h"

enum {
	MAX_LEVELS =
		32, /* folders inside each other, each with an open descriptor; bundles have 7 */
	BLOCK = 64 * 1024
};

/* A folder being read. */
struct level {
	int fd;
	char **names; /* sorted */
	size_t count, capacity, next;
	size_t path_length; /* of `folder.path` up to this level */
};

struct folder {
	struct diag_archive base; /* first */
	struct level levels[MAX_LEVELS];
	size_t depth;
	struct diag_buf path; /* of the current entry, from the top */
	const char *name;     /* of the current entry in its folder */
	int folder_fd;        /* borrowed from its level */
	int fd;               /* of the current file once it is read, else -1 */
	char target[PATH_MAX];
	char block[BLOCK];
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static void leave(struct folder *folder)
{
	struct level *level = &folder->levels[--folder->depth];

	for (size_t i = 0; i < level->count; i++)
		free(level->names[i]);
	free(level->names);
	close(level->fd);
}

/* Names beyond the limit of entries are not even kept: one too many says that there are more. */
static void list_names(struct level *level, DIR *dir, size_t most)
{
	const struct dirent *entry;

	while (level->count <= most && (entry = readdir(dir))) {
		if (is_dot(entry->d_name))
			continue;
		level->names = diag_xgrow(level->names, level->count, &level->capacity,
					  sizeof(*level->names));
		level->names[level->count++] = diag_xstrdup(entry->d_name);
	}
	if (level->count)
		qsort(level->names, level->count, sizeof(*level->names), compare_names);
}

/* Go down into the folder open as `fd`, which is taken; false when it cannot be listed. */
static bool enter(struct folder *folder, int fd)
{
	/* The stream takes a descriptor of its own; the level's stays for openat(). */
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = copy >= 0 ? fdopendir(copy) : NULL;
	struct level *level = &folder->levels[folder->depth];

	if (!dir) {
		if (copy >= 0)
			close(copy);
		close(fd);
		return false;
	}
	*level = (struct level){ .fd = fd, .path_length = folder->path.length };
	folder->depth++;
	list_names(level, dir, folder->base.options.entries);
	closedir(dir);
	return true;
}

static void refuse(struct raw_entry *ret_entry, const char *why)
{
	ret_entry->type = RAW_REFUSED;
	ret_entry->why = why;
}

static void take_folder(struct folder *folder, struct raw_entry *ret_entry)
{
	int fd;

	ret_entry->type = RAW_FOLDER;
	if (folder->depth == MAX_LEVELS) {
		refuse(ret_entry, "lies too deep, in too many folders; left out");
		return;
	}
	fd = openat(folder->folder_fd, folder->name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || !enter(folder, fd))
		refuse(ret_entry, "cannot be read; is the permission missing?");
}

static void take_link(struct folder *folder, struct raw_entry *ret_entry)
{
	ssize_t length = readlinkat(folder->folder_fd, folder->name, folder->target,
				    sizeof(folder->target) - 1);

	folder->target[length > 0 ? length : 0] = '\0';
	ret_entry->type = RAW_SYMLINK;
	ret_entry->target = folder->target;
}

static void take(struct folder *folder, struct raw_entry *ret_entry)
{
	struct stat st;

	ret_entry->name = diag_buf_str(&folder->path);
	if (fstatat(folder->folder_fd, folder->name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		refuse(ret_entry, "cannot be read; is the permission missing?");
		return;
	}
	ret_entry->mtime_s = st.st_mtime;
	ret_entry->has_mtime = true;
	if (S_ISREG(st.st_mode))
		ret_entry->type = RAW_FILE;
	else if (S_ISDIR(st.st_mode))
		take_folder(folder, ret_entry);
	else if (S_ISLNK(st.st_mode))
		take_link(folder, ret_entry);
	else
		refuse(ret_entry, "is a device or pipe; refused");
}

static void close_file(struct folder *folder)
{
	if (folder->fd >= 0)
		close(folder->fd);
	folder->fd = -1;
}

static bool next(struct diag_archive *base, struct raw_entry *ret_entry)
{
	struct folder *folder = (struct folder *)base;
	struct level *level;

	close_file(folder);
	while (folder->depth &&
	       folder->levels[folder->depth - 1].next == folder->levels[folder->depth - 1].count)
		leave(folder);
	if (!folder->depth)
		return false;
	level = &folder->levels[folder->depth - 1];
	folder->name = level->names[level->next++];
	folder->folder_fd = level->fd;
	if (folder->path.length > level->path_length) {
		folder->path.length = level->path_length;
		folder->path.data[level->path_length] = '\0';
	}
	diag_buf_printf(&folder->path, "%s%s", level->path_length ? "/" : "", folder->name);
	take(folder, ret_entry);
	return true;
}

/* What was a file a moment ago may be something else by now. */
static int open_file(struct folder *folder, struct diag_error *err)
{
	struct stat st;

	if (folder->fd >= 0)
		return DIAG_OK;
	folder->fd = openat(folder->folder_fd, folder->name,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (folder->fd < 0 || fstat(folder->fd, &st) < 0)
		return diag_error_errno(err, errno, "cannot be opened");
	if (S_ISREG(st.st_mode))
		return DIAG_OK;
	close_file(folder);
	return diag_error_set(err, DIAG_E_UNSUPPORTED, "is no file any more; left out");
}

static int block(struct diag_archive *base, const void **ret_bytes, size_t *ret_length,
		 struct diag_error *err)
{
	struct folder *folder = (struct folder *)base;
	int r = open_file(folder, err);
	ssize_t got;

	if (r < 0)
		return r;
	do
		got = read(folder->fd, folder->block, sizeof(folder->block));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return diag_error_errno(err, errno, "cannot be read");
	*ret_bytes = folder->block;
	*ret_length = (size_t)got;
	return got > 0;
}

static bool seek_tail(struct diag_archive *base, size_t most)
{
	struct folder *folder = (struct folder *)base;
	off_t size;

	if (open_file(folder, NULL) < 0)
		return false; /* block() says why */
	size = lseek(folder->fd, 0, SEEK_END);
	if (size > 0 && (size_t)size > most)
		return lseek(folder->fd, size - (off_t)most, SEEK_SET) > 0;
	lseek(folder->fd, 0, SEEK_SET);
	return false;
}

static void close_folder(struct diag_archive *base)
{
	struct folder *folder = (struct folder *)base;

	close_file(folder);
	while (folder->depth)
		leave(folder);
	diag_buf_done(&folder->path);
}

static const struct diag_archive_backend folder_backend = {
	.noun = "folder",
	.next = next,
	.block = block,
	.seek_tail = seek_tail,
	.close = close_folder,
};

struct diag_archive *diag_archive_new_folder(int fd, const char *path,
					     const struct diag_archive_options *options)
{
	struct folder *folder = diag_xcalloc(1, sizeof(*folder));

	diag_archive_init(&folder->base, &folder_backend, path, options);
	/* 32 folders with names of up to 255 bytes fit. */
	diag_buf_init(&folder->path, (size_t)MAX_LEVELS * (NAME_MAX + 1));
	folder->fd = -1;
	enter(folder, fd);
	return &folder->base;
}
