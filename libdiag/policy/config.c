#include "policy/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "text/json.h"
#include "text/schema.h"
#include "text/yaml.h"

static const char schema_text[] =
#include "policy-schema.inc"
	;

struct diag_config *diag_config_new(void)
{
	struct diag_config *config = diag_xcalloc(1, sizeof(*config));

	config->show = config->fail_on = -1;
	config->grace_ms = -1;
	config->positions = diag_positions_new();
	return config;
}

void diag_config_free(struct diag_config *config)
{
	if (!config)
		return;
	free(config->only);
	free(config->skip);
	free(config->severities);
	free(config->suppressions);
	free(config->path);
	free(config->folder);
	diag_positions_free(config->positions);
	json_decref(config->document);
	free(config);
}

int diag_config_line(const struct diag_config *config, const char *key)
{
	return config->document ? diag_positions_key(config->positions, config->document, key).line
				: 0;
}

static int64_t start_of(const char *day)
{
	char start[32];

	snprintf(start, sizeof(start), "%.10sT00:00:00Z", day);
	return diag_time_parse(start);
}

bool diag_config_is_day(const char *day)
{
	char again[32];

	/* 31 February is the 3rd of March. */
	return strlen(day) == 10 &&
	       strncmp(day, diag_time_format(start_of(day), again, sizeof(again)), 10) == 0;
}

bool diag_config_is_over(const char *last_day, int64_t now_ms)
{
	return now_ms >= start_of(last_day) + DIAG_DAY_MS;
}

/* --- the form --- */

struct validation {
	const struct diag_config *config;
	struct diag_error *err;
	int r; /* of the first fault */
};

static struct diag_position place_of(const struct diag_config *config,
				     const struct diag_schema_fault *fault)
{
	const struct diag_positions *positions = config->positions;

	if (!fault->container)
		return diag_positions_self(positions, config->document);
	return fault->key ? diag_positions_key(positions, fault->container, fault->key)
			  : diag_positions_index(positions, fault->container, fault->index);
}

/* "one of off, info, warning, error", "a day as YYYY-MM-DD", "a string". */
static void say_wanted(struct diag_buf *out, const json_t *schema)
{
	const char *type = diag_json_str(schema, "type"), *title = diag_json_str(schema, "title");
	const json_t *value;
	size_t i;

	json_array_foreach(diag_json_array(schema, "enum"), i, value) {
		diag_autofree char *text = json_dumps(value, JSON_ENCODE_ANY);

		diag_buf_printf(out, "%s%s", i ? ", " : "one of ", text);
	}
	if (!diag_json_array(schema, "enum"))
		diag_buf_printf(out, "%s%s",
				title                         ? ""
				: diag_str_eq(type, "array")  ? "a list"
				: diag_str_eq(type, "object") ? "a map"
							      : "a text that is not empty",
				title ? title : "");
}

static void tell_fault(const struct diag_schema_fault *fault, void *arg)
{
	struct validation *validation = arg;
	struct diag_buf text diag_buf_auto = { 0 };
	int line = place_of(validation->config, fault).line;

	if (validation->r < 0 || fault->told)
		return;
	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	if (fault->rule == DIAG_SCHEMA_UNKNOWN)
		diag_buf_printf(&text, "there is no setting %s", fault->path);
	else if (fault->rule == DIAG_SCHEMA_REQUIRED)
		diag_buf_printf(&text, "%s is missing", fault->path);
	else {
		diag_buf_printf(&text, "%s must be ", *fault->path ? fault->path : "the file");
		say_wanted(&text, fault->schema);
	}
	if (fault->nearest)
		diag_buf_printf(&text, "; did you mean %s?", fault->nearest);
	validation->r = diag_error_set(validation->err, DIAG_E_INVALID, "%s:%d: %s",
				       validation->config->path, line, diag_buf_str(&text));
}

static int validate(const struct diag_config *config, struct diag_error *err)
{
	struct validation validation = { config, err, DIAG_OK };
	json_auto_t *schema = json_loads(schema_text, 0, NULL);

	diag_schema_validate(config->document, schema, tell_fault, &validation);
	return validation.r;
}

/* --- the settings --- */

static int severity_of(const char *name)
{
	for (int i = 0; diag_severity_names[i]; i++)
		if (diag_str_eq(name, diag_severity_names[i]))
			return i;
	return -1;
}

