#include "source/bundle_states.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "bundle/layout.h"
#include "text/json.h"

/* Beyond this, what is not there is not told for each namespace; an error file could name millions.
 */
enum { MAX_NAMESPACES = 10000 };

/* Far more than the 63 of a namespace: what is longer is none. */
enum { MAX_NAME = 1000 };

/* A list: one resource in one namespace, or in none. */
struct list {
	const struct diag_resource *resource;
	const char *namespace_;
	bool seen, twin, read, bare;
	const char *refusal; /* text of an error file */
	const char *failure; /* why its own file could not be read */
	const char *file;    /* where, until it was told */
	int line;
};

struct diag_bundle_states {
	struct diag_arena *arena;
	struct diag_map *lists;      /* "resource/namespace" -> struct list */
	struct diag_map *namespaces; /* of which anything was listed */
	struct diag_map *crds;       /* names of definitions; NULL when unknown */
	const char *custom_refusal;  /* why no custom resource could be listed */
	bool custom_seen;            /* some custom resource was asked for */
	bool broken;
};

struct diag_bundle_states *diag_bundle_states_new(void)
{
	struct diag_arena *arena = diag_arena_new();
	struct diag_bundle_states *states = diag_arena_alloc(arena, sizeof(*states));

	states->arena = arena;
	states->lists = diag_map_new();
	states->namespaces = diag_map_new();
	return states;
}

void diag_bundle_states_free(struct diag_bundle_states *states)
{
	if (!states)
		return;
	diag_map_free(states->lists);
	diag_map_free(states->namespaces);
	diag_map_free(states->crds);
	diag_arena_free(states->arena);
}

/* A namespaced resource without namespace is the list over all of them. */
static const char *list_key(struct diag_buf *buf, const struct diag_resource *resource,
			    const char *namespace_)
{
	diag_buf_init(buf, DIAG_MAX_MESSAGE);
	diag_buf_printf(buf, "%s/%s", resource->name, namespace_ ? namespace_ : "");
	return diag_buf_str(buf);
}

static struct list *find(const struct diag_bundle_states *states,
			 const struct diag_resource *resource, const char *namespace_)
{
	struct diag_buf key diag_buf_auto = { 0 };

	return diag_map_get(states->lists, list_key(&key, resource, namespace_));
}

static struct list *need(struct diag_bundle_states *states, const struct diag_resource *resource,
			 const char *namespace_)
{
	struct diag_buf key diag_buf_auto = { 0 };
	struct list *list = diag_map_get(states->lists, list_key(&key, resource, namespace_));

	if (!list) {
		list = diag_arena_alloc(states->arena, sizeof(*list));
		list->resource = resource;
		list->namespace_ = diag_arena_strdup(states->arena, namespace_);
		diag_map_set(states->lists, diag_buf_str(&key), list);
	}
	return list;
}

static void see_namespace(struct diag_bundle_states *states, const char *namespace_)
{
	if (diag_map_count(states->namespaces) < MAX_NAMESPACES)
		diag_map_set(states->namespaces, namespace_, states);
}

void diag_bundle_states_saw(struct diag_bundle_states *states, const struct diag_resource *resource,
			    const char *namespace_)
{
	need(states, resource, namespace_)->seen = true;
	if (namespace_ && resource->namespaced)
		see_namespace(states, namespace_);
	if (!resource->folder)
		states->custom_seen = true;
}

void diag_bundle_states_saw_custom(struct diag_bundle_states *states)
{
	states->custom_seen = true;
}

void diag_bundle_states_saw_twin(struct diag_bundle_states *states,
				 const struct diag_resource *resource, const char *namespace_)
{
	need(states, resource, namespace_)->twin = true;
}

void diag_bundle_states_read(struct diag_bundle_states *states,
			     const struct diag_resource *resource, const char *namespace_,
			     bool bare)
{
	struct list *list = need(states, resource, namespace_);

	list->read = true;
	list->bare = bare;
}

bool diag_bundle_states_is_read(const struct diag_bundle_states *states,
				const struct diag_resource *resource, const char *namespace_)
{
	const struct list *list = find(states, resource, namespace_);

	return list && list->read;
}

static void look_for_twin(const char *key DIAG_UNUSED, void *value, void *arg)
{
	const struct list *list = value;
	bool *found = arg;

	*found |= list->twin && !list->read;
}

