#include "source/bundle.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "bundle/archive.h"
#include "bundle/layout.h"
#include "source/bundle_states.h"
#include "text/json.h"

struct bundle {
	struct diag_source source;
	char *path;
};

/* Content that has to wait: logs until the objects have taught us the secrets, .yaml twins until it
 * is clear that no .json was readable. */
struct held {
	char *name;
	char *bytes;
	size_t length;
};

struct loading {
	struct diag_sink *sink;
	struct diag_bundle_states *states;
	struct diag_map *read; /* "folder/namespace" of the pages that were read */
	struct held *held;
	size_t held_count, held_capacity;
	size_t held_bytes;
	int64_t newest_ms;
	bool hinted;
};

static bool wants_objects(const struct loading *loading, const struct diag_bundle_path *path)
{
	const struct diag_resource *resource = diag_resource_by_folder(path->folder);

	if (!resource)
		return false;
	/* The list of CRDs tells which custom resources were empty. */
	return diag_str_eq(resource->kind, "CustomResourceDefinition") ||
	       diag_sink_wants(loading->sink, resource->name);
}

static bool wants_path(const struct loading *loading, const struct diag_bundle_path *path)
{
	switch (path->kind) {
	case DIAG_BUNDLE_OBJECTS:
		return wants_objects(loading, path);
	case DIAG_BUNDLE_LOG:
	case DIAG_BUNDLE_METRICS:
		return diag_sink_wants(loading->sink, "logs");
	case DIAG_BUNDLE_ERRORS:
	case DIAG_BUNDLE_SERVER_VERSION:
	case DIAG_BUNDLE_MANIFEST:
		return true;
	case DIAG_BUNDLE_OTHER:
		return false;
	}
	DIAG_UNREACHABLE();
}

static bool wants(void *arg, const char *name, int64_t mtime_ms)
{
	struct loading *loading = arg;
	struct diag_bundle_path path;
	char taken[32];
	bool wanted;

	diag_bundle_classify(name, &path);
	if (mtime_ms > loading->newest_ms)
		loading->newest_ms = mtime_ms;
	if (!loading->hinted && diag_bundle_top_time(path.top, taken)) {
		diag_sink_fact(loading->sink, "taken-hint", taken);
		loading->hinted = true;
	}
	if (path.kind == DIAG_BUNDLE_OBJECTS && diag_resource_by_folder(path.folder))
		diag_bundle_states_saw(loading->states, diag_resource_by_folder(path.folder),
				       path.namespace_);
	wanted = wants_path(loading, &path);
	diag_bundle_path_done(&path);
	return wanted;
}

static void problem(void *arg, const char *name, const char *message)
{
	struct loading *loading = arg;

	diag_sink_problem(loading->sink, name, 0, message);
}

static char *page_key(const struct diag_bundle_path *path)
{
	const char *namespace_ = path->namespace_ ? path->namespace_ : "";
	size_t size = strlen(path->folder) + strlen(namespace_) + 2;
	char *key = diag_xcalloc(size, 1);

	snprintf(key, size, "%s/%s", path->folder, namespace_);
	return key;
}

static void push_objects(struct loading *loading, const struct diag_bundle_path *path,
			 const struct diag_archive_entry *entry)
{
	const struct diag_resource *resource = diag_resource_by_folder(path->folder);
	diag_autofree char *key = page_key(path);
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_page page = {
		.resource = resource->name,
		.namespace_ = path->namespace_,
		.file = entry->name,
		.bytes = entry->bytes,
		.length = entry->length,
		.format = path->yaml ? DIAG_PAGE_YAML : DIAG_PAGE_JSON,
	};

	if (path->yaml && diag_map_get(loading->read, key))
		return;
	if (diag_str_eq(resource->kind, "CustomResourceDefinition"))
		diag_bundle_states_crds(loading->states, entry->bytes, entry->length);
	if (!diag_sink_wants(loading->sink, resource->name))
		return;
	if (diag_sink_page(loading->sink, &page, &err) == 0) {
		diag_map_set(loading->read, key, loading);
		return;
	}
	diag_sink_problem(loading->sink, entry->name, err.line, err.message);
	diag_sink_state(loading->sink, resource->name, path->namespace_, DIAG_FAILED, err.message);
}

static void hold(struct loading *loading, const struct diag_archive_entry *entry, bool is_log)
{
	const char *bytes =
		is_log ? diag_str_tail_lines(entry->bytes, entry->length, DIAG_MAX_LOG_BYTES)
		       : entry->bytes;
	size_t length = entry->length - (size_t)(bytes - entry->bytes);

	if (loading->held_bytes + length > DIAG_MAX_ENTRY_BYTES) {
		diag_sink_problem(loading->sink, entry->name, 0,
				  "left out: the logs together are larger than may be read");
		return;
	}
	loading->held = diag_xgrow(loading->held, loading->held_count, &loading->held_capacity,
				   sizeof(*loading->held));
	loading->held[loading->held_count++] = (struct held){
		.name = diag_xstrdup(entry->name),
		.bytes = diag_xstrndup(bytes, length),
		.length = length,
	};
	loading->held_bytes += length;
}

