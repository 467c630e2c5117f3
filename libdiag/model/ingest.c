/*
 * The sink of a snapshot. Every page passes here: parse, take the items apart, prune what nobody
 * reads, redact, then keep. An object that cannot be used is named as a problem and left out.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "model/snapshot_internal.h"
#include "text/json.h"
#include "text/redact.h"
#include "text/yaml.h"

static struct diag_snapshot *snapshot_of(struct diag_sink *sink)
{
	return (struct diag_snapshot *)sink; /* its first member */
}

static void problem(struct diag_sink *sink, const char *file, int line, const char *message)
{
	struct diag_snapshot *snapshot = snapshot_of(sink);

	snapshot->problems = diag_xgrow(snapshot->problems, snapshot->problem_count,
					&snapshot->problem_capacity, sizeof(*snapshot->problems));
	snapshot->problems[snapshot->problem_count++] = (struct diag_problem){
		.file = diag_arena_strdup(snapshot->arena, file ? file : ""),
		.line = line,
		.message = diag_arena_strdup(snapshot->arena, message),
	};
}

static void see_namespace(struct diag_snapshot *snapshot, const char *name)
{
	if (!diag_str_empty(name) && !diag_map_get(snapshot->namespaces_seen, name))
		diag_map_set(snapshot->namespaces_seen, name, snapshot);
}

static void set_state(struct diag_sink *sink, const char *resource, const char *namespace_,
		      enum diag_availability availability, const char *reason)
{
	struct diag_snapshot *snapshot = snapshot_of(sink);
	struct bucket *bucket = diag_snapshot_bucket(snapshot, resource);
	struct state *state = diag_arena_alloc(snapshot->arena, sizeof(*state));

	*state = (struct state){ availability, diag_arena_strdup(snapshot->arena, reason) };
	diag_map_set(bucket->states, namespace_ ? namespace_ : "", state);
	see_namespace(snapshot, namespace_);
}

/* Of managedFields only who wrote, how and when is of use (design section 3). */
static void prune_managed_fields(json_t *metadata)
{
	json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(metadata, "managedFields"), i, entry) {
		json_object_del(entry, "fieldsV1");
		json_object_del(entry, "fieldsType");
		json_object_del(entry, "apiVersion");
	}
}

/* The last-applied annotation repeats the object, secrets included; nothing of ours reads it. */
static void prune(json_t *object)
{
	json_t *metadata = json_object_get(object, "metadata");

	prune_managed_fields(metadata);
	json_object_del(json_object_get(metadata, "annotations"),
			"kubectl.kubernetes.io/last-applied-configuration");
}

static void note_time(struct diag_snapshot *snapshot, const char *text)
{
	int64_t time = diag_time_parse(text);

	if (time != DIAG_TIME_NONE && time > snapshot->newest_ms)
		snapshot->newest_ms = time;
}

/* The times that controllers and kubelets keep fresh; enough to tell when the cluster was looked
 * at. */
static void note_times(struct diag_snapshot *snapshot, const json_t *object)
{
	const json_t *entry;
	size_t i;

	note_time(snapshot, diag_json_str(object, "metadata", "creationTimestamp"));
	note_time(snapshot, diag_json_str(object, "lastTimestamp"));
	note_time(snapshot, diag_json_str(object, "eventTime"));
	note_time(snapshot, diag_json_str(object, "series", "lastObservedTime"));
	note_time(snapshot, diag_json_str(object, "spec", "renewTime"));
	json_array_foreach(diag_json_array(object, "metadata", "managedFields"), i, entry)
		note_time(snapshot, diag_json_str(entry, "time"));
	json_array_foreach(diag_json_array(object, "status", "conditions"), i, entry) {
		note_time(snapshot, diag_json_str(entry, "lastTransitionTime"));
		note_time(snapshot, diag_json_str(entry, "lastHeartbeatTime"));
	}
}

static void reject(struct diag_sink *sink, const struct diag_page *page, const json_t *item,
		   const char *what)
{
	struct diag_snapshot *snapshot = snapshot_of(sink);
	struct diag_position where = diag_positions_self(snapshot->positions, item);
	const char *kind = diag_json_str(item, "kind");
	const char *name = diag_json_str(item, "metadata", "name");
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	diag_buf_printf(&text, "%s%s%s: %s", kind ? kind : "an object", name ? " " : "",
			name ? name : "", what);
	problem(sink, page->file, where.line, diag_buf_str(&text));
}

/* Which resource an item belongs to: the page says so, else its own kind. NULL: none we know. */
static const char *resource_of(const struct diag_page *page, const json_t *item)
{
	const char *kind = diag_json_str(item, "kind");
	const char *api_version = diag_json_str(item, "apiVersion");
	const struct diag_resource *known = kind ? diag_resource_by_kind(kind, api_version) : NULL;

	if (page->resource)
		return page->resource;
	return known ? known->name : NULL;
}

