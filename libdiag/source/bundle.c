#include "source/bundle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "source/bundle_internal.h"
#include "text/json.h"

static const size_t default_held_bytes = 64 * DIAG_MIB;

struct bundle {
	struct diag_source source; /* first */
	struct diag_bundle_options options;
	char *path;
};

static void read_objects(struct loading *loading, const struct diag_bundle_path *path,
			 const char *file)
{
	const struct diag_resource *resource = diag_resource_by_folder(path->folder);
	struct diag_error err = DIAG_ERROR_INIT;
	const char *bytes;
	size_t length;

	if (diag_bundle_states_is_read(loading->states, resource, path->namespace_))
		return;
	if (diag_archive_content(loading->archive, &bytes, &length, &err) == 0)
		diag_bundle_push_page(loading, path, file, bytes, length);
	else
		diag_bundle_page_lost(loading, path, file, &err);
}

static void read_errors(struct loading *loading, const struct diag_bundle_path *path,
			const char *file)
{
	struct diag_error err = DIAG_ERROR_INIT;
	const char *bytes;
	size_t length;

	if (diag_archive_content(loading->archive, &bytes, &length, &err) == 0 &&
	    diag_bundle_states_errors(loading->states, path->folder, bytes, length) < 0)
		diag_error_set(&err, DIAG_E_PARSE,
			       "cannot be read; it would tell why lists are missing");
	if (err.code)
		diag_sink_problem(loading->sink, file, err.line, err.message);
}

static void read_log(struct loading *loading, const struct diag_bundle_path *path, const char *file)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_log log = {
		.namespace_ = path->namespace_,
		.pod = path->pod,
		.container = path->container ? path->container : "metrics",
		.previous = path->previous,
	};

	if (diag_bundle_logs_has(loading->logs, file))
		return;
	if (loading->pass != PASS_LOGS && diag_bundle_logs_is_full(loading->logs))
		return;
	if (diag_archive_tail(loading->archive, loading->log_bytes, &log.bytes, &log.length,
			      &log.truncated, &err) < 0) {
		if (loading->pass != PASS_LOGS)
			diag_sink_problem(loading->sink, file, 0, err.message);
	} else if (loading->pass == PASS_LOGS) {
		diag_sink_log(loading->sink, &log);
	} else {
		diag_bundle_logs_hold(loading->logs, file, &log);
	}
}

static void read_fact(struct loading *loading, const struct diag_bundle_path *path,
		      const char *file)
{
	struct diag_error err = DIAG_ERROR_INIT;
	const char *bytes;
	size_t length;
	json_auto_t *documents = NULL;

	if (diag_archive_content(loading->archive, &bytes, &length, &err) < 0 ||
	    diag_json_load(bytes, length, NULL, file, 1, &documents, &err) < 0)
		diag_sink_problem(loading->sink, file, err.line, err.message);
	else
		diag_bundle_note_fact(loading, path, json_array_get(documents, 0));
}

static bool wants_objects(const struct loading *loading, const struct diag_bundle_path *path)
{
	const struct diag_resource *resource = diag_resource_by_folder(path->folder);

	/* The list of definitions tells which custom resources were empty. */
	return resource && (diag_str_eq(resource->kind, "CustomResourceDefinition") ||
			    diag_sink_wants(loading->sink, resource->name));
}

static bool wants_logs(const struct loading *loading,
		       const struct diag_bundle_path *path DIAG_UNUSED)
{
	return diag_sink_wants(loading->sink, "logs");
}

/* What is done with each kind of entry; nothing where there is no reader. */
static const struct {
	void (*read)(struct loading *loading, const struct diag_bundle_path *path,
		     const char *file);
	bool (*wants)(const struct loading *loading, const struct diag_bundle_path *path);
} kinds[] = {
	[DIAG_BUNDLE_OTHER] = { 0 },
	[DIAG_BUNDLE_OBJECTS] = { read_objects, wants_objects },
	[DIAG_BUNDLE_ERRORS] = { read_errors },
	[DIAG_BUNDLE_LOG] = { read_log, wants_logs },
	[DIAG_BUNDLE_LOG_ERRORS] = { 0 },
	[DIAG_BUNDLE_METRICS] = { read_log, wants_logs },
	[DIAG_BUNDLE_ACCESS] = { 0 },
	[DIAG_BUNDLE_SERVER_VERSION] = { read_fact },
	[DIAG_BUNDLE_VERSION] = { 0 },
	[DIAG_BUNDLE_MANIFEST] = { read_fact },
};

static bool is_wanted(const struct loading *loading, const struct diag_bundle_path *path)
{
	return kinds[path->kind].read &&
	       (!kinds[path->kind].wants || kinds[path->kind].wants(loading, path));
}

/* What is read in which pass. */
static bool is_due(const struct loading *loading, const struct diag_bundle_path *path,
		   bool by_alias)
{
	bool log = path->kind == DIAG_BUNDLE_LOG || path->kind == DIAG_BUNDLE_METRICS;

	switch (loading->pass) {
	case PASS_OBJECTS:
		return !by_alias && !path->yaml;
	case PASS_TWINS:
		return by_alias || path->yaml;
	case PASS_LOGS:
		return log;
	}
	DIAG_UNREACHABLE();
}

