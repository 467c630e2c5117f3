/*
 * What every entry must pass, wherever it comes from: its name, its kind, what a link means, and
 * the limits. The backends only deliver.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "bundle/archive_internal.h"
#include "bundle/name.h"

enum {
	MAX_NAME = 4096, /* PATH_MAX of Linux; a pod's log has some 700 at most */
	SHOWN_NAME = 255 /* of a name that is refused for its length */
};

/* Above this the content's memory is given back before the next entry. */
static const size_t keep_memory = 4 * DIAG_MIB;

static size_t or_default(size_t value, size_t fallback)
{
	return value ? value : fallback;
}

static struct diag_archive_options with_defaults(const struct diag_archive_options *options)
{
	struct diag_archive_options o = { 0 };

	if (options)
		o = *options;
	o.entries = or_default(o.entries, DIAG_MAX_ARCHIVE_ENTRIES);
	o.entry_bytes = or_default(o.entry_bytes, DIAG_MAX_ENTRY_BYTES);
	o.total_bytes = or_default(o.total_bytes, DIAG_MAX_ARCHIVE_BYTES);
	o.expansion = or_default(o.expansion, DIAG_MAX_EXPANSION);
	o.expansion_floor = or_default(o.expansion_floor, DIAG_EXPANSION_FLOOR);
	o.name_bytes = or_default(o.name_bytes, MAX_NAME);
	return o;
}

void diag_archive_init(struct diag_archive *archive, const struct diag_archive_backend *backend,
		       const char *path, const struct diag_archive_options *options)
{
	archive->backend = backend;
	archive->options = with_defaults(options);
	archive->path = diag_xstrdup(path);
	archive->names = diag_map_new();
	archive->links = diag_map_new();
	diag_buf_init(&archive->content, archive->options.entry_bytes);
	diag_buf_init(&archive->message, DIAG_MAX_MESSAGE);
	diag_buf_init(&archive->first_refusal, DIAG_MAX_MESSAGE);
}

void diag_archive_close(struct diag_archive *archive)
{
	if (!archive)
		return;
	archive->backend->close(archive);
	diag_map_free(archive->names);
	diag_map_free(archive->links);
	diag_buf_done(&archive->content);
	diag_buf_done(&archive->message);
	diag_buf_done(&archive->first_refusal);
	free(archive->path);
	free(archive->name);
	free(archive->target);
	free(archive);
}

bool diag_archive_is_broken(const struct diag_archive *archive)
{
	return archive->broken;
}

int diag_archive_break(struct diag_archive *archive, int code, const char *why,
		       struct diag_error *err)
{
	archive->broken = true;
	return diag_error_set(
		err, code, "the %s can be read no further than this: %s; what follows is missing",
		archive->backend->noun, why);
}

static void set_name(struct diag_archive *archive, char *name)
{
	free(archive->name);
	archive->name = name;
}

static int refuse(struct diag_archive *archive, const char *name, const char *why,
		  struct diag_archive_entry *ret_entry)
{
	if (!archive->refused++)
		diag_buf_printf(&archive->first_refusal, "'%s': %s", name, why);
	*ret_entry = (struct diag_archive_entry){
		.kind = DIAG_ARCHIVE_REFUSED,
		.name = name,
		.problem = why,
		.mtime_ms = DIAG_TIME_NONE,
	};
	return 1;
}

int diag_archive_no_bundle(const struct diag_archive *archive, const char *why,
			   struct diag_error *err)
{
	return diag_error_set(err, DIAG_E_PARSE,
			      "'%s' is no support bundle, which is a tar archive (plain, gzip, "
			      "zstd, xz, bzip2, lz4) or a folder: %s",
			      archive->path, why);
}

static int broken(struct diag_archive *archive, const char *why,
		  struct diag_archive_entry *ret_entry, struct diag_error *err)
{
	archive->broken = true;
	if (!archive->entries)
		return diag_archive_no_bundle(archive, why, err);
	if (!archive->files)
		return diag_error_set(err, DIAG_E_PARSE,
				      "'%s' is broken before its first file: %s; ask for it again",
				      archive->path, why);
	diag_buf_clear(&archive->message);
	diag_buf_printf(&archive->message,
			"the %s can be read no further than '%s': %s; what follows is missing",
			archive->backend->noun, archive->name ? archive->name : "", why);
	*ret_entry = (struct diag_archive_entry){
		.kind = DIAG_ARCHIVE_BROKEN,
		.name = archive->path,
		.problem = diag_buf_str(&archive->message),
		.mtime_ms = DIAG_TIME_NONE,
	};
	return 1;
}

