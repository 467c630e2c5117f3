#include "checks/manifest/wording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "bindery/schema.h"
#include "text/json.h"
#include "text/semver.h"

static void say_values(struct diag_buf *out, const json_t *values)
{
	size_t count = json_array_size(values), i;
	const json_t *value;

	diag_buf_puts(out, count > 1 ? "one of " : "");
	json_array_foreach(values, i, value) {
		const char *text = json_string_value(value);
		/* What YAML would take for a number needs its quotes. */
		bool quoted = text && *text >= '0' && *text <= '9';

		diag_buf_puts(out, i == 0 ? "" : i + 1 < count ? ", " : " and ");
		diag_buf_printf(out, quoted ? "\"%s\"" : "%s", text ? text : "another value");
	}
}

static void say_pattern(struct diag_buf *out, const char *pattern)
{
	if (strcmp(pattern, BINDERY_PATTERN_VERSION) == 0)
		diag_buf_puts(out, "a version X.Y.Z");
	else if (strcmp(pattern, BINDERY_PATTERN_CAPABILITY) == 0)
		diag_buf_puts(out, "lower-case words joined by at least one dot, as game.chat");
	else
		diag_buf_printf(out, "a text that matches %.200s", pattern);
}

static void say_bounds(struct diag_buf *out, const json_t *schema, const char *type)
{
	const char *kind = diag_str_eq(type, "integer") ? "an integer" : "a number";
	int64_t min = diag_json_int(schema, INT64_MIN, "minimum");
	int64_t max = diag_json_int(schema, INT64_MAX, "maximum");

	diag_buf_puts(out, kind);
	if (min != INT64_MIN && max != INT64_MAX)
		diag_buf_printf(out, " from %" PRId64 " to %" PRId64, min, max);
	else if (min != INT64_MIN)
		diag_buf_printf(out, " of at least %" PRId64, min);
	else if (max != INT64_MAX)
		diag_buf_printf(out, " of at most %" PRId64, max);
}

static void say_size(struct diag_buf *out, const json_t *schema, const char *type)
{
	bool list = diag_str_eq(type, "array");
	const char *unit = list ? "elements" : "characters";
	int64_t least = diag_json_int(schema, 0, list ? "minItems" : "minLength");
	int64_t most = diag_json_int(schema, INT64_MAX, list ? "maxItems" : "maxLength");

	if (least > 1)
		diag_buf_printf(out, " of at least %" PRId64 " %s", least, unit);
	else if (least == 1)
		diag_buf_puts(out, " that is not empty");
	if (most != INT64_MAX)
		diag_buf_printf(out, " of at most %" PRId64 " %s", most, unit);
}

void say_wanted(struct diag_buf *out, const json_t *schema)
{
	static const char *const words[][2] = {
		{ "object", "a map" },
		{ "array", "a list" },
		{ "string", "a text" },
		{ "boolean", "true or false" },
	};
	const char *type = diag_json_str(schema, "type");
	const char *pattern = diag_json_str(schema, "pattern");

	if (diag_json_array(schema, "enum")) {
		say_values(out, diag_json_array(schema, "enum"));
		return;
	}
	if (pattern) {
		say_pattern(out, pattern);
		return;
	}
	if (diag_str_in(type, "integer", "number", NULL)) {
		say_bounds(out, schema, type);
		return;
	}
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(words); i++)
		if (diag_str_eq(type, words[i][0]))
			diag_buf_puts(out, words[i][1]);
	say_size(out, schema, type);
}

void say_value(struct diag_buf *out, const json_t *value)
{
	if (json_is_string(value) && *json_string_value(value))
		diag_buf_printf(out, "'%.60s'", json_string_value(value));
	else if (json_is_integer(value))
		diag_buf_printf(out, "the number %" JSON_INTEGER_FORMAT, json_integer_value(value));
	else if (json_is_real(value))
		diag_buf_printf(out, "the number %g", json_real_value(value));
	else if (json_is_boolean(value))
		diag_buf_puts(out, json_is_true(value) ? "true" : "false");
	else if (json_array_size(value))
		diag_buf_printf(out, "a list of %zu", json_array_size(value));
	else
		diag_buf_puts(out, json_is_object(value) ? "a map" : "empty");
}

static const char *nearest_value(const char *text, const json_t *values)
{
	size_t count = json_array_size(values);
	diag_autofree const char **names = diag_xcalloc(count, sizeof(*names));

	for (size_t i = 0; i < count; i++)
		names[i] = json_string_value(json_array_get(values, i));
	return diag_str_nearest(text, names, count);
}

/* A number or boolean where a text belongs: quotes make it one, if that is allowed then. */
static bool correct_type(struct diag_buf *out, const struct diag_schema_fault *fault)
{
	const json_t *values = diag_json_array(fault->schema, "enum"), *value;
	diag_autofree char *plain = json_dumps(fault->value, JSON_ENCODE_ANY);
	size_t i;

	if (!diag_str_eq(diag_json_str(fault->schema, "type"), "string") || !plain ||
	    json_is_object(fault->value) || json_is_array(fault->value) ||
	    json_is_null(fault->value) || diag_json_get(fault->schema, "pattern"))
		return false;
	json_array_foreach(values, i, value) {
		if (diag_str_eq(json_string_value(value), plain))
			values = NULL;
	}
	if (values)
		return false;
	diag_buf_printf(out, "\"%s\"", plain);
	return true;
}

static bool correct_version(struct diag_buf *out, const char *text)
{
	struct diag_semver version diag_semver_auto = { 0 };
	diag_autofree char *full = NULL;

	if (diag_semver_parse(text, &version, NULL) < 0)
		return false;
	full = diag_semver_format(&version);
	diag_buf_puts(out, full);
	return true;
}

bool say_correction(struct diag_buf *out, const struct diag_schema_fault *fault)
{
	const char *text = json_string_value(fault->value);
	const char *nearest;

	if (fault->rule == DIAG_SCHEMA_TYPE)
		return correct_type(out, fault);
	if (fault->rule == DIAG_SCHEMA_PATTERN &&
	    diag_str_eq(diag_json_str(fault->schema, "pattern"), BINDERY_PATTERN_VERSION))
		return correct_version(out, text);
	nearest = fault->rule == DIAG_SCHEMA_ENUM && text
			  ? nearest_value(text, diag_json_array(fault->schema, "enum"))
			  : NULL;
	if (nearest)
		diag_buf_puts(out, nearest);
	return nearest != NULL;
}
