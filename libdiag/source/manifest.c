#include "source/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"

struct manifest {
	struct diag_source source;
	struct diag_manifest_options options;
};

struct reading {
	const struct manifest *manifest;
	struct diag_sink *sink;
	struct diag_map *folders; /* "device:inode" of folders being read, against loops */
	size_t files;
};

static void problem(const struct reading *reading, const char *file, const struct diag_error *err)
{
	diag_sink_problem(reading->sink, file, err->line, err->message);
}

/* Length of the document that starts at `text`: up to the next line that begins with "---". */
static size_t document_length(const char *text, size_t length)
{
	const char *at = text, *end = text + length;

	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		at++;
		if (end - at >= 3 && memcmp(at, "---", 3) == 0 &&
		    (end - at == 3 || strchr(" \t\r\n", at[3])))
			return (size_t)(at - text);
	}
	return length;
}

static int count_lines(const char *text, size_t length)
{
	int lines = 0;

	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	return lines;
}

static bool is_template(const char *text, size_t length)
{
	return memmem(text, length, "{{", 2) != NULL;
}

static void push(const struct reading *reading, struct diag_page *page, bool in_folder)
{
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_sink_page(reading->sink, page, &err) == 0)
		return;
	if (in_folder && is_template(page->bytes, page->length))
		diag_error_set(&err, DIAG_E_PARSE,
			       "looks like a Helm template; render it first: helm template CHART | "
			       "bindery-check -f -");
	problem(reading, page->file, &err);
}

static void push_yaml(const struct reading *reading, struct diag_page *page, bool in_folder)
{
	const char *text = page->bytes;
	size_t left = page->length;
	int line = 1;

	while (left) {
		size_t length = document_length(text, left);

		page->bytes = text;
		page->length = length;
		page->first_line = line;
		push(reading, page, in_folder);
		line += count_lines(text, length);
		text += length;
		left -= length;
	}
}

static bool is_blank(const struct diag_buf *text)
{
	size_t length;

	diag_str_trim(diag_buf_str(text), &length);
	return length == 0 && !memchr(diag_buf_str(text), '\0', text->length);
}

static bool looks_like_json(const struct diag_buf *text)
{
	size_t length;
	const char *start = diag_str_trim(diag_buf_str(text), &length);

	if (diag_str_starts(start, "\xef\xbb\xbf"))
		start += 3;
	return *start == '{' || *start == '[';
}

/* JSON by its first character, as kubectl decides; flow-style YAML that is no JSON is tried as
 * YAML. */
static void push_text(const struct reading *reading, const char *file, const struct diag_buf *text,
		      bool in_folder)
{
	const char *namespace_ = reading->manifest->options.default_namespace;
	struct diag_page page = {
		.default_namespace = namespace_ ? namespace_ : "default",
		.file = file,
		.bytes = diag_buf_str(text),
		.length = text->length,
		.positions = true,
		.optional = in_folder,
	};
	struct diag_error err = DIAG_ERROR_INIT;

	if (!looks_like_json(text)) {
		page.format = DIAG_PAGE_YAML;
		push_yaml(reading, &page, in_folder);
		return;
	}
	page.format = DIAG_PAGE_JSON;
	if (diag_sink_page(reading->sink, &page, &err) == 0)
		return;
	page.format = DIAG_PAGE_YAML;
	if (diag_sink_page(reading->sink, &page, NULL) < 0)
		problem(reading, file, &err);
}

static void read_text(struct reading *reading, const char *file, int fd, bool in_folder)
{
	struct diag_buf text diag_buf_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;
	int r;

	diag_buf_init(&text, DIAG_MAX_FILE_BYTES);
	r = fd >= 0 ? diag_file_read_fd(fd, file, &text, &err) : diag_file_read(file, &text, &err);
	if (r < 0) {
		problem(reading, file, &err);
		return;
	}
	reading->files++;
	if (!is_blank(&text))
		push_text(reading, file, &text, in_folder);
	else if (!in_folder)
		diag_sink_problem(reading->sink, file, 0,
				  "holds no Kubernetes object; it is empty");
}

static int read_folder(struct reading *reading, const char *path, struct diag_error *err);

static bool is_manifest_name(const char *name)
{
	return diag_str_ends(name, ".yaml") || diag_str_ends(name, ".yml") ||
	       diag_str_ends(name, ".json");
}

