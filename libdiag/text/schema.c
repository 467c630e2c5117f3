#include "text/schema.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "text/json.h"
#include "text/regex.h"

struct walk {
	void (*tell)(const struct diag_schema_fault *fault, void *arg);
	void *arg;
	struct diag_buf path;
	struct diag_map *patterns; /* pattern -> struct diag_regex, or `broken` */
};

/* Where a value stands. */
struct place {
	const json_t *container;
	const char *key;
	size_t index;
};

static char broken; /* stands for a pattern that does not compile */

static void tell(struct walk *walk, struct diag_schema_fault fault, struct place place)
{
	const char *dot;

	fault.path = diag_buf_str(&walk->path);
	dot = strrchr(fault.path, '.');
	fault.field = dot ? dot + 1 : fault.path;
	fault.container = place.container;
	fault.key = place.key;
	fault.index = place.index;
	walk->tell(&fault, walk->arg);
}

/* Append to the path, and take it off again. */
static size_t descend(struct walk *walk, const char *key)
{
	size_t before = walk->path.length;

	diag_buf_printf(&walk->path, "%s%s", before ? "." : "", key);
	return before;
}

static void ascend(struct walk *walk, size_t before)
{
	walk->path.length = before;
	if (walk->path.data)
		walk->path.data[before] = '\0';
}

static bool is_whole(const json_t *value)
{
	return json_is_integer(value) ||
	       (json_is_real(value) && floor(json_real_value(value)) >= json_real_value(value));
}

static bool has_type(const json_t *value, const char *type)
{
	if (diag_str_eq(type, "object"))
		return json_is_object(value);
	if (diag_str_eq(type, "array"))
		return json_is_array(value);
	if (diag_str_eq(type, "string"))
		return json_is_string(value);
	if (diag_str_eq(type, "boolean"))
		return json_is_boolean(value);
	if (diag_str_eq(type, "integer"))
		return is_whole(value);
	return !diag_str_eq(type, "number") || json_is_number(value);
}

static bool type_fits(const json_t *value, const json_t *schema)
{
	if (json_is_null(value) && diag_json_true_at(schema, DIAG_PATH("nullable")))
		return true;
	if (diag_json_true_at(schema, DIAG_PATH("x-kubernetes-int-or-string")))
		return json_is_string(value) || json_is_integer(value);
	return has_type(value, diag_json_str(schema, "type"));
}

static bool is_listed(const json_t *value, const json_t *list)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(list, i, entry) {
		if (json_equal(entry, value))
			return true;
	}
	return false;
}

static struct diag_regex *regex_of(struct walk *walk, const char *pattern)
{
	void *known = diag_map_get(walk->patterns, pattern);
	struct diag_regex *regex = NULL;

	if (!known) {
		known = diag_regex_new(pattern, 0, &regex, NULL) == 0 ? (void *)regex : &broken;
		diag_map_set(walk->patterns, pattern, known);
	}
	return known == &broken ? NULL : known;
}

static bool matches(struct walk *walk, const json_t *value, const char *pattern)
{
	struct diag_regex *regex = pattern ? regex_of(walk, pattern) : NULL;

	/* Where the engine gives up nothing is known, and nothing is said. */
	return !regex || diag_regex_match(regex, json_string_value(value),
					  json_string_length(value), 0) != DIAG_REGEX_NO_MATCH;
}

/* Characters, as minLength counts them, not bytes. */
static size_t characters(const json_t *value)
{
	const char *text = json_string_value(value);
	size_t count = 0;

	for (size_t i = 0; i < json_string_length(value); i++)
		count += ((unsigned char)text[i] & 0xc0) != 0x80;
	return count;
}

static bool within(size_t count, const json_t *schema, const char *least, const char *most)
{
	int64_t min = diag_json_int_at(schema, 0, DIAG_PATH(least));
	int64_t max = diag_json_int_at(schema, INT64_MAX, DIAG_PATH(most));

	return (int64_t)count >= min && (int64_t)count <= max;
}

static bool in_range(const json_t *value, const json_t *schema)
{
	const json_t *min = json_object_get(schema, "minimum");
	const json_t *max = json_object_get(schema, "maximum");
	double number = json_number_value(value);

	if (json_is_number(min) && number < json_number_value(min))
		return false;
	return !json_is_number(max) || number <= json_number_value(max);
}

/* The first rule that a value of the right type breaks, or -1. */
static int broken_rule(struct walk *walk, const json_t *value, const json_t *schema)
{
	const json_t *list = diag_json_array(schema, "enum");

	if (list && !is_listed(value, list))
		return DIAG_SCHEMA_ENUM;
	if (json_is_string(value)) {
		if (!within(characters(value), schema, "minLength", "maxLength"))
			return DIAG_SCHEMA_LENGTH;
		if (!matches(walk, value, diag_json_str(schema, "pattern")))
			return DIAG_SCHEMA_PATTERN;
	}
	if (json_is_array(value) && !within(json_array_size(value), schema, "minItems", "maxItems"))
		return DIAG_SCHEMA_LENGTH;
	if (json_is_number(value) && !in_range(value, schema))
		return DIAG_SCHEMA_RANGE;
	return -1;
}