static const char **list_of(const json_t *array)
{
	const char **items = NULL;
	const json_t *item;
	size_t i;

	if (!array)
		return NULL;
	items = diag_xcalloc(json_array_size(array) + 1, sizeof(*items));
	json_array_foreach(array, i, item) {
		items[i] = json_string_value(item);
	}
	return items;
}

static void read_severities(struct diag_config *config)
{
	json_t *map = diag_json_object(config->document, "severities"), *value;
	const char *glob;

	config->severities = diag_xcalloc(json_object_size(map), sizeof(*config->severities));
	json_object_foreach(map, glob, value) {
		config->severities[config->severity_count++] = (struct diag_severity_rule){
			.glob = glob,
			.severity = severity_of(json_string_value(value)),
			.where = diag_positions_key(config->positions, map, glob),
		};
	}
}

static int read_suppressions(struct diag_config *config, struct diag_error *err)
{
	const json_t *list = diag_json_array(config->document, "suppressions"), *entry;
	size_t i;

	config->suppressions = diag_xcalloc(json_array_size(list), sizeof(*config->suppressions));
	json_array_foreach(list, i, entry) {
		struct diag_suppression *s = &config->suppressions[config->suppression_count++];

		*s = (struct diag_suppression){
			.check = diag_json_str(entry, "check"),
			.object = diag_json_str(entry, "object"),
			.file = diag_json_str(entry, "file"),
			.fingerprint = diag_json_str(entry, "fingerprint"),
			.reason = diag_json_str(entry, "reason"),
			.owner = diag_json_str(entry, "owner"),
			.expires = diag_json_str(entry, "expires"),
			.where = diag_positions_index(config->positions, list, i),
		};
		if (!diag_config_is_day(s->expires))
			return diag_error_set(err, DIAG_E_INVALID, "%s:%d: there is no day %s",
					      config->path, s->where.line, s->expires);
	}
	return DIAG_OK;
}

static int read_settings(struct diag_config *config, struct diag_error *err)
{
	const json_t *document = config->document;
	const char *grace = diag_json_str(document, "grace");

	config->show = severity_of(diag_json_str(document, "show"));
	config->fail_on = severity_of(diag_json_str(document, "failOn"));
	config->only = list_of(diag_json_array(document, "only"));
	config->skip = list_of(diag_json_array(document, "skip"));
	read_severities(config);
	if (grace && !diag_duration_parse(grace, &config->grace_ms))
		return diag_error_set(err, DIAG_E_INVALID,
				      "%s:%d: grace must be a duration such as 30s or 1m30s",
				      config->path, diag_config_line(config, "grace"));
	return read_suppressions(config, err);
}

static int load(struct diag_config *config, struct diag_error *err)
{
	struct diag_buf text diag_buf_auto = { 0 };
	json_auto_t *documents = NULL;
	const char *file = diag_positions_file(config->positions, config->path);
	int r;

	diag_buf_init(&text, DIAG_MAX_CONFIG_BYTES);
	r = diag_file_read(config->path, &text, err);
	if (r < 0)
		return r;
	r = diag_yaml_load(diag_buf_str(&text), text.length, config->positions, file, 1, &documents,
			   err);
	if (r < 0)
		return diag_error_prefix(err, r, "%s:%d", config->path, err ? err->line : 0);
	if (json_array_size(documents) != 1)
		return diag_error_set(err, DIAG_E_INVALID,
				      "%s: a configuration is one document, this file holds %zu",
				      config->path, json_array_size(documents));
	config->document = json_incref(json_array_get(documents, 0));
	return DIAG_OK;
}

int diag_config_read(const char *path, struct diag_config **ret_config, struct diag_error *err)
{
	diag_config_auto struct diag_config *config = diag_config_new();
	char *slash;
	int r;

	config->path = diag_xstrdup(path);
	r = load(config, err);
	if (r == 0)
		r = validate(config, err);
	if (r == 0)
		r = read_settings(config, err);
	if (r < 0)
		return r;
	config->folder = diag_file_absolute(path);
	slash = strrchr(config->folder, '/');
	slash[slash == config->folder] = '\0';
	*ret_config = DIAG_STEAL(config);
	return DIAG_OK;
}