static int read_entry(struct reading *reading, const char *folder, const char *name,
		      struct diag_error *err)
{
	struct diag_buf path diag_buf_auto = { 0 };
	struct stat st;

	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	diag_buf_printf(&path, "%s%s%s", folder, diag_str_ends(folder, "/") ? "" : "/", name);
	if (stat(diag_buf_str(&path), &st) < 0) {
		diag_sink_problem(reading->sink, diag_buf_str(&path), 0,
				  "cannot be read: a broken link or no permission");
		return DIAG_OK;
	}
	if (S_ISDIR(st.st_mode))
		return read_folder(reading, diag_buf_str(&path), err);
	if (!S_ISREG(st.st_mode) || !is_manifest_name(name))
		return DIAG_OK;
	if (reading->files >= DIAG_MAX_FILES)
		return diag_error_set(err, DIAG_E_LIMIT, "'%s' holds more than %zu files", folder,
				      DIAG_MAX_FILES);
	read_text(reading, diag_buf_str(&path), -1, true);
	return DIAG_OK;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int compare_entries(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* The same folder again while it is being read: a link that leads upwards. */
static bool enter(struct reading *reading, const char *path, char *key, size_t size)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	snprintf(key, size, "%llu:%llu", (unsigned long long)st.st_dev,
		 (unsigned long long)st.st_ino);
	if (diag_map_get(reading->folders, key))
		return false;
	diag_map_set(reading->folders, key, reading);
	return true;
}

static int read_folder(struct reading *reading, const char *path, struct diag_error *err)
{
	struct dirent **entries;
	char key[64];
	int count, r = DIAG_OK;

	if (!enter(reading, path, key, sizeof(key)))
		return DIAG_OK;
	count = scandir(path, &entries, is_visible, compare_entries);
	if (count < 0) {
		diag_error_errno(err, errno, "cannot read");
		diag_sink_problem(reading->sink, path, 0, err ? err->message : "cannot be read");
		return DIAG_OK;
	}
	for (int i = 0; i < count; i++) {
		if (r == 0 && diag_cancelled(reading->manifest->options.cancel))
			r = diag_error_set(err, DIAG_E_CANCELLED, "interrupted");
		if (r == 0)
			r = read_entry(reading, path, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	return r;
}

static int load(struct diag_source *source, struct diag_sink *sink, struct diag_error *err)
{
	const struct manifest *manifest = (const struct manifest *)source;
	struct reading reading = { .manifest = manifest, .sink = sink };
	struct diag_buf origin diag_buf_auto = { 0 };
	int r = DIAG_OK;

	reading.folders = diag_map_new();
	diag_buf_init(&origin, DIAG_MAX_MESSAGE);
	diag_sink_fact(sink, "source", "manifest");
	for (const char *const *path = manifest->options.paths; r == 0 && *path; path++) {
		diag_buf_printf(&origin, "%s%s", origin.length ? ", " : "", *path);
		if (strcmp(*path, "-") == 0)
			read_text(&reading, "-", STDIN_FILENO, false);
		else if (diag_file_is_dir(*path))
			r = read_folder(&reading, *path, err);
		else
			read_text(&reading, *path, -1, false);
	}
	diag_sink_fact(sink, "origin", diag_buf_str(&origin));
	diag_map_free(reading.folders);
	return r;
}

static void close_manifest(struct diag_source *source)
{
	free(source);
}

static const struct diag_source_ops ops = {
	.name = "manifest",
	.load = load,
	.close = close_manifest,
};

static int path_missing(const char *path, struct diag_error *err)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	diag_autofree char *folder =
		slash ? diag_xstrndup(path, (size_t)(slash - path) + 1) : diag_xstrdup("./");
	struct dirent **entries = NULL;
	const char **names;
	const char *nearest;
	int count = scandir(folder, &entries, is_visible, compare_entries);

	names = diag_xcalloc((size_t)DIAG_MAX(count, 0), sizeof(*names));
	for (int i = 0; i < count; i++)
		names[i] = entries[i]->d_name;
	nearest = diag_str_nearest(base, names, (size_t)DIAG_MAX(count, 0));
	if (nearest)
		diag_error_set(err, DIAG_E_NOT_FOUND, "'%s' does not exist; did you mean '%s%s'?",
			       path, slash ? folder : "", nearest);
	else
		diag_error_set(err, DIAG_E_NOT_FOUND, "'%s' does not exist", path);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	free(names);
	return DIAG_E_NOT_FOUND;
}

int diag_manifest_open(const struct diag_manifest_options *options, struct diag_source **ret_source,
		       struct diag_error *err)
{
	struct manifest *manifest;

	for (const char *const *path = options->paths; *path; path++) {
		struct stat st;

		if (strcmp(*path, "-") != 0 && stat(*path, &st) < 0)
			return errno == ENOENT || errno == ENOTDIR
				       ? path_missing(*path, err)
				       : diag_error_errno(err, errno, "cannot read '%s'", *path);
	}
	manifest = diag_xcalloc(1, sizeof(*manifest));
	manifest->source.ops = &ops;
	manifest->source.cancel = options->cancel;
	manifest->options = *options;
	*ret_source = &manifest->source;
	return DIAG_OK;
}