static void complete(json_t *item, const struct diag_page *page, const char *resource)
{
	const struct diag_resource *known = diag_resource_by_name(resource);
	json_t *metadata = json_object_get(item, "metadata");
	const char *namespace_ = diag_json_str(metadata, "namespace");

	if (!known)
		return;
	if (!diag_json_str(item, "kind"))
		json_object_set_new(item, "kind", json_string(known->kind));
	if (!diag_json_str(item, "apiVersion"))
		json_object_set_new(item, "apiVersion", json_string(known->api_version));
	if (!known->namespaced)
		json_object_del(metadata, "namespace");
	else if (diag_str_empty(namespace_) && (page->namespace_ || page->default_namespace))
		json_object_set_new(
			metadata, "namespace",
			json_string(page->namespace_ ? page->namespace_ : page->default_namespace));
}

/* Keep an object; one of the same name that came earlier is replaced. */
static void keep(struct diag_snapshot *snapshot, const char *resource, json_t *item)
{
	struct bucket *bucket = diag_snapshot_bucket(snapshot, resource);
	const char *namespace_ = diag_json_str(item, "metadata", "namespace");
	const char *name = diag_json_str(item, "metadata", "name");
	struct diag_buf key diag_buf_auto = { 0 };
	const json_t *old;

	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	diag_buf_printf(&key, "%s/%s", namespace_ ? namespace_ : "", name);
	old = diag_map_get(bucket->index, diag_buf_str(&key));
	if (old && snapshot->overlaying)
		diag_snapshot_inherit(item, old);
	for (size_t i = 0; old && i < json_array_size(bucket->objects); i++) {
		if (json_array_get(bucket->objects, i) == old) {
			json_array_remove(bucket->objects, i);
			break;
		}
	}
	json_array_append(bucket->objects, item);
	diag_map_set(bucket->index, diag_buf_str(&key), item);
	see_namespace(snapshot, namespace_);
	if (strcmp(resource, "namespaces") == 0)
		see_namespace(snapshot, name);
}

/* A variable may stand behind the command that repeats its value: what the object taught masks it
 * whole. */
static void redact(struct diag_snapshot *snapshot, json_t *item)
{
	size_t learnt = diag_redact_learnt(snapshot->redact);

	diag_redact_object(snapshot->redact, item);
	if (diag_redact_learnt(snapshot->redact) > learnt)
		diag_redact_object(snapshot->redact, item);
}

/* Drop all members but these; the values that stay keep their positions. */
static void keep_only(json_t *object, const char *const *names)
{
	const char *key;
	json_t *value;
	void *next;

	json_object_foreach_safe(object, next, key, value)
	{
		bool named = false;

		for (const char *const *name = names; *name; name++)
			named |= strcmp(key, *name) == 0;
		if (!named)
			json_object_del(object, key);
	}
}

/* What a file holds of a kind that nobody knows may be of an old release, or misspelt: its name is
 * kept for a check that tells so. */
static void keep_unknown(struct diag_sink *sink, const struct diag_page *page, json_t *item)
{
	static const char *const parts[] = { "apiVersion", "kind", "metadata", NULL };
	static const char *const names[] = { "name", "namespace", NULL };
	struct diag_snapshot *snapshot = snapshot_of(sink);
	json_t *metadata = json_object_get(item, "metadata");

	if (!page->positions || !json_is_object(metadata) ||
	    !diag_sink_wants(sink, DIAG_UNKNOWN_KINDS))
		return;
	keep_only(item, parts);
	keep_only(metadata, names);
	if (!diag_json_str(metadata, "namespace") && page->default_namespace)
		json_object_set_new(metadata, "namespace", json_string(page->default_namespace));
	json_array_append(diag_snapshot_bucket(snapshot, DIAG_UNKNOWN_KINDS)->objects, item);
}

static void ingest_item(struct diag_sink *sink, const struct diag_page *page, json_t *item)
{
	struct diag_snapshot *snapshot = snapshot_of(sink);
	const char *resource;

	if (!json_is_object(item)) {
		reject(sink, page, item, "is no object");
		return;
	}
	resource = resource_of(page, item);
	if (!resource) {
		if (diag_json_str(item, "kind") && diag_json_str(item, "apiVersion")) {
			snapshot->objects_seen++;
			keep_unknown(sink, page, item);
		} else if (!page->optional) {
			reject(sink, page, item, "has no kind and apiVersion of Kubernetes");
		}
		return;
	}
	if (!json_is_object(json_object_get(item, "metadata")) ||
	    diag_str_empty(diag_json_str(item, "metadata", "name"))) {
		if (diag_json_str(item, "metadata", "generateName"))
			return;
		reject(sink, page, item, "has no metadata.name");
		return;
	}
	snapshot->objects_seen++;
	if (!diag_sink_wants(sink, resource))
		return;
	prune(item);
	complete(item, page, resource);
	note_times(snapshot, item);
	redact(snapshot, item);
	keep(snapshot, resource, item);
}