static int at_end(const struct diag_archive *archive, struct diag_error *err)
{
	if (archive->files)
		return 0;
	if (archive->refused)
		return diag_error_set(
			err, DIAG_E_PARSE,
			"'%s' holds nothing that may be read; the first of %zu refused "
			"entries is %s",
			archive->path, archive->refused, diag_buf_str(&archive->first_refusal));
	return diag_error_set(err, DIAG_E_PARSE,
			      "'%s' is an empty %s: no support bundle; ask for it again",
			      archive->path, archive->backend->noun);
}

/* A file behind a link would stand elsewhere once unpacked; tar refuses it for that. */
static bool is_behind_link(const struct diag_archive *archive)
{
	diag_autofree char *folder = diag_xstrdup(archive->name);
	char *slash;

	if (!diag_map_count(archive->links))
		return false;
	while ((slash = strrchr(folder, '/'))) {
		*slash = '\0';
		if (diag_map_get(archive->links, folder))
			return true;
	}
	return false;
}

/* Seconds within the years 0 to 9999, which is what can be written. */
static int64_t to_ms(const struct raw_entry *raw)
{
	const int64_t first = INT64_C(-62167219200), last = INT64_C(253402300799);

	if (!raw->has_mtime || raw->mtime_s < first || raw->mtime_s > last)
		return DIAG_TIME_NONE;
	return raw->mtime_s * DIAG_SECOND_MS;
}

static int take_file(struct diag_archive *archive, const struct raw_entry *raw,
		     struct diag_archive_entry *ret_entry)
{
	if (is_behind_link(archive))
		return refuse(archive, archive->name, "lies behind a link; refused", ret_entry);
	archive->files++;
	if (diag_map_get(archive->names, archive->name))
		return refuse(archive, archive->name,
			      "is there more than once; the first one is used", ret_entry);
	diag_map_set(archive->names, archive->name, archive);
	*ret_entry = (struct diag_archive_entry){
		.kind = DIAG_ARCHIVE_FILE,
		.name = archive->name,
		.mtime_ms = to_ms(raw),
	};
	return 1;
}

static int take_link(struct diag_archive *archive, const struct raw_entry *raw,
		     struct diag_archive_entry *ret_entry)
{
	const char *from = raw->type == RAW_SYMLINK ? archive->name : "";

	diag_map_set(archive->links, archive->name, archive);
	free(archive->target);
	archive->target = diag_bundle_link_target(from, raw->target);
	if (!archive->target)
		return refuse(archive, archive->name,
			      "is a link that leads out of the bundle; refused", ret_entry);
	*ret_entry = (struct diag_archive_entry){
		.kind = DIAG_ARCHIVE_ALIAS,
		.name = archive->name,
		.target = archive->target,
		.mtime_ms = DIAG_TIME_NONE,
	};
	return 1;
}

/* Returns 1 when `ret_entry` was filled, 0 for an entry that nobody needs to see. */
static int take(struct diag_archive *archive, const struct raw_entry *raw,
		struct diag_archive_entry *ret_entry)
{
	const char *reason = NULL;
	char *name;

	if (!raw->name)
		return refuse(archive, "an entry", "it has no name", ret_entry);
	if (strlen(raw->name) > archive->options.name_bytes) {
		set_name(archive, diag_xstrndup(raw->name, strnlen(raw->name, SHOWN_NAME)));
		return refuse(archive, archive->name, "its name is too long", ret_entry);
	}
	name = diag_bundle_name(raw->name, &reason);
	set_name(archive, name ? name : diag_xstrdup(raw->name));
	if (!name)
		return refuse(archive, archive->name, reason, ret_entry);
	if (!*name)
		return 0; /* the top itself */
	switch (raw->type) {
	case RAW_FILE:
		return take_file(archive, raw, ret_entry);
	case RAW_SYMLINK:
	case RAW_HARDLINK:
		return take_link(archive, raw, ret_entry);
	case RAW_REFUSED:
		return refuse(archive, archive->name, raw->why, ret_entry);
	case RAW_FOLDER:
	case RAW_BROKEN:
		return 0;
	}
	DIAG_UNREACHABLE();
}

