#include "text/yaml.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "text/yaml_scalar.h"

/* A value with an anchor, to be repeated by aliases. */
struct anchor {
	json_t *value;
	size_t nodes; /* below and including it, aliases expanded */
};

struct loader {
	yaml_parser_t parser;
	yaml_event_t event;
	bool has_event;
	struct diag_positions *positions;
	const char *file;
	int first_line;
	struct diag_map *anchors; /* name -> struct anchor */
	size_t nodes;
	size_t aliases;
	int depth;
	struct diag_error *err;
};

static int line_of(const struct loader *l, yaml_mark_t mark)
{
	return (int)mark.line + l->first_line;
}

static struct diag_position where(const struct loader *l, yaml_mark_t mark)
{
	return (struct diag_position){ l->file, line_of(l, mark), (int)mark.column + 1 };
}

static int fail(struct loader *l, int code, yaml_mark_t mark, const char *text, const char *detail)
{
	int line = line_of(l, mark);

	diag_error_set(l->err, code, "%s%s%s", text, detail ? ": " : "", detail ? detail : "");
	if (l->err) {
		l->err->line = line;
		l->err->column = (int)mark.column + 1;
	}
	return code;
}

static int parser_error(struct loader *l)
{
	yaml_mark_t mark = l->parser.problem_mark;
	const char *text = l->parser.problem ? l->parser.problem : "unreadable";

	if (l->parser.error == YAML_READER_ERROR)
		mark = l->parser.mark;
	return fail(l, DIAG_E_PARSE, mark, text, l->parser.context);
}

static int next(struct loader *l)
{
	if (l->has_event)
		yaml_event_delete(&l->event);
	l->has_event = false;
	if (!yaml_parser_parse(&l->parser, &l->event))
		return parser_error(l);
	l->has_event = true;
	return DIAG_OK;
}

static int count_nodes(struct loader *l, size_t nodes)
{
	l->nodes += nodes;
	if (l->nodes > DIAG_MAX_YAML_NODES)
		return fail(l, DIAG_E_LIMIT, l->event.start_mark,
			    "too many values once aliases are expanded", NULL);
	return DIAG_OK;
}

static void free_anchor(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	struct anchor *anchor = value;

	json_decref(anchor->value);
	free(anchor);
}

static void forget_anchors(struct loader *l)
{
	diag_map_each(l->anchors, free_anchor, NULL);
	diag_map_free(l->anchors);
	l->anchors = diag_map_new();
}

static void remember(struct loader *l, const char *name, json_t *value, size_t nodes)
{
	struct anchor *anchor = diag_map_get(l->anchors, name);

	if (!anchor) {
		anchor = diag_xcalloc(1, sizeof(*anchor));
		diag_map_set(l->anchors, name, anchor);
	}
	json_decref(anchor->value);
	*anchor = (struct anchor){ json_incref(value), nodes };
}

static int load_value(struct loader *l, json_t **ret_value);

static int load_alias(struct loader *l, json_t **ret_value)
{
	const char *name = (const char *)l->event.data.alias.anchor;
	const struct anchor *anchor = diag_map_get(l->anchors, name);
	int r;

	if (!anchor)
		return fail(l, DIAG_E_PARSE, l->event.start_mark, "unknown anchor", name);
	if (++l->aliases > DIAG_MAX_YAML_ALIASES)
		return fail(l, DIAG_E_LIMIT, l->event.start_mark, "too many aliases", NULL);
	r = count_nodes(l, anchor->nodes);
	if (r < 0)
		return r;
	*ret_value = json_deep_copy(anchor->value);
	return DIAG_OK;
}

static int load_scalar(struct loader *l, json_t **ret_value)
{
	const char *text = (const char *)l->event.data.scalar.value;
	const char *tag = (const char *)l->event.data.scalar.tag;
	bool plain = l->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;

	if (memchr(text, '\0', l->event.data.scalar.length))
		plain = false; /* C sees the text before U+0000; it is no number or boolean */
	*ret_value = diag_yaml_scalar(text, plain, tag);
	if (!*ret_value)
		return fail(l, DIAG_E_PARSE, l->event.start_mark, "the value does not fit its tag",
			    tag);
	return DIAG_OK;
}

static int load_sequence(struct loader *l, json_t *array)
{
	for (;;) {
		struct diag_position position;
		json_t *item = NULL;
		int r = next(l);

		if (r < 0)
			return r;
		if (l->event.type == YAML_SEQUENCE_END_EVENT)
			return DIAG_OK;
		position = where(l, l->event.start_mark);
		r = load_value(l, &item);
		if (r < 0)
			return r;
		if (l->positions)
			diag_positions_set_index(l->positions, array, json_array_size(array),
						 position);
		json_array_append_new(array, item);
	}
}

/* `<<: *base`: keys that the mapping has itself win. Source: YAML merge key, type/merge. */
static void merge(json_t *merged, json_t *source)
{
	json_t *item;
	size_t i;

	if (json_is_object(source)) {
		json_object_update_missing(merged, source);
		return;
	}
	json_array_foreach(source, i, item)
		merge(merged, item);
}

