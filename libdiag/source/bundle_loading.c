/* What is remembered of a bundle while it is read: which one, its lists, links and facts. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "source/bundle_internal.h"
#include "text/json.h"

/* A wanted name that is a link to another. */
struct alias {
	const char *name;
	const char *target;
	bool found;
};

void diag_bundle_loading_init(struct loading *loading, size_t held_bytes)
{
	loading->arena = diag_arena_new();
	loading->states = diag_bundle_states_new();
	loading->logs = diag_bundle_logs_new(held_bytes);
	loading->alias_targets = diag_map_new();
	loading->server_versions = diag_map_new();
	loading->times = diag_map_new();
	loading->newest_ms = DIAG_TIME_NONE;
}

void diag_bundle_loading_done(struct loading *loading)
{
	diag_archive_close(loading->archive);
	diag_bundle_states_free(loading->states);
	diag_bundle_logs_free(loading->logs);
	diag_map_free(loading->alias_targets);
	diag_map_free(loading->server_versions);
	diag_map_free(loading->times);
	diag_arena_free(loading->arena);
}

static bool decides_top(enum diag_bundle_kind kind)
{
	return kind == DIAG_BUNDLE_OBJECTS || kind == DIAG_BUNDLE_ERRORS ||
	       kind == DIAG_BUNDLE_LOG || kind == DIAG_BUNDLE_LOG_ERRORS ||
	       kind == DIAG_BUNDLE_ACCESS;
}

static bool is_below(const char *top, const char *other)
{
	size_t length = strlen(top);

	return !length || (strncmp(top, other, length) == 0 && other[length] == '/');
}

static void second_bundle(struct loading *loading, const char *other)
{
	struct diag_buf text diag_buf_auto = { 0 };

	loading->second = true;
	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	diag_buf_printf(
		&text,
		"is one more bundle; '%s' is read and nothing else: give one bundle at a time",
		loading->top);
	diag_sink_problem(loading->sink, *other ? other : ".", 0, diag_buf_str(&text));
}

bool diag_bundle_is_ours(struct loading *loading, const struct diag_bundle_path *path)
{
	bool decides = decides_top(path->kind);

	if (path->kind == DIAG_BUNDLE_OTHER)
		return false;
	if (!loading->top && decides)
		loading->top = diag_arena_strdup(loading->arena, path->top);
	if (!loading->top || strcmp(loading->top, path->top) == 0)
		return true;
	/* A copy of such files inside the bundle is just content. */
	if (decides && !loading->second && !is_below(loading->top, path->top))
		second_bundle(loading, path->top);
	return false;
}

void diag_bundle_note_file(struct loading *loading, const struct diag_bundle_path *path,
			   const struct diag_archive_entry *entry)
{
	const struct diag_resource *resource;

	if (entry->mtime_ms > loading->newest_ms)
		loading->newest_ms = entry->mtime_ms;
	if (!diag_bundle_is_ours(loading, path) || path->kind != DIAG_BUNDLE_OBJECTS)
		return;
	if (diag_str_starts(path->folder, "custom-resources/"))
		diag_bundle_states_saw_custom(loading->states);
	resource = diag_resource_by_folder(path->folder);
	if (!resource)
		return;
	diag_bundle_states_saw(loading->states, resource, path->namespace_);
	if (path->yaml && diag_sink_wants(loading->sink, resource->name))
		diag_bundle_states_saw_twin(loading->states, resource, path->namespace_);
}

/* An empty list as the collector writes it when it could list nothing. */
static bool is_bare(const char *text, size_t length)
{
	return (length == 2 && memcmp(text, "[]", 2) == 0) ||
	       (length == 4 && memcmp(text, "null", 4) == 0);
}

void diag_bundle_page_lost(struct loading *loading, const struct diag_bundle_path *path,
			   const char *file, const struct diag_error *why)
{
	const struct diag_resource *resource = diag_resource_by_folder(path->folder);

	/* The break is told at once: no twin mends it. */
	if (diag_archive_is_broken(loading->archive)) {
		diag_sink_problem(loading->sink, file, why->line, why->message);
		file = NULL;
	}
	diag_bundle_states_failed(loading->states, resource, path->namespace_, file, why);
}

void diag_bundle_push_page(struct loading *loading, const struct diag_bundle_path *path,
			   const char *file, const char *bytes, size_t length)
{
	const struct diag_resource *resource = diag_resource_by_folder(path->folder);
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_page page = {
		.resource = resource->name,
		.namespace_ = path->namespace_,
		.file = file,
		.bytes = bytes,
		.length = length,
		.format = path->yaml ? DIAG_PAGE_YAML : DIAG_PAGE_JSON,
	};
	size_t trimmed_length;
	const char *trimmed = diag_str_trim(bytes, &trimmed_length);

	if (diag_str_eq(resource->kind, "CustomResourceDefinition") && !path->yaml)
		diag_bundle_states_crds(loading->states, bytes, length);
	if (!diag_sink_wants(loading->sink, resource->name))
		return;
	/* The collector leaves an empty file where it could list nothing. */
	if (!trimmed_length && trimmed == bytes + length)
		diag_error_set(&err, DIAG_E_PARSE, "is empty: no list");
	else
		diag_sink_page(loading->sink, &page, &err);
	if (err.code)
		diag_bundle_page_lost(loading, path, file, &err);
	else
		diag_bundle_states_read(loading->states, resource, path->namespace_,
					is_bare(trimmed, trimmed_length));
}