int diag_archive_next(struct diag_archive *archive, struct diag_archive_entry *ret_entry,
		      struct diag_error *err)
{
	int r = 0;

	while (r == 0) {
		struct raw_entry raw = { 0 };
		bool more;

		if (archive->broken)
			return 0;
		more = archive->backend->next(archive, &raw);
		if (diag_cancelled(archive->options.cancel))
			return diag_error_set(err, DIAG_E_CANCELLED, "interrupted");
		if (!more)
			return at_end(archive, err);
		if (raw.type == RAW_BROKEN)
			return broken(archive, raw.why, ret_entry, err);
		if (archive->entries == archive->options.entries)
			return broken(archive, "it holds more entries than may be read", ret_entry,
				      err);
		archive->entries++;
		r = take(archive, &raw, ret_entry);
	}
	return r;
}

/* The next block of the current file, counted. */
static int next_block(struct diag_archive *archive, const void **ret_bytes, size_t *ret_length,
		      struct diag_error *err)
{
	int r;

	if (diag_cancelled(archive->options.cancel))
		return diag_error_set(err, DIAG_E_CANCELLED, "interrupted");
	r = archive->backend->block(archive, ret_bytes, ret_length, err);
	if (r <= 0)
		return r;
	archive->total += *ret_length;
	if (archive->total > archive->options.total_bytes)
		return diag_archive_break(archive, DIAG_E_LIMIT, "it is larger than may be read",
					  err);
	return 1;
}

/* An empty content buffer that may grow up to `ceiling`. */
static struct diag_buf *start_content(struct diag_archive *archive, size_t ceiling)
{
	struct diag_buf *content = &archive->content;

	if (content->capacity > keep_memory)
		diag_buf_done(content);
	diag_buf_clear(content);
	content->ceiling = ceiling;
	return content;
}

int diag_archive_content(struct diag_archive *archive, const char **ret_bytes, size_t *ret_length,
			 struct diag_error *err)
{
	struct diag_buf *content = start_content(archive, archive->options.entry_bytes);
	const void *bytes = NULL;
	size_t length = 0;
	int r;

	while ((r = next_block(archive, &bytes, &length, err)) > 0) {
		diag_buf_add(content, bytes, length);
		if (diag_buf_failed(content))
			return diag_error_set(err, DIAG_E_LIMIT,
					      "is larger than %zu bytes, the most that is read of "
					      "one file; left out",
					      archive->options.entry_bytes);
	}
	if (r < 0)
		return r;
	*ret_bytes = diag_buf_str(content);
	*ret_length = content->length;
	return DIAG_OK;
}

/* Append, keeping at least the last `most` bytes (or all there is) and at most twice that. */
static void add_tail(struct diag_buf *content, const char *bytes, size_t length, size_t most,
		     bool *ret_cut)
{
	if (length > most) {
		bytes += length - most;
		length = most;
		diag_buf_clear(content);
		*ret_cut = true;
	} else if (content->length + length > 2 * most) {
		memmove(content->data, content->data + content->length - most, most);
		content->length = most;
		*ret_cut = true;
	}
	diag_buf_add(content, bytes, length);
}

int diag_archive_tail(struct diag_archive *archive, size_t most, const char **ret_bytes,
		      size_t *ret_length, bool *ret_cut, struct diag_error *err)
{
	/* One byte more tells whether the first line is whole. */
	struct diag_buf *content = start_content(archive, 2 * (most + 1));
	bool cut = archive->backend->seek_tail && archive->backend->seek_tail(archive, most + 1);
	const char *tail;
	const void *bytes = NULL;
	size_t length = 0;
	int r;

	assert(most > 0);
	while ((r = next_block(archive, &bytes, &length, err)) > 0)
		add_tail(content, bytes, length, most + 1, &cut);
	if (r < 0)
		return r;
	/* Also when a file shrank while it was sought: what was cut begins amid a line. */
	if (cut && content->length)
		most = DIAG_MIN(most, content->length - 1);
	tail = diag_str_tail_lines(diag_buf_str(content), content->length, most);
	*ret_cut = cut || tail != diag_buf_str(content);
	*ret_length = content->length - (size_t)(tail - diag_buf_str(content));
	*ret_bytes = tail;
	return DIAG_OK;
}