static void server_version(const struct loading *loading, const struct diag_archive_entry *entry)
{
	json_t *documents = NULL;
	const char *version;

	if (diag_json_load(entry->bytes, entry->length, NULL, entry->name, 1, &documents, NULL) < 0)
		return;
	version = diag_json_str(json_array_get(documents, 0), "string");
	if (version)
		diag_sink_fact(loading->sink, "server-version", version);
	json_decref(documents);
}

static void own_manifest(const struct loading *loading, const struct diag_archive_entry *entry)
{
	json_t *documents = NULL;
	const char *taken;

	if (diag_json_load(entry->bytes, entry->length, NULL, entry->name, 1, &documents, NULL) < 0)
		return;
	taken = diag_json_str(json_array_get(documents, 0), "taken");
	if (taken)
		diag_sink_fact(loading->sink, "taken", taken);
	json_decref(documents);
}

static void entry(void *arg, const struct diag_archive_entry *entry)
{
	struct loading *loading = arg;
	struct diag_bundle_path path;

	diag_bundle_classify(entry->name, &path);
	switch (path.kind) {
	case DIAG_BUNDLE_OBJECTS:
		if (path.yaml)
			hold(loading, entry, false);
		else
			push_objects(loading, &path, entry);
		break;
	case DIAG_BUNDLE_LOG:
	case DIAG_BUNDLE_METRICS:
		hold(loading, entry, true);
		break;
	case DIAG_BUNDLE_ERRORS:
		diag_bundle_states_errors(loading->states, path.folder, entry->bytes,
					  entry->length);
		break;
	case DIAG_BUNDLE_SERVER_VERSION:
		server_version(loading, entry);
		break;
	case DIAG_BUNDLE_MANIFEST:
		own_manifest(loading, entry);
		break;
	case DIAG_BUNDLE_OTHER:
		break;
	}
	diag_bundle_path_done(&path);
}

static void push_held(struct loading *loading, const struct held *held)
{
	struct diag_bundle_path path;

	diag_bundle_classify(held->name, &path);
	if (path.kind == DIAG_BUNDLE_OBJECTS)
		push_objects(loading, &path,
			     &(struct diag_archive_entry){ .name = held->name,
							   .bytes = held->bytes,
							   .length = held->length });
	else
		diag_sink_log(loading->sink,
			      &(struct diag_log){
				      .namespace_ = path.namespace_,
				      .pod = path.pod,
				      .container = path.container ? path.container : "metrics",
				      .previous = path.previous,
				      .bytes = held->bytes,
				      .length = held->length,
			      });
	diag_bundle_path_done(&path);
}

static void finish(struct loading *loading, const char *origin)
{
	char stamp[32];

	/* Twins first: the objects must all be through before the logs. */
	for (size_t i = 0; i < loading->held_count; i++)
		if (diag_str_ends(loading->held[i].name, ".yaml"))
			push_held(loading, &loading->held[i]);
	for (size_t i = 0; i < loading->held_count; i++)
		if (!diag_str_ends(loading->held[i].name, ".yaml"))
			push_held(loading, &loading->held[i]);
	diag_bundle_states_push(loading->states, loading->sink);
	diag_sink_fact(loading->sink, "source", "bundle");
	diag_sink_fact(loading->sink, "origin", origin);
	if (loading->newest_ms != DIAG_TIME_NONE)
		diag_sink_fact(loading->sink, "newest-file",
			       diag_time_format(loading->newest_ms, stamp, sizeof(stamp)));
}

static int load(struct diag_source *source, struct diag_sink *sink, struct diag_error *err)
{
	const struct bundle *bundle = (const struct bundle *)source;
	struct loading loading = {
		.sink = sink,
		.states = diag_bundle_states_new(),
		.read = diag_map_new(),
		.newest_ms = DIAG_TIME_NONE,
	};
	const struct diag_archive_visitor visitor = {
		.wants = wants,
		.entry = entry,
		.problem = problem,
		.arg = &loading,
	};
	int r = diag_archive_read(bundle->path, NULL, &visitor, source->cancel, err);

	if (r == 0)
		finish(&loading, bundle->path);
	for (size_t i = 0; i < loading.held_count; i++) {
		free(loading.held[i].name);
		free(loading.held[i].bytes);
	}
	free(loading.held);
	diag_map_free(loading.read);
	diag_bundle_states_free(loading.states);
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

int diag_bundle_open(const char *path, const struct diag_cancel *cancel,
		     struct diag_source **ret_source, struct diag_error *err)
{
	struct bundle *bundle;
	struct stat st;

	if (stat(path, &st) < 0)
		return diag_error_errno(err, errno, "cannot read the bundle '%s'", path);
	bundle = diag_xcalloc(1, sizeof(*bundle));
	bundle->source.ops = &ops;
	bundle->source.cancel = cancel;
	bundle->path = diag_xstrdup(path);
	*ret_source = &bundle->source;
	return DIAG_OK;
}
