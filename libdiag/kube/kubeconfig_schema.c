/*
 * The fields of a kubeconfig that are read, and their types. encoding/json refuses a wrong type
 * wherever it stands, so does this. Source: client-go tools/clientcmd/api/v1/types.go.
 */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "kube/kubeconfig.h"
#include "text/base64.h"

enum type { STRING, BOOLEAN, BYTES, STRINGS, STRING_MAP, STRINGS_MAP, GROUP, ENTRIES };

struct field {
	const char *name;
	enum type type;
	const struct field *fields; /* of a GROUP, or of each of the ENTRIES */
};

static const struct field extension_fields[] = { { "name", STRING, NULL }, { 0 } };

static const struct field preferences_fields[] = {
	{ "colors", BOOLEAN, NULL },
	{ "extensions", ENTRIES, extension_fields },
	{ 0 },
};

static const struct field cluster_fields[] = {
	{ "server", STRING, NULL },
	{ "tls-server-name", STRING, NULL },
	{ "insecure-skip-tls-verify", BOOLEAN, NULL },
	{ "certificate-authority", STRING, NULL },
	{ "certificate-authority-data", BYTES, NULL },
	{ "proxy-url", STRING, NULL },
	{ "disable-compression", BOOLEAN, NULL },
	{ "extensions", ENTRIES, extension_fields },
	{ 0 },
};

static const struct field variable_fields[] = {
	{ "name", STRING, NULL },
	{ "value", STRING, NULL },
	{ 0 },
};

static const struct field exec_fields[] = {
	{ "command", STRING, NULL },         { "args", STRINGS, NULL },
	{ "env", ENTRIES, variable_fields }, { "apiVersion", STRING, NULL },
	{ "installHint", STRING, NULL },     { "provideClusterInfo", BOOLEAN, NULL },
	{ "interactiveMode", STRING, NULL }, { 0 },
};

static const struct field provider_fields[] = {
	{ "name", STRING, NULL },
	{ "config", STRING_MAP, NULL },
	{ 0 },
};

static const struct field user_fields[] = {
	{ "client-certificate", STRING, NULL },
	{ "client-certificate-data", BYTES, NULL },
	{ "client-key", STRING, NULL },
	{ "client-key-data", BYTES, NULL },
	{ "token", STRING, NULL },
	{ "tokenFile", STRING, NULL },
	{ "as", STRING, NULL },
	{ "as-uid", STRING, NULL },
	{ "as-groups", STRINGS, NULL },
	{ "as-user-extra", STRINGS_MAP, NULL },
	{ "username", STRING, NULL },
	{ "password", STRING, NULL },
	{ "auth-provider", GROUP, provider_fields },
	{ "exec", GROUP, exec_fields },
	{ "extensions", ENTRIES, extension_fields },
	{ 0 },
};

static const struct field context_fields[] = {
	{ "cluster", STRING, NULL },
	{ "user", STRING, NULL },
	{ "namespace", STRING, NULL },
	{ "extensions", ENTRIES, extension_fields },
	{ 0 },
};

static const struct field named_cluster[] = {
	{ "name", STRING, NULL },
	{ "cluster", GROUP, cluster_fields },
	{ 0 },
};

static const struct field named_user[] = {
	{ "name", STRING, NULL },
	{ "user", GROUP, user_fields },
	{ 0 },
};

static const struct field named_context[] = {
	{ "name", STRING, NULL },
	{ "context", GROUP, context_fields },
	{ 0 },
};

static const struct field root_fields[] = {
	{ "kind", STRING, NULL },
	{ "apiVersion", STRING, NULL },
	{ "preferences", GROUP, preferences_fields },
	{ "clusters", ENTRIES, named_cluster },
	{ "users", ENTRIES, named_user },
	{ "contexts", ENTRIES, named_context },
	{ "current-context", STRING, NULL },
	{ "extensions", ENTRIES, extension_fields },
	{ 0 },
};

static bool is_string(json_t *value)
{
	return !value || json_is_null(value) || json_is_string(value);
}

static bool is_boolean(json_t *value)
{
	return json_is_boolean(value);
}

static bool is_bytes(json_t *value)
{
	diag_buf_auto struct diag_buf bytes = { 0 };

	diag_buf_init(&bytes, DIAG_MAX_KUBECONFIG_BYTES);
	return json_is_string(value) &&
	       diag_base64_decode(json_string_value(value), json_string_length(value), &bytes);
}

static bool is_strings(json_t *value)
{
	json_t *item;
	size_t i;

	json_array_foreach(value, i, item)
		if (!is_string(item))
			return false;
	return json_is_array(value);
}