static bool is_list(const json_t *document)
{
	const json_t *items = json_object_get(document, "items");

	return json_is_object(document) && items && !diag_json_get(document, "metadata", "name") &&
	       (json_is_array(items) || json_is_null(items));
}

/* Returns the number of items. */
static size_t ingest_items(struct diag_sink *sink, const struct diag_page *page, json_t *items)
{
	json_t *item;
	size_t i;

	json_array_foreach(items, i, item) {
		if (is_list(item))
			ingest_items(sink, page, json_object_get(item, "items"));
		else
			ingest_item(sink, page, item);
	}
	return json_array_size(items);
}

static size_t ingest_document(struct diag_sink *sink, const struct diag_page *page,
			      json_t *document)
{
	if (is_list(document))
		return ingest_items(sink, page, json_object_get(document, "items"));
	if (json_is_array(document))
		return ingest_items(sink, page, document);
	if (json_is_null(document))
		return 0;
	ingest_item(sink, page, document);
	return 1;
}

static int load(struct diag_snapshot *snapshot, const struct diag_page *page,
		json_t **ret_documents, struct diag_error *err)
{
	struct diag_positions *positions = page->positions ? snapshot->positions : NULL;

	if (page->format == DIAG_PAGE_YAML)
		return diag_yaml_load(page->bytes, page->length, positions, page->file,
				      page->first_line, ret_documents, err);
	return diag_json_load(page->bytes, page->length, positions, page->file, page->first_line,
			      ret_documents, err);
}

static bool is_truncated(const json_t *documents)
{
	return !diag_str_empty(diag_json_str(json_array_get(documents, 0), "metadata", "continue"));
}

static int page(struct diag_sink *sink, const struct diag_page *page, struct diag_error *err)
{
	struct diag_snapshot *snapshot = snapshot_of(sink);
	json_t *documents = NULL, *document;
	size_t count = 0, i;
	int r = load(snapshot, page, &documents, err);

	if (r < 0)
		return r;
	json_array_foreach(documents, i, document)
		count += ingest_document(sink, page, document);
	if (page->resource)
		set_state(sink, page->resource, page->namespace_,
			  is_truncated(documents) ? DIAG_TRUNCATED
			  : count                 ? DIAG_AVAILABLE
						  : DIAG_EMPTY,
			  is_truncated(documents) ? "the list goes on after this page" : NULL);
	json_decref(documents);
	return DIAG_OK;
}

static void log_text(struct diag_sink *sink, const struct diag_log *log)
{
	struct diag_snapshot *snapshot = snapshot_of(sink);
	const char *bytes = diag_str_tail_lines(log->bytes, log->length, DIAG_MAX_LOG_BYTES);
	size_t length = log->length - (size_t)(bytes - log->bytes);
	struct diag_buf key diag_buf_auto = { 0 };
	struct diag_buf masked diag_buf_auto = { 0 };

	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	diag_buf_init(&masked, 8 * DIAG_MAX_LOG_BYTES);
	diag_buf_printf(&key, "%s/%s/%s/%d", log->namespace_, log->pod, log->container,
			log->previous);
	if (diag_redact_text(snapshot->redact, bytes, length, &masked)) {
		bytes = diag_buf_str(&masked);
		length = masked.length;
	}
	diag_map_set(snapshot->logs, diag_buf_str(&key),
		     diag_arena_strndup(snapshot->arena, bytes, length));
	see_namespace(snapshot, log->namespace_);
}

static void fact(struct diag_sink *sink, const char *name, const char *value)
{
	struct diag_snapshot *snapshot = snapshot_of(sink);

	/* What lies over a picture does not change whose picture it is. */
	if (snapshot->overlaying && strcmp(name, "origin") != 0)
		return;
	if (snapshot->overlaying)
		name = "overlay";
	diag_map_set(snapshot->facts, name, diag_arena_strdup(snapshot->arena, value));
}

static bool wants(const struct diag_sink *sink, const char *resource)
{
	const struct diag_snapshot *snapshot = (const struct diag_snapshot *)sink;
	const char *const *want = snapshot->options.wants;

	for (; want && *want; want++)
		if (strcmp(*want, resource) == 0)
			return true;
	return want == NULL;
}

const struct diag_sink_ops diag_snapshot_sink_ops = {
	.page = page,
	.log = log_text,
	.state = set_state,
	.problem = problem,
	.fact = fact,
	.wants = wants,
};
