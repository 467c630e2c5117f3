#include "source/bundle_states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "text/json.h"

static const char custom[] = "custom-resources/";

/* One refused or failed list. */
struct failure {
	char *folder;
	char *namespace_; /* NULL: all */
	char *text;
};

struct diag_bundle_states {
	struct diag_map *seen; /* resource name -> itself */
	bool custom_seen;      /* any custom resource was collected */
	json_t *crds;          /* documents, or NULL */
	struct failure *failures;
	size_t count, capacity;
};

struct diag_bundle_states *diag_bundle_states_new(void)
{
	struct diag_bundle_states *states = diag_xcalloc(1, sizeof(*states));

	states->seen = diag_map_new();
	return states;
}

void diag_bundle_states_free(struct diag_bundle_states *states)
{
	if (!states)
		return;
	for (size_t i = 0; i < states->count; i++) {
		free(states->failures[i].folder);
		free(states->failures[i].namespace_);
		free(states->failures[i].text);
	}
	free(states->failures);
	json_decref(states->crds);
	diag_map_free(states->seen);
	free(states);
}

void diag_bundle_states_saw(struct diag_bundle_states *states, const struct diag_resource *resource,
			    const char *namespace_ DIAG_UNUSED)
{
	diag_map_set(states->seen, resource->name, states);
	states->custom_seen |= resource->folder == NULL;
}

void diag_bundle_states_crds(struct diag_bundle_states *states, const char *bytes, size_t length)
{
	json_t *documents = NULL;

	if (diag_json_load(bytes, length, NULL, "", 1, &documents, NULL) < 0)
		return;
	json_decref(states->crds);
	states->crds = documents;
}

static void add_failure(struct diag_bundle_states *states, const char *folder,
			const char *namespace_, const char *text)
{
	states->failures = diag_xgrow(states->failures, states->count, &states->capacity,
				      sizeof(*states->failures));
	states->failures[states->count++] = (struct failure){
		.folder = diag_xstrdup(folder),
		.namespace_ = diag_xstrdup(namespace_),
		.text = diag_xstrdup(text ? text : "unknown error"),
	};
}

/* "custom-resources-errors.json" names definitions, each other file namespaces. */
static void add_keyed(struct diag_bundle_states *states, const char *folder, json_t *document)
{
	const char *key;
	json_t *value;

	json_object_foreach(document, key, value) {
		const char *text = json_is_array(value)
					   ? json_string_value(json_array_get(value, 0))
					   : json_string_value(value);

		if (strcmp(folder, "custom-resources") == 0) {
			size_t size = sizeof(custom) + strlen(key);
			diag_autofree char *path = diag_xcalloc(size, 1);

			snprintf(path, size, "%s%s", custom, key);
			add_failure(states, path, NULL, text);
		} else {
			add_failure(states, folder, key, text);
		}
	}
}

void diag_bundle_states_errors(struct diag_bundle_states *states, const char *folder,
			       const char *bytes, size_t length)
{
	json_t *documents = NULL, *document;

	if (diag_json_load(bytes, length, NULL, "", 1, &documents, NULL) < 0) {
		add_failure(states, folder, NULL, "the error file cannot be read");
		return;
	}
	document = json_array_get(documents, 0);
	if (json_is_object(document))
		add_keyed(states, folder, document);
	else if (json_array_size(document))
		add_failure(states, folder, NULL, json_string_value(json_array_get(document, 0)));
	json_decref(documents);
}

static void push_failures(const struct diag_bundle_states *states, struct diag_sink *sink)
{
	for (size_t i = 0; i < states->count; i++) {
		const struct failure *failure = &states->failures[i];
		const struct diag_resource *resource = diag_resource_by_folder(failure->folder);
		bool forbidden = strcasestr(failure->text, "forbidden") ||
				 strcasestr(failure->text, "cannot list");

		if (resource)
			diag_sink_state(sink, resource->name, failure->namespace_,
					forbidden ? DIAG_FORBIDDEN : DIAG_FAILED, failure->text);
	}
}

static bool has_failure(const struct diag_bundle_states *states, const char *name)
{
	for (size_t i = 0; i < states->count; i++)
		if (diag_str_ends(states->failures[i].folder, name))
			return true;
	return false;
}

static bool has_crd(const struct diag_bundle_states *states, const char *name)
{
	const json_t *document = json_array_get(states->crds, 0);
	const json_t *items =
		json_is_array(document) ? document : json_object_get(document, "items");
	const json_t *item;
	size_t i;

	json_array_foreach(items, i, item) {
		if (diag_str_eq(diag_json_str(item, "metadata", "name"), name))
			return true;
	}
	return false;
}

void diag_bundle_states_push(struct diag_bundle_states *states, struct diag_sink *sink)
{
	size_t count;
	const struct diag_resource *all = diag_resources(&count);

	push_failures(states, sink);
	for (size_t i = 0; i < count && states->crds; i++) {
		if (all[i].folder || has_failure(states, all[i].name))
			continue;
		if (!has_crd(states, all[i].name))
			diag_sink_state(sink, all[i].name, NULL, DIAG_EMPTY,
					"no such definition in the cluster");
		else if (states->custom_seen)
			diag_sink_state(sink, all[i].name, NULL, DIAG_EMPTY, NULL);
	}
}