static void validate(struct walk *walk, json_t *value, const json_t *schema, struct place place);

/* Of the keys of `object` (or of `schema`'s properties) the one most like `name`, among those that
 * the other side does not have. */
static const char *nearest_key(const char *name, json_t *candidates, const json_t *others)
{
	diag_autofree const char **names =
		diag_xcalloc(json_object_size(candidates), sizeof(*names));
	const char *key;
	json_t *value;
	size_t count = 0;

	json_object_foreach(candidates, key, value) {
		if (!json_object_get(others, key))
			names[count++] = key;
	}
	return diag_str_nearest(name, names, count);
}

static void check_required(struct walk *walk, json_t *value, const json_t *schema,
			   struct place place)
{
	const json_t *properties = diag_json_object(schema, "properties"), *entry;
	size_t i;

	json_array_foreach(diag_json_array(schema, "required"), i, entry) {
		const char *name = json_string_value(entry);
		size_t before;

		if (!name || json_object_get(value, name))
			continue;
		before = descend(walk, name);
		tell(walk,
		     (struct diag_schema_fault){
			     .rule = DIAG_SCHEMA_REQUIRED,
			     .schema = json_object_get(properties, name),
			     .nearest = nearest_key(name, value, properties),
		     },
		     place);
		ascend(walk, before);
	}
}

static bool is_required(const json_t *schema, const char *name)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(diag_json_array(schema, "required"), i, entry) {
		if (diag_str_eq(json_string_value(entry), name))
			return true;
	}
	return false;
}

static void tell_unknown(struct walk *walk, const json_t *object, const json_t *schema,
			 const json_t *value, struct place place)
{
	json_t *properties = diag_json_object(schema, "properties");
	const char *nearest = nearest_key(place.key, properties, object);

	tell(walk,
	     (struct diag_schema_fault){
		     .rule = DIAG_SCHEMA_UNKNOWN,
		     .value = value,
		     .nearest = nearest,
		     .told = nearest && is_required(schema, nearest),
	     },
	     place);
}

/* What a schema says nothing about is kept only where it says so. */
static bool is_open(const json_t *schema)
{
	return diag_json_true_at(schema, DIAG_PATH("x-kubernetes-preserve-unknown-fields")) ||
	       diag_json_true_at(schema, DIAG_PATH("additionalProperties")) ||
	       !json_object_get(schema, "properties");
}

static void check_members(struct walk *walk, json_t *object, const json_t *schema)
{
	const json_t *properties = diag_json_object(schema, "properties");
	const json_t *rest = diag_json_object(schema, "additionalProperties");
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		const json_t *known = json_object_get(properties, key);
		struct place place = { object, key, 0 };
		size_t before = descend(walk, key);

		if (known || rest)
			validate(walk, value, known ? known : rest, place);
		else if (!is_open(schema))
			tell_unknown(walk, object, schema, value, place);
		ascend(walk, before);
	}
}

static void check_elements(struct walk *walk, const json_t *array, const json_t *schema)
{
	const json_t *items = diag_json_object(schema, "items");
	json_t *value;
	size_t i;

	json_array_foreach(array, i, value) {
		size_t before = walk->path.length;

		diag_buf_printf(&walk->path, "[%zu]", i);
		if (items)
			validate(walk, value, items, (struct place){ array, NULL, i });
		ascend(walk, before);
	}
}

static void validate(struct walk *walk, json_t *value, const json_t *schema, struct place place)
{
	int rule = type_fits(value, schema) ? broken_rule(walk, value, schema) : DIAG_SCHEMA_TYPE;

	if (rule >= 0)
		tell(walk,
		     (struct diag_schema_fault){
			     .rule = (enum diag_schema_rule)rule,
			     .value = value,
			     .schema = schema,
		     },
		     place);
	if (json_is_object(value) && rule != DIAG_SCHEMA_TYPE) {
		check_required(walk, value, schema, place);
		check_members(walk, value, schema);
	}
	if (json_is_array(value) && rule != DIAG_SCHEMA_TYPE)
		check_elements(walk, value, schema);
}

static void free_pattern(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	if (value != &broken)
		diag_regex_free(value);
}

void diag_schema_validate(json_t *value, const json_t *schema,
			  void (*tell_)(const struct diag_schema_fault *fault, void *arg),
			  void *arg)
{
	struct walk walk = { .tell = tell_, .arg = arg, .patterns = diag_map_new() };

	diag_buf_init(&walk.path, DIAG_MAX_MESSAGE);
	validate(&walk, value, schema, (struct place){ NULL, NULL, 0 });
	diag_buf_done(&walk.path);
	diag_map_each(walk.patterns, free_pattern, NULL);
	diag_map_free(walk.patterns);
}
