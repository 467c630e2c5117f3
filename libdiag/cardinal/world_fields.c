/* The keys of world.toml as data: which there are, and of which type. */
#include <string.h>

#include "base/str.h"
#include "text/json.h"

#include "cardinal/world_internal.h"

enum type { TEXT, BOOLEAN, INTEGER, INT32, TABLE, TABLES, INTEGERS, TEXTS, TEXT_TABLE };

static const char *const type_names[] = {
	[TEXT] = "text",
	[BOOLEAN] = "true or false",
	[INTEGER] = "an integer",
	[INT32] = "an integer of 32 bits",
	[TABLE] = "a table",
	[TABLES] = "an array of tables",
	[INTEGERS] = "an array of integers",
	[TEXTS] = "an array of texts",
	[TEXT_TABLE] = "a table of texts",
};

enum level { FILE_LEVEL, AUTH, SHARD, RESOURCES, VALUES, SERVICE };

static const struct field {
	enum level level;
	const char *key;
	enum type type;
	enum level below; /* of TABLE and TABLES */
} fields[] = {
	{ FILE_LEVEL, "organization", TEXT, 0 },
	{ FILE_LEVEL, "project", TEXT, 0 },
	{ FILE_LEVEL, "auth", TABLE, AUTH },
	{ FILE_LEVEL, "shards", TABLES, SHARD },
	{ FILE_LEVEL, "services", TABLES, SERVICE },
	{ AUTH, "mode", TEXT, 0 },
	{ AUTH, "url", TEXT, 0 },
	{ SHARD, "id", TEXT, 0 },
	{ SHARD, "path", TEXT, 0 },
	{ SHARD, "pool_size", INTEGER, 0 },
	{ SHARD, "log_level", TEXT, 0 },
	{ SHARD, "tick_rate", INT32, 0 },
	{ SHARD, "mode", TEXT, 0 },
	{ SHARD, "enable_otel", BOOLEAN, 0 },
	{ SHARD, "resources", TABLE, RESOURCES },
	{ RESOURCES, "requests", TABLE, VALUES },
	{ RESOURCES, "limits", TABLE, VALUES },
	{ VALUES, "cpu", INT32, 0 },
	{ VALUES, "memory", INT32, 0 },
	{ SERVICE, "id", TEXT, 0 },
	{ SERVICE, "image", TEXT, 0 },
	{ SERVICE, "path", TEXT, 0 },
	{ SERVICE, "env", TEXT_TABLE, 0 },
	{ SERVICE, "ports", INTEGERS, 0 },
	{ SERVICE, "volume", TEXT, 0 },
	{ SERVICE, "healthcheck", TEXTS, 0 },
	{ SERVICE, "db", BOOLEAN, 0 },
	{ SERVICE, "config_db", BOOLEAN, 0 },
};

static bool is_int32(const json_t *value)
{
	return json_is_integer(value) && json_integer_value(value) >= INT32_MIN &&
	       json_integer_value(value) <= INT32_MAX;
}

static bool all_are(const json_t *array, json_type type)
{
	for (size_t i = 0; i < json_array_size(array); i++)
		if (json_typeof(json_array_get(array, i)) != type)
			return false;
	return json_is_array(array);
}

static bool all_texts(const json_t *table)
{
	const char *key;
	json_t *value;

	/* The macro wants a pointer it could change, and does not. */
	json_object_foreach((json_t *)(uintptr_t)table, key, value)
		if (!json_is_string(value))
			return false;
	return json_is_object(table);
}

static bool has_type(const json_t *value, enum type type)
{
	switch (type) {
	case TEXT:
		return json_is_string(value);
	case BOOLEAN:
		return json_is_boolean(value);
	case INTEGER:
		return json_is_integer(value);
	case INT32:
		return is_int32(value);
	case TABLE:
		return json_is_object(value);
	case TABLES:
		return all_are(value, JSON_OBJECT);
	case INTEGERS:
		return all_are(value, JSON_INTEGER);
	case TEXTS:
		return all_are(value, JSON_STRING);
	case TEXT_TABLE:
		return all_texts(value);
	}
	return false;
}

static const struct field *field_of(enum level level, const char *key)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(fields); i++)
		if (fields[i].level == level && strcmp(fields[i].key, key) == 0)
			return &fields[i];
	return NULL;
}

static void unknown(struct cardinal_reader *reader, const struct cardinal_table *table,
		    enum level level, const char *key)
{
	const char *keys[DIAG_ARRAY_SIZE(fields)];
	const char *nearest;
	size_t count = 0;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(fields); i++)
		if (fields[i].level == level)
			keys[count++] = fields[i].key;
	nearest = diag_str_nearest(key, keys, count);
	cardinal_problem(reader, table, key, "C41", DIAG_SEVERITY_WARNING,
			 "nothing reads '%s'%s%s%s", key, nearest ? "; did you mean '" : "",
			 nearest ? nearest : "", nearest ? "'?" : "");
}

/* Tables nest at most as deep as the levels do. */
static bool decode(struct cardinal_reader *reader, const struct cardinal_table *table,
		   enum level level);

static bool decode_below(struct cardinal_reader *reader, const struct cardinal_table *table,
			 const struct field *field)
{
	const json_t *array = diag_json_array(table->value, field->key);
	struct cardinal_table below;
	bool sound = true;

	if (field->type == TABLE) {
		below = cardinal_table_at(reader, table, field->key);
		return decode(reader, &below, field->below);
	}
	for (size_t i = 0; field->type == TABLES && i < json_array_size(array); i++) {
		below = cardinal_table_item(reader, table, field->key, i);
		sound = decode(reader, &below, field->below) && sound;
	}
	return sound;
}

static bool decode(struct cardinal_reader *reader, const struct cardinal_table *table,
		   enum level level)
{
	bool sound = true;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)(uintptr_t)table->value, key, value) {
		const struct field *field = field_of(level, key);

		if (!field) {
			unknown(reader, table, level, key);
		} else if (!has_type(value, field->type)) {
			cardinal_problem(reader, table, key, "C41", DIAG_SEVERITY_ERROR,
					 "'%s' must be %s", key, type_names[field->type]);
			sound = false;
		} else {
			sound = decode_below(reader, table, field) && sound;
		}
	}
	return sound;
}

bool cardinal_world_decode(struct cardinal_reader *reader, const struct cardinal_table *file)
{
	return decode(reader, file, FILE_LEVEL);
}