bool diag_bundle_states_need_twins(const struct diag_bundle_states *states)
{
	bool found = false;

	diag_map_each(states->lists, look_for_twin, &found);
	return found;
}

void diag_bundle_states_failed(struct diag_bundle_states *states,
			       const struct diag_resource *resource, const char *namespace_,
			       const char *file, const struct diag_error *why)
{
	struct list *list = need(states, resource, namespace_);

	if (list->failure)
		return;
	list->failure = diag_arena_strdup(states->arena, why->message);
	list->file = diag_arena_strdup(states->arena, file);
	list->line = why->line;
}

void diag_bundle_states_broke(struct diag_bundle_states *states)
{
	states->broken = true;
}

void diag_bundle_states_crds(struct diag_bundle_states *states, const char *bytes, size_t length)
{
	json_auto_t *documents = NULL;
	const json_t *items, *item;
	size_t i;

	if (diag_json_load(bytes, length, NULL, "", 1, &documents, NULL) < 0)
		return;
	items = json_array_get(documents, 0);
	if (json_is_object(items))
		items = json_object_get(items, "items");
	diag_map_free(states->crds);
	states->crds = diag_map_new();
	json_array_foreach(items, i, item) {
		const char *name = diag_json_str(item, "metadata", "name");

		if (name)
			diag_map_set(states->crds, name, states);
	}
}

/* The text of an error, or all of them when there are several; NULL when there is none. */
static const char *error_text(const struct diag_bundle_states *states, const json_t *value)
{
	struct diag_buf text diag_buf_auto = { 0 };
	const json_t *item;
	size_t i;

	if (json_is_string(value))
		return diag_arena_strdup(states->arena, json_string_value(value));
	if (!json_is_array(value))
		return !value || json_is_null(value) ? NULL : "no reason is given";
	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	json_array_foreach(value, i, item) {
		const char *one = json_string_value(item);

		diag_buf_printf(&text, "%s%s", i ? "; " : "", one ? one : "no reason is given");
	}
	return i ? diag_arena_strdup(states->arena, diag_buf_str(&text)) : NULL;
}

static void add_refusal(struct diag_bundle_states *states, const struct diag_resource *resource,
			const char *namespace_, const char *text)
{
	if (!resource || !text || (namespace_ && strlen(namespace_) > MAX_NAME))
		return;
	if (diag_str_empty(namespace_) || !resource->namespaced)
		namespace_ = NULL;
	need(states, resource, namespace_)->refusal = text;
	if (namespace_)
		see_namespace(states, namespace_);
}

/* One member of custom-resources-errors.json. */
static void add_custom_refusal(struct diag_bundle_states *states, const char *key, const char *text)
{
	size_t length = strcspn(key, "/");
	const char *name = diag_arena_strndup(states->arena, key, length);

	if (!text)
		return;
	if (strchr(name, '.') && !strchr(name, ' ')) {
		states->custom_seen = true;
		add_refusal(states, diag_resource_by_name(name),
			    key[length] ? key + length + 1 : NULL, text);
	} else {
		states->custom_refusal = text;
	}
}

/* The error file of storage classes had a name of its own before 2023. */
static const struct diag_resource *resource_of(const char *folder)
{
	return diag_resource_by_folder(strcmp(folder, "storage") == 0 ? "storage-classes" : folder);
}

int diag_bundle_states_errors(struct diag_bundle_states *states, const char *folder,
			      const char *bytes, size_t length)
{
	const struct diag_resource *resource = resource_of(folder);
	bool all_custom = strcmp(folder, "custom-resources") == 0;
	json_auto_t *documents = NULL;
	json_t *document, *value;
	const char *key;
	int r = diag_json_load(bytes, length, NULL, "", 1, &documents, NULL);

	if (r < 0) {
		add_refusal(states, resource, NULL, "the error file cannot be read");
		if (all_custom)
			states->custom_refusal = "the error file cannot be read";
		return r;
	}
	document = json_array_get(documents, 0);
	if (!json_is_object(document) && all_custom)
		states->custom_refusal = error_text(states, document);
	else if (!json_is_object(document))
		add_refusal(states, resource, NULL, error_text(states, document));
	json_object_foreach(document, key, value) {
		if (all_custom)
			add_custom_refusal(states, key, error_text(states, value));
		else
			add_refusal(states, resource, key, error_text(states, value));
	}
	return DIAG_OK;
}