static int load_key(struct loader *l, char **ret_key, bool *ret_merge)
{
	const char *text = (const char *)l->event.data.scalar.value;
	bool plain;

	if (l->event.type != YAML_SCALAR_EVENT)
		return fail(l, DIAG_E_PARSE, l->event.start_mark, "a key must be a simple value",
			    NULL);
	plain = l->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	*ret_merge = plain && strcmp(text, "<<") == 0;
	*ret_key = diag_yaml_key(text, plain, (const char *)l->event.data.scalar.tag);
	if (!*ret_key)
		return fail(l, DIAG_E_PARSE, l->event.start_mark, "a key must not be null", NULL);
	return DIAG_OK;
}

static int load_pair(struct loader *l, json_t *object, json_t *merged)
{
	struct diag_position position = where(l, l->event.start_mark);
	yaml_mark_t mark = l->event.start_mark;
	diag_autofree char *key = NULL;
	json_t *value = NULL;
	bool is_merge;
	int r = load_key(l, &key, &is_merge);

	if (r == 0)
		r = next(l);
	if (r == 0)
		r = load_value(l, &value);
	if (r < 0)
		return r;
	if (is_merge) {
		merge(merged, value);
		json_decref(value);
		return DIAG_OK;
	}
	if (json_object_get(object, key)) {
		json_decref(value);
		return fail(l, DIAG_E_PARSE, mark, "the key is there already", key);
	}
	if (l->positions)
		diag_positions_set_key(l->positions, object, key, position);
	json_object_set_new(object, key, value);
	return DIAG_OK;
}

static int load_mapping(struct loader *l, json_t *object)
{
	json_t *merged = json_object();
	int r;

	while ((r = next(l)) == 0 && l->event.type != YAML_MAPPING_END_EVENT) {
		r = load_pair(l, object, merged);
		if (r < 0)
			break;
	}
	if (r == 0)
		json_object_update_missing(object, merged);
	json_decref(merged);
	return r;
}

static int load_container(struct loader *l, json_t *container, bool sequence)
{
	int r;

	if (l->positions)
		diag_positions_set_self(l->positions, container, where(l, l->event.start_mark));
	if (++l->depth > DIAG_MAX_DEPTH)
		r = fail(l, DIAG_E_LIMIT, l->event.start_mark, "nested too deeply", NULL);
	else
		r = sequence ? load_sequence(l, container) : load_mapping(l, container);
	l->depth--;
	return r;
}

static const char *anchor_of(const yaml_event_t *event)
{
	const yaml_char_t *anchor = NULL;

	if (event->type == YAML_SCALAR_EVENT)
		anchor = event->data.scalar.anchor;
	else if (event->type == YAML_SEQUENCE_START_EVENT)
		anchor = event->data.sequence_start.anchor;
	else if (event->type == YAML_MAPPING_START_EVENT)
		anchor = event->data.mapping_start.anchor;
	return (const char *)anchor;
}

static int load_value(struct loader *l, json_t **ret_value)
{
	diag_autofree char *anchor = diag_xstrdup(anchor_of(&l->event));
	size_t before = l->nodes;
	json_t *value = NULL;
	int r = count_nodes(l, 1);

	if (r < 0)
		return r;
	if (l->event.type == YAML_ALIAS_EVENT)
		return load_alias(l, ret_value);
	if (l->event.type == YAML_SCALAR_EVENT) {
		r = load_scalar(l, &value);
	} else {
		bool sequence = l->event.type == YAML_SEQUENCE_START_EVENT;

		value = sequence ? json_array() : json_object();
		r = load_container(l, value, sequence);
	}
	if (r < 0) {
		json_decref(value);
		return r;
	}
	if (anchor)
		remember(l, anchor, value, l->nodes - before);
	*ret_value = value;
	return DIAG_OK;
}

static int load_documents(struct loader *l, json_t *documents)
{
	for (;;) {
		json_t *value = NULL;
		int r = next(l);

		if (r < 0)
			return r;
		if (l->event.type == YAML_STREAM_END_EVENT)
			return DIAG_OK;
		if (l->event.type != YAML_DOCUMENT_START_EVENT)
			continue;
		forget_anchors(l);
		r = next(l);
		if (r == 0)
			r = load_value(l, &value);
		if (r < 0)
			return r;
		if (json_is_null(value))
			json_decref(value);
		else
			json_array_append_new(documents, value);
	}
}

int diag_yaml_load(const char *text, size_t length, struct diag_positions *positions,
		   const char *file, int first_line, json_t **ret_documents, struct diag_error *err)
{
	struct loader l = { .positions = positions, .err = err };
	json_t *documents = json_array();
	int r;

	l.first_line = first_line > 0 ? first_line : 1;
	l.file = positions ? diag_positions_file(positions, file) : NULL;
	l.anchors = diag_map_new();
	if (!yaml_parser_initialize(&l.parser))
		abort();
	yaml_parser_set_input_string(&l.parser, (const unsigned char *)text, length);
	r = load_documents(&l, documents);
	if (l.has_event)
		yaml_event_delete(&l.event);
	yaml_parser_delete(&l.parser);
	forget_anchors(&l);
	diag_map_free(l.anchors);
	if (r < 0) {
		json_decref(documents);
		return r;
	}
	*ret_documents = documents;
	return DIAG_OK;
}