static void file_entry(struct loading *loading, const struct diag_archive_entry *entry)
{
	struct diag_bundle_path path diag_bundle_path_auto = { 0 };
	const char *alias;

	diag_bundle_classify(entry->name, &path);
	if (loading->pass == PASS_OBJECTS)
		diag_bundle_note_file(loading, &path, entry);
	if (diag_bundle_is_ours(loading, &path) && is_wanted(loading, &path) &&
	    is_due(loading, &path, false)) {
		kinds[path.kind].read(loading, &path, entry->name);
		return;
	}
	alias = loading->pass == PASS_OBJECTS ? NULL : diag_bundle_alias_of(loading, entry->name);
	if (!alias)
		return;
	diag_bundle_path_done(&path);
	diag_bundle_classify(alias, &path);
	if (is_due(loading, &path, true))
		kinds[path.kind].read(loading, &path, alias);
}

static void alias_entry(struct loading *loading, const struct diag_archive_entry *entry)
{
	struct diag_bundle_path path diag_bundle_path_auto = { 0 };

	diag_bundle_classify(entry->name, &path);
	if (diag_bundle_is_ours(loading, &path) && is_wanted(loading, &path))
		diag_bundle_note_alias(loading, &path, entry);
}

static void one_entry(struct loading *loading, const struct diag_archive_entry *entry)
{
	switch (entry->kind) {
	case DIAG_ARCHIVE_FILE:
		file_entry(loading, entry);
		break;
	case DIAG_ARCHIVE_ALIAS:
		if (loading->pass == PASS_OBJECTS)
			alias_entry(loading, entry);
		break;
	case DIAG_ARCHIVE_REFUSED:
	case DIAG_ARCHIVE_BROKEN:
		if (loading->pass == PASS_OBJECTS)
			diag_sink_problem(loading->sink, entry->name, 0, entry->problem);
		break;
	}
}

/* Go over the whole bundle once. */
static int go_over(struct loading *loading, const struct bundle *bundle, enum pass pass,
		   struct diag_error *err)
{
	struct diag_archive_entry entry;
	int r = diag_archive_open(bundle->path, &bundle->options.archive, &loading->archive, err);

	if (r < 0)
		return r;
	loading->pass = pass;
	while ((r = diag_archive_next(loading->archive, &entry, err)) > 0)
		one_entry(loading, &entry);
	if (diag_archive_is_broken(loading->archive)) {
		loading->broken = true;
		diag_bundle_states_broke(loading->states);
	}
	diag_archive_close(loading->archive);
	loading->archive = NULL;
	return r;
}

static int load_all(struct loading *loading, const struct bundle *bundle, struct diag_error *err)
{
	int r = go_over(loading, bundle, PASS_OBJECTS, err);

	if (r == 0 &&
	    (diag_bundle_has_aliases(loading) || diag_bundle_states_need_twins(loading->states)))
		r = go_over(loading, bundle, PASS_TWINS, err);
	if (r < 0)
		return r;
	diag_bundle_aliases_finish(loading);
	diag_bundle_states_push(loading->states, loading->sink);
	diag_bundle_logs_push(loading->logs, loading->sink);
	if (diag_bundle_logs_is_full(loading->logs))
		r = go_over(loading, bundle, PASS_LOGS, err);
	return r;
}

static int load(struct diag_source *source, struct diag_sink *sink, struct diag_error *err)
{
	const struct bundle *bundle = (const struct bundle *)source;
	const struct diag_bundle_options *options = &bundle->options;
	struct loading loading = { .sink = sink, .log_bytes = options->log_bytes };
	int r;

	diag_bundle_loading_init(&loading, options->held_bytes);
	r = load_all(&loading, bundle, err);
	if (r == 0)
		diag_bundle_push_facts(&loading, bundle->path);
	diag_bundle_loading_done(&loading);
	return r;
}

static void close_bundle(struct diag_source *source)
{
	struct bundle *bundle = (struct bundle *)source;

	free(bundle->path);
	free(bundle);
}

static const struct diag_source_ops ops = {
	.name = "bundle",
	.load = load,
	.close = close_bundle,
};

int diag_bundle_open_with(const char *path, const struct diag_bundle_options *options,
			  struct diag_source **ret_source, struct diag_error *err)
{
	struct bundle *bundle;
	struct stat st;

	if (stat(path, &st) < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			return diag_error_set(
				err, DIAG_E_NOT_FOUND,
				"the bundle '%s' does not exist; give the archive, or "
				"the folder it was unpacked to",
				path);
		return diag_error_errno(err, errno, "cannot read the bundle '%s'", path);
	}
	bundle = diag_xcalloc(1, sizeof(*bundle));
	if (options)
		bundle->options = *options;
	if (!bundle->options.log_bytes)
		bundle->options.log_bytes = DIAG_MAX_LOG_BYTES;
	if (!bundle->options.held_bytes)
		bundle->options.held_bytes = default_held_bytes;
	bundle->source.ops = &ops;
	bundle->source.cancel = bundle->options.archive.cancel;
	bundle->path = diag_xstrdup(path);
	*ret_source = &bundle->source;
	return DIAG_OK;
}

int diag_bundle_open(const char *path, const struct diag_cancel *cancel,
		     struct diag_source **ret_source, struct diag_error *err)
{
	const struct diag_bundle_options options = { .archive = { .cancel = cancel } };

	return diag_bundle_open_with(path, &options, ret_source, err);
}
