/*
 * Loading JSON: jansson makes the values, a scanner over the text, which jansson has found valid by
 * then, finds where they stood.
 */
#include <string.h>

#include "base/limits.h"
#include "text/json.h"

struct scanner {
	const char *at;
	const char *end;
	int line;
	const char *line_start;
	const char *file;
	struct diag_positions *positions;
};

static void skip_space(struct scanner *s)
{
	for (; s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at; s->at++) {
		if (*s->at == '\n') {
			s->line++;
			s->line_start = s->at + 1;
		}
	}
}

static struct diag_position here(const struct scanner *s)
{
	return (struct diag_position){ s->file, s->line, (int)(s->at - s->line_start) + 1 };
}

static void skip_string(struct scanner *s)
{
	for (s->at++; s->at < s->end && *s->at != '"'; s->at++)
		if (*s->at == '\\')
			s->at++;
	s->at++;
}

static void skip_scalar(struct scanner *s)
{
	if (*s->at == '"') {
		skip_string(s);
		return;
	}
	do { /* jansson lets U+0000 pass after a number: go on whatever stands here */
		s->at++;
	} while (s->at < s->end && (!*s->at || !strchr(",]} \t\r\n", *s->at)));
}

static void scan_value(struct scanner *s, const json_t *value);

static void scan_array(struct scanner *s, const json_t *array)
{
	size_t index = 0;

	s->at++;
	for (skip_space(s); s->at < s->end && *s->at != ']'; skip_space(s)) {
		if (*s->at == ',') {
			s->at++;
			continue;
		}
		diag_positions_set_index(s->positions, array, index, here(s));
		scan_value(s, json_array_get(array, index++));
	}
	s->at++;
}

/* The key as jansson decoded it: in a valid text the n-th distinct key is the n-th of the object.
 */
static void scan_object(struct scanner *s, const json_t *object)
{
	s->at++;
	for (skip_space(s); s->at < s->end && *s->at != '}'; skip_space(s)) {
		struct diag_position where = here(s);
		const char *start = s->at;
		json_t *name;
		json_error_t ignored;

		if (*s->at == ',') {
			s->at++;
			continue;
		}
		skip_string(s);
		name = json_loadb(start, (size_t)(s->at - start), JSON_DECODE_ANY | JSON_ALLOW_NUL,
				  &ignored);
		skip_space(s);
		s->at++; /* the colon */
		skip_space(s);
		if (json_string_value(name)) {
			diag_positions_set_key(s->positions, object, json_string_value(name),
					       where);
			scan_value(s, json_object_get(object, json_string_value(name)));
		} else {
			scan_value(s, NULL);
		}
		json_decref(name);
	}
	s->at++;
}

/* Of a duplicate key only the last value was kept: the shape of an earlier one may differ. */
static void scan_value(struct scanner *s, const json_t *value)
{
	if (s->at >= s->end)
		return;
	if (*s->at == '{') {
		diag_positions_set_self(s->positions, value, here(s));
		scan_object(s, json_is_object(value) ? value : NULL);
	} else if (*s->at == '[') {
		diag_positions_set_self(s->positions, value, here(s));
		scan_array(s, json_is_array(value) ? value : NULL);
	} else {
		skip_scalar(s);
	}
}

/* Nesting of the text, strings left out; stops counting past the limit. */
static bool is_too_deep(const char *text, size_t length, int *ret_line)
{
	int depth = 0, line = 1;
	bool in_string = false;

	for (size_t i = 0; i < length; i++) {
		char c = text[i];

		line += c == '\n';
		if (in_string) {
			if (c == '\\')
				i++;
			else
				in_string = c != '"';
		} else if (c == '"') {
			in_string = true;
		} else if (c == '{' || c == '[') {
			if (++depth > DIAG_MAX_DEPTH) {
				*ret_line = line;
				return true;
			}
		} else if (c == '}' || c == ']') {
			depth--;
		}
	}
	return false;
}

static json_t *decode(const char *text, size_t length, json_error_t *error)
{
	size_t flags = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL | JSON_DECODE_ANY;
	json_t *value = json_loadb(text, length, flags, error);

	if (!value && json_error_code(error) == json_error_numeric_overflow)
		value = json_loadb(text, length, flags | JSON_DECODE_INT_AS_REAL, error);
	return value;
}

static int parse_error(struct diag_error *err, const json_error_t *error, int first_line)
{
	int line = first_line + error->line - 1;

	diag_error_set(err, DIAG_E_PARSE, "%s", error->text);
	if (err) {
		err->line = line;
		err->column = error->column;
	}
	return DIAG_E_PARSE;
}

static int too_deep(struct diag_error *err, int line)
{
	diag_error_set(err, DIAG_E_LIMIT, "nested deeper than %d levels", DIAG_MAX_DEPTH);
	if (err)
		err->line = line;
	return DIAG_E_LIMIT;
}

static bool at_end(const struct scanner *s)
{
	return s->at >= s->end;
}

static int load_stream(struct scanner *s, json_t *documents, struct diag_error *err)
{
	for (skip_space(s); !at_end(s); skip_space(s)) {
		json_error_t error;
		const char *start = s->at;
		json_t *value = decode(start, (size_t)(s->end - start), &error);

		if (!value)
			return parse_error(err, &error, s->line);
		json_array_append_new(documents, value);
		if (s->positions) {
			scan_value(s, value);
			continue;
		}
		for (s->at = start + error.position; start < s->at; start++)
			s->line += *start == '\n';
	}
	return DIAG_OK;
}

int diag_json_load(const char *text, size_t length, struct diag_positions *positions,
		   const char *file, int first_line, json_t **ret_documents, struct diag_error *err)
{
	struct scanner s = { .line = first_line > 0 ? first_line : 1, .positions = positions };
	json_t *documents = json_array();
	int line, r;

	if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		length -= 3;
	}
	s.at = s.line_start = text;
	s.end = text + length;
	s.file = positions ? diag_positions_file(positions, file) : NULL;
	if (is_too_deep(text, length, &line))
		r = too_deep(err, s.line + line - 1);
	else
		r = load_stream(&s, documents, err);
	if (r < 0) {
		json_decref(documents);
		return r;
	}
	*ret_documents = documents;
	return DIAG_OK;
}
