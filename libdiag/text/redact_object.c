/* Where in a Kubernetes object foreign text stands, and what is done about it. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"
#include "base/macros.h"
#include "base/str.h"
#include "text/json.h"
#include "text/redact_internal.h"

static json_t *mask_of(struct diag_redact *redact, const char *value, size_t length)
{
	struct diag_buf mask diag_buf_auto = { 0 };
	json_t *string;

	diag_buf_init(&mask, DIAG_MAX_MESSAGE);
	diag_redact_put_mask(&mask, diag_redact_number(redact, value, length));
	string = json_string(diag_buf_str(&mask));
	return string;
}

/* A masked copy of a string, or NULL when it may stay. */
static json_t *masked_text(struct diag_redact *redact, const json_t *string)
{
	struct diag_buf masked diag_buf_auto = { 0 };

	diag_buf_init(&masked, DIAG_MAX_FILE_BYTES);
	if (!diag_redact_text(redact, json_string_value(string), json_string_length(string),
			      &masked))
		return NULL;
	return json_stringn_nocheck(diag_buf_str(&masked), masked.length);
}

/* Names of variables whose value is a credential, whatever it looks like. */
static bool is_credential_name(const char *name)
{
	static const char *const words[] = {
		"PASSWORD",   "PASSWD",      "PASSPHRASE",  "PWD",         "SECRET",
		"TOKEN",      "APIKEY",      "API_KEY",     "ACCESS_KEY",  "AUTH",
		"CREDENTIAL", "PRIVATE_KEY", "DSN",         "CONNECTION",  "CONN_STR",
		"COOKIE",     "SALT",        "SIGNING_KEY", "LICENSE_KEY", "ENCRYPTION_KEY",
	};

	if (diag_str_starts(name, "BINDERY_CAPABILITY_") || diag_str_starts(name, "BINDERY_UDS_"))
		return false; /* the operator's own: addresses */
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(words); i++)
		if (strcasestr(name, words[i]))
			return true;
	return false;
}

/* `holder[key]` is the value of the variable `name`. */
static void redact_variable(struct diag_redact *redact, json_t *holder, const char *key,
			    const char *name)
{
	const json_t *value = json_object_get(holder, key);
	json_t *masked;

	if (!json_is_string(value) || !name)
		return;
	if (is_credential_name(name) && json_string_length(value) &&
	    !diag_str_starts(json_string_value(value), "***HIDDEN")) {
		diag_redact_learn(redact, json_string_value(value), json_string_length(value));
		masked = mask_of(redact, json_string_value(value), json_string_length(value));
	} else {
		masked = masked_text(redact, value);
	}
	if (masked)
		json_object_set_new(holder, key, masked);
}

/* env of a container is a list of {name, value}; of a ModuleManifest a map. */
static void redact_env(struct diag_redact *redact, json_t *env)
{
	const char *name;
	json_t *entry;
	void *next;
	size_t i;

	json_array_foreach(env, i, entry)
		redact_variable(redact, entry, "value", diag_json_str(entry, "name"));
	json_object_foreach_safe(env, next, name, entry) redact_variable(redact, env, name, name);
}

/* Every string below, by pattern. */
static void redact_strings(struct diag_redact *redact, json_t *value)
{
	const char *key;
	json_t *entry, *masked;
	void *next;
	size_t i;

	json_array_foreach(value, i, entry) {
		masked = json_is_string(entry) ? masked_text(redact, entry) : NULL;
		if (masked)
			json_array_set_new(value, i, masked);
		else
			redact_strings(redact, entry);
	}
	json_object_foreach_safe(value, next, key, entry)
	{
		masked = json_is_string(entry) ? masked_text(redact, entry) : NULL;
		if (masked)
			json_object_set_new(value, key, masked);
		else
			redact_strings(redact, entry);
	}
}

static int digit_of(char c)
{
	const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

static void learn_base64(struct diag_redact *redact, const char *text)
{
	struct diag_buf value diag_buf_auto = { 0 };
	unsigned bits = 0;
	int have = 0;

	diag_buf_init(&value, DIAG_MAX_FILE_BYTES);
	for (; *text; text++) {
		int digit = digit_of(*text);

		if (digit < 0)
			continue;
		bits = bits << 6 | (unsigned)digit;
		have += 6;
		if (have >= 8) {
			have -= 8;
			diag_buf_putc(&value, (char)(bits >> have & 255));
		}
	}
	diag_redact_learn(redact, diag_buf_str(&value), value.length);
}

/* Keys and sizes of a Secret stay, its values never. */
static void redact_secret_data(struct diag_redact *redact, json_t *data, bool base64)
{
	const char *key;
	json_t *value;
	void *next;

	json_object_foreach_safe(data, next, key, value)
	{
		const char *text = json_string_value(value);

		if (!text || diag_str_starts(text, "***HIDDEN"))
			continue;
		if (base64)
			learn_base64(redact, text);
		else
			diag_redact_learn(redact, text, json_string_length(value));
		json_object_set_new(data, key, mask_of(redact, text, json_string_length(value)));
	}
}

/* Members that hold foreign text, wherever in an object they stand. */
static bool holds_text(const char *key)
{
	return diag_str_in(key, "command", "args", "annotations", "message", "note", "data",
			   "binaryData", "preStopCommand", NULL);
}

/* First the variables, wherever they stand: what they teach masks the texts of the same object,
 * too. */
static void walk_env(struct diag_redact *redact, json_t *value)
{
	const char *key;
	json_t *entry;
	void *next;
	size_t i;

	json_array_foreach(value, i, entry)
		walk_env(redact, entry);
	json_object_foreach_safe(value, next, key, entry)
	{
		if (strcmp(key, "env") == 0)
			redact_env(redact, entry);
		else
			walk_env(redact, entry);
	}
}

static void walk_texts(struct diag_redact *redact, json_t *value)
{
	const char *key;
	json_t *entry, *masked;
	void *next;
	size_t i;

	json_array_foreach(value, i, entry)
		walk_texts(redact, entry);
	json_object_foreach_safe(value, next, key, entry)
	{
		if (!holds_text(key)) {
			walk_texts(redact, entry);
		} else if (json_is_string(entry)) {
			masked = masked_text(redact, entry);
			if (masked)
				json_object_set_new(value, key, masked);
		} else {
			redact_strings(redact, entry);
		}
	}
}

void diag_redact_object(struct diag_redact *redact, json_t *object)
{
	if (diag_str_eq(diag_json_str(object, "kind"), "Secret")) {
		redact_secret_data(redact, json_object_get(object, "data"), true);
		redact_secret_data(redact, json_object_get(object, "stringData"), false);
	}
	walk_env(redact, object);
	walk_texts(redact, object);
}