static bool is_string_map(json_t *value)
{
	const char *key;
	json_t *item;

	json_object_foreach(value, key, item)
		if (!is_string(item))
			return false;
	return json_is_object(value);
}

static bool is_strings_map(json_t *value)
{
	const char *key;
	json_t *item;

	json_object_foreach(value, key, item)
		if (!json_is_null(item) && !is_strings(item))
			return false;
	return json_is_object(value);
}

static bool is_group(json_t *value)
{
	return json_is_object(value);
}

static bool is_entries(json_t *value)
{
	json_t *item;
	size_t i;

	json_array_foreach(value, i, item)
		if (!json_is_object(item) && !json_is_null(item))
			return false;
	return json_is_array(value);
}

static const struct {
	bool (*is)(json_t *value);
	const char *what;
} types[] = {
	[STRING] = { is_string, "a string" },
	[BOOLEAN] = { is_boolean, "true or false" },
	[BYTES] = { is_bytes, "base64" },
	[STRINGS] = { is_strings, "a list of strings" },
	[STRING_MAP] = { is_string_map, "a map of strings" },
	[STRINGS_MAP] = { is_strings_map, "a map of lists of strings" },
	[GROUP] = { is_group, "a map" },
	[ENTRIES] = { is_entries, "a list of maps" },
};

int diag_kubeconfig_fail(const struct diag_positions *positions, const char *file,
			 const json_t *container, const char *key, int code, struct diag_error *err,
			 const char *format, ...)
{
	struct diag_position where = diag_positions_key(positions, container, key);
	diag_buf_auto struct diag_buf text = { 0 };
	va_list args;

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	va_start(args, format);
	diag_buf_vprintf(&text, format, args);
	va_end(args);
	if (where.line)
		diag_error_set(err, code, "%s:%d: %s", file, where.line, diag_buf_str(&text));
	else
		diag_error_set(err, code, "%s: %s", file, diag_buf_str(&text));
	if (err)
		err->line = where.line, err->column = where.column;
	return code;
}

struct checking {
	const char *file;
	const struct diag_positions *positions;
	struct diag_error *err;
};

static int check_field(const struct checking *checking, const json_t *object,
		       const struct field *field);

static int check_fields(const struct checking *checking, const json_t *object,
			const struct field *fields)
{
	int r = DIAG_OK;

	for (const struct field *field = fields; r == 0 && field->name; field++)
		r = check_field(checking, object, field);
	return r;
}

static int check_field(const struct checking *checking, const json_t *object,
		       const struct field *field)
{
	json_t *value = json_object_get(object, field->name), *item;
	int r = DIAG_OK;
	size_t i;

	if (!value || json_is_null(value))
		return DIAG_OK;
	if (!types[field->type].is(value))
		return diag_kubeconfig_fail(
			checking->positions, checking->file, object, field->name, DIAG_E_PARSE,
			checking->err, "'%s' must be %s", field->name, types[field->type].what);
	if (json_string_value(value) &&
	    strlen(json_string_value(value)) != json_string_length(value))
		return diag_kubeconfig_fail(checking->positions, checking->file, object,
					    field->name, DIAG_E_PARSE, checking->err,
					    "'%s' holds a zero byte", field->name);
	if (field->type == GROUP)
		return check_fields(checking, value, field->fields);
	if (field->type == ENTRIES)
		json_array_foreach(value, i, item)
			if (r == 0)
				r = check_fields(checking, item, field->fields);
	return r;
}

int diag_kubeconfig_check(const json_t *root, const char *file,
			  const struct diag_positions *positions, struct diag_error *err)
{
	const struct checking checking = { file, positions, err };
	const char *kind, *version;

	if (!json_is_object(root))
		return diag_error_set(err, DIAG_E_PARSE, "%s: a kubeconfig must be a map", file);
	if (check_fields(&checking, root, root_fields) < 0)
		return DIAG_E_PARSE;
	kind = json_string_value(json_object_get(root, "kind"));
	version = json_string_value(json_object_get(root, "apiVersion"));
	if (kind && *kind && strcmp(kind, "Config") != 0)
		return diag_kubeconfig_fail(positions, file, root, "kind", DIAG_E_PARSE, err,
					    "is a '%s', no kubeconfig (kind: Config)", kind);
	if (version && *version && strcmp(version, "v1") != 0)
		return diag_kubeconfig_fail(positions, file, root, "apiVersion", DIAG_E_PARSE, err,
					    "the apiVersion is '%s', not 'v1'", version);
	return DIAG_OK;
}