static bool is_same_list(const struct diag_bundle_path *path, const char *target)
{
	struct diag_bundle_path other diag_bundle_path_auto = { 0 };

	diag_bundle_classify(target, &other);
	return other.kind == DIAG_BUNDLE_OBJECTS && diag_str_eq(other.top, path->top) &&
	       diag_str_eq(other.folder, path->folder) &&
	       diag_str_eq(other.namespace_, path->namespace_);
}

void diag_bundle_note_alias(struct loading *loading, const struct diag_bundle_path *path,
			    const struct diag_archive_entry *entry)
{
	struct alias *alias;

	/* "x.yaml -> x.json": read by its other name. */
	if (path->kind == DIAG_BUNDLE_OBJECTS && is_same_list(path, entry->target))
		return;
	alias = diag_arena_alloc(loading->arena, sizeof(*alias));
	alias->name = diag_arena_strdup(loading->arena, entry->name);
	alias->target = diag_arena_strdup(loading->arena, entry->target);
	diag_map_set(loading->alias_targets, alias->target, alias);
}

bool diag_bundle_has_aliases(const struct loading *loading)
{
	return diag_map_count(loading->alias_targets) > 0;
}

const char *diag_bundle_alias_of(struct loading *loading, const char *name)
{
	struct alias *alias = diag_map_get(loading->alias_targets, name);

	if (!alias)
		return NULL;
	alias->found = true;
	return alias->name;
}

static void finish_alias(const char *target, void *value, void *arg)
{
	struct loading *loading = arg;
	const struct alias *alias = value;
	struct diag_bundle_path path diag_bundle_path_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;

	if (alias->found)
		return;
	diag_error_set(&err, DIAG_E_NOT_FOUND, "is a link to '%s', which is not in the bundle%s",
		       target, loading->broken ? " as far as it can be read" : "");
	diag_bundle_classify(alias->name, &path);
	/* A break is told once, where it is. */
	if (path.kind == DIAG_BUNDLE_OBJECTS)
		diag_bundle_states_failed(loading->states, diag_resource_by_folder(path.folder),
					  path.namespace_, loading->broken ? NULL : alias->name,
					  &err);
	else if (!loading->broken)
		diag_sink_problem(loading->sink, alias->name, 0, err.message);
}

void diag_bundle_aliases_finish(struct loading *loading)
{
	diag_map_each(loading->alias_targets, finish_alias, loading);
}

static void take_fact(struct loading *loading, struct diag_map *values, const char *top,
		      const char *value)
{
	if (value && !diag_map_get(values, top))
		diag_map_set(values, top, diag_arena_strdup(loading->arena, value));
}

void diag_bundle_note_fact(struct loading *loading, const struct diag_bundle_path *path,
			   const json_t *document)
{
	const char *version = diag_json_str(document, "string");
	const char *taken = diag_json_str(document, "taken");

	if (!version)
		version = diag_json_str(document, "info", "gitVersion");
	if (path->kind == DIAG_BUNDLE_SERVER_VERSION)
		take_fact(loading, loading->server_versions, path->top, version);
	else if (diag_time_parse(taken) != DIAG_TIME_NONE)
		take_fact(loading, loading->times, path->top, taken);
}

static void push_fact(const struct loading *loading, const char *name,
		      const struct diag_map *values)
{
	const char *value = diag_map_get(values, loading->top ? loading->top : "");

	if (value)
		diag_sink_fact(loading->sink, name, value);
}

void diag_bundle_push_facts(const struct loading *loading, const char *origin)
{
	diag_autofree char *real = realpath(origin, NULL);
	const char *slash = real ? strrchr(real, '/') : NULL;
	char text[21];

	if (!loading->top)
		diag_sink_problem(loading->sink, origin, 0,
				  "holds no cluster-resources folder: it is no support bundle, or "
				  "not the folder that one was unpacked to");
	diag_sink_fact(loading->sink, "source", "bundle");
	diag_sink_fact(loading->sink, "origin", origin);
	push_fact(loading, "server-version", loading->server_versions);
	push_fact(loading, "taken", loading->times);
	/* The bundle's own folder keeps its name when the archive does not, and the other way
	 * round. */
	if (diag_bundle_time(loading->top, text) || diag_bundle_time(slash, text))
		diag_sink_fact(loading->sink, "taken-hint", text);
	if (loading->newest_ms != DIAG_TIME_NONE)
		diag_sink_fact(loading->sink, "newest-file",
			       diag_time_format(loading->newest_ms, text, sizeof(text)));
}