/* As the API server words a refusal by RBAC. */
static enum diag_availability refused_state(const char *text)
{
	return strcasestr(text, "forbidden") || strcasestr(text, "cannot list") ? DIAG_FORBIDDEN
										: DIAG_FAILED;
}

struct pushing {
	const struct diag_bundle_states *states;
	struct diag_sink *sink;
	const struct diag_resource *resource;
};

static void push_list(const char *key DIAG_UNUSED, void *value, void *arg)
{
	const struct pushing *pushing = arg;
	const struct list *list = value;
	const char *name = list->resource->name;

	if (!diag_sink_wants(pushing->sink, name))
		return;
	if (list->refusal) {
		diag_sink_state(pushing->sink, name, list->namespace_,
				list->read && !list->bare ? DIAG_TRUNCATED
							  : refused_state(list->refusal),
				list->refusal);
	} else if (list->failure && !list->read) {
		if (list->file)
			diag_sink_problem(pushing->sink, list->file, list->line, list->failure);
		diag_sink_state(pushing->sink, name, list->namespace_, DIAG_FAILED, list->failure);
	}
}

/* A list without a file, and nothing that says why. */
static void push_absent(const struct pushing *pushing, const char *namespace_)
{
	const struct diag_bundle_states *states = pushing->states;
	const struct diag_resource *resource = pushing->resource;
	const struct list *list = find(states, resource, namespace_);
	struct diag_buf reason diag_buf_auto = { 0 };
	diag_autofree char *name = NULL;

	if (list && (list->seen || list->read || list->refusal || list->failure))
		return;
	if (!resource->folder && states->crds && states->custom_seen && !states->broken) {
		diag_sink_state(pushing->sink, resource->name, namespace_, DIAG_EMPTY, NULL);
		return;
	}
	name = diag_bundle_list_name(resource->folder, resource->name, namespace_);
	diag_buf_init(&reason, DIAG_MAX_MESSAGE);
	diag_buf_puts(&reason, states->broken ? "the bundle breaks off, and what is there has no "
					      : "the bundle has no ");
	diag_buf_puts(&reason, name);
	diag_sink_state(pushing->sink, resource->name, namespace_, DIAG_NOT_COLLECTED,
			diag_buf_str(&reason));
}

static void push_absent_in(const char *namespace_, void *value DIAG_UNUSED, void *arg)
{
	push_absent(arg, namespace_);
}

/* Returns true when no custom resource of this kind needs a closer look. */
static bool push_custom(const struct pushing *pushing)
{
	const struct diag_bundle_states *states = pushing->states;
	const char *name = pushing->resource->name;
	struct diag_buf reason diag_buf_auto = { 0 };

	if (states->custom_refusal) {
		diag_sink_state(pushing->sink, name, NULL, refused_state(states->custom_refusal),
				states->custom_refusal);
		return true;
	}
	if (!states->crds || !diag_map_count(states->crds) || diag_map_get(states->crds, name))
		return false;
	diag_buf_init(&reason, DIAG_MAX_MESSAGE);
	diag_buf_printf(&reason, "no CRD named %s", name);
	diag_sink_state(pushing->sink, name, NULL, DIAG_EMPTY, diag_buf_str(&reason));
	return true;
}

static void push_resource(struct pushing *pushing)
{
	const struct list *everywhere = find(pushing->states, pushing->resource, NULL);

	if (everywhere && (everywhere->read || everywhere->refusal || everywhere->failure))
		return;
	if (!pushing->resource->folder && push_custom(pushing))
		return;
	if (pushing->resource->namespaced)
		diag_map_each(pushing->states->namespaces, push_absent_in, pushing);
	else
		push_absent(pushing, NULL);
}

void diag_bundle_states_push(struct diag_bundle_states *states, struct diag_sink *sink)
{
	struct pushing pushing = { .states = states, .sink = sink };
	size_t count;
	const struct diag_resource *all = diag_resources(&count);

	diag_map_each(states->lists, push_list, &pushing);
	for (size_t i = 0; i < count; i++) {
		pushing.resource = &all[i];
		if (diag_sink_wants(sink, all[i].name))
			push_resource(&pushing);
	}
}
