/* The end of loading: when was it taken, whose namespaces are asked about, in which order. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "model/snapshot_internal.h"
#include "text/json.h"

static int64_t fact_time(const struct diag_snapshot *snapshot, const char *name)
{
	return diag_time_parse(diag_snapshot_fact(snapshot, name));
}

/*
 * A folder name such as support-bundle-2026-01-02T15_04_05 is in the collector's local zone. Zones
 * are whole quarters of an hour away from UTC, so the file times, when they differ from the name by
 * about such a multiple, tell the true time.
 */
static bool same_but_for_zone(int64_t hint, int64_t files)
{
	int64_t quarter = 15 * DIAG_MINUTE_MS;
	int64_t difference = llabs(hint - files);
	int64_t rest = difference % quarter;

	return difference <= 15 * DIAG_HOUR_MS &&
	       DIAG_MIN(rest, quarter - rest) <= 2 * DIAG_MINUTE_MS;
}

/*
 * In this order: --at; what the source knows exactly; the name of the bundle's folder, with the
 * zone mended by the file times; the newest time any object speaks of (a running cluster writes a
 * lease every few seconds; file times say when the bundle was unpacked); the file times.
 */
static int64_t decide_time(const struct diag_snapshot *snapshot)
{
	int64_t taken = fact_time(snapshot, "taken");
	int64_t hint = fact_time(snapshot, "taken-hint");
	int64_t files = fact_time(snapshot, "newest-file");

	if (snapshot->options.at_ms != DIAG_TIME_NONE)
		return snapshot->options.at_ms;
	if (taken != DIAG_TIME_NONE)
		return taken;
	if (hint != DIAG_TIME_NONE && files != DIAG_TIME_NONE && same_but_for_zone(hint, files))
		return files;
	if (hint != DIAG_TIME_NONE && snapshot->newest_ms != DIAG_TIME_NONE &&
	    same_but_for_zone(hint, snapshot->newest_ms))
		return snapshot->newest_ms;
	if (snapshot->newest_ms != DIAG_TIME_NONE)
		return snapshot->newest_ms;
	return hint != DIAG_TIME_NONE ? hint : files;
}

static int compare_objects(const void *a, const void *b)
{
	const json_t *one = *(json_t *const *)a, *two = *(json_t *const *)b;
	const char *ns_one = diag_json_str(one, "metadata", "namespace");
	const char *ns_two = diag_json_str(two, "metadata", "namespace");
	int order = strcmp(ns_one ? ns_one : "", ns_two ? ns_two : "");

	if (order == 0)
		order = strcmp(diag_ref_of(one).name, diag_ref_of(two).name);
	return order;
}

/* Sort by namespace and name, so that the order of collection never shows in an answer. */
static void sort_objects(json_t *objects)
{
	size_t count = json_array_size(objects);
	json_t **items = diag_xcalloc(count, sizeof(*items));

	for (size_t i = 0; i < count; i++)
		items[i] = json_incref(json_array_get(objects, i));
	qsort(items, count, sizeof(*items), compare_objects);
	json_array_clear(objects);
	for (size_t i = 0; i < count; i++)
		json_array_append_new(objects, items[i]);
	free(items);
}

static bool is_subject(const struct diag_snapshot *snapshot, const char *namespace_)
{
	for (size_t i = 0; i < snapshot->subject_count; i++)
		if (diag_str_eq(snapshot->subjects[i], namespace_))
			return true;
	return false;
}

static void finish_bucket(const char *key DIAG_UNUSED, void *value, void *arg)
{
	const struct diag_snapshot *snapshot = arg;
	struct bucket *bucket = value;
	const struct diag_resource *known = diag_resource_by_name(bucket->resource);
	json_t *object;
	size_t i;

	sort_objects(bucket->objects);
	json_decref(bucket->subjects);
	bucket->subjects = json_array();
	json_array_foreach(bucket->objects, i, object) {
		const char *namespace_ = diag_json_str(object, "metadata", "namespace");

		if ((known && !known->namespaced) || is_subject(snapshot, namespace_))
			json_array_append(bucket->subjects, object);
	}
}

static void add_subject(struct diag_snapshot *snapshot, const char *name)
{
	if (is_subject(snapshot, name))
		return;
	snapshot->subjects = diag_xrealloc(snapshot->subjects, snapshot->subject_count + 1,
					   sizeof(*snapshot->subjects));
	snapshot->subjects[snapshot->subject_count++] = diag_arena_strdup(snapshot->arena, name);
}

/* Namespaces that hold an authored object (a world, a Booklet ...) are what a user can mean. */
static void add_authored(const char *key, void *value, void *arg)
{
	struct diag_snapshot *snapshot = arg;
	const struct bucket *bucket = value;
	const struct diag_resource *known = diag_resource_by_name(key);
	const json_t *object;
	size_t i;

	if (!known || !known->authored)
		return;
	json_array_foreach(bucket->objects, i, object) {
		const char *namespace_ = diag_json_str(object, "metadata", "namespace");

		if (namespace_)
			add_subject(snapshot, namespace_);
	}
}

static void add_seen(const char *key, void *value DIAG_UNUSED, void *arg)
{
	add_subject(arg, key);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct name_list {
	const char **names;
	size_t count;
};

static void list_name(const char *key, void *value DIAG_UNUSED, void *arg)
{
	struct name_list *list = arg;

	list->names[list->count++] = key;
}

static int unknown_namespace(const struct diag_snapshot *snapshot, const char *name,
			     struct diag_error *err)
{
	size_t seen = diag_map_count(snapshot->namespaces_seen);
	struct name_list list = { diag_xcalloc(seen, sizeof(*list.names)), 0 };
	const char *nearest;
	int r;

	diag_map_each(snapshot->namespaces_seen, list_name, &list);
	nearest = diag_str_nearest(name, list.names, list.count);
	if (nearest)
		r = diag_error_set(err, DIAG_E_NOT_FOUND,
				   "namespace '%s' is not in the input; did you mean '%s'?", name,
				   nearest);
	else if (seen)
		r = diag_error_set(err, DIAG_E_NOT_FOUND,
				   "namespace '%s' is not in the input; it holds '%s'%s", name,
				   list.names[0], seen > 1 ? " and others" : "");
	else
		r = diag_error_set(err, DIAG_E_NOT_FOUND, "namespace '%s' is not in the input",
				   name);
	free(list.names);
	return r;
}

static int decide_subjects(struct diag_snapshot *snapshot, struct diag_error *err)
{
	const char *const *asked = snapshot->options.namespaces;

	snapshot->subject_count = 0;
	for (; asked && *asked; asked++) {
		if (snapshot->objects_seen && !diag_map_get(snapshot->namespaces_seen, *asked))
			return unknown_namespace(snapshot, *asked, err);
		add_subject(snapshot, *asked);
	}
	if (snapshot->options.all_namespaces)
		diag_map_each(snapshot->namespaces_seen, add_seen, snapshot);
	else if (!snapshot->options.namespaces)
		diag_map_each(snapshot->buckets, add_authored, snapshot);
	if (snapshot->subject_count)
		qsort(snapshot->subjects, snapshot->subject_count, sizeof(*snapshot->subjects),
		      compare_names);
	return DIAG_OK;
}

int diag_snapshot_finish(struct diag_snapshot *snapshot, struct diag_error *err)
{
	int r = decide_subjects(snapshot, err);

	if (r < 0)
		return r;
	snapshot->time_ms = decide_time(snapshot);
	diag_map_each(snapshot->buckets, finish_bucket, snapshot);
	return DIAG_OK;
}
