/* Settings, variables, arguments, annotations: the places in objects that hold text of others. */
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/json.h"
#include "text/redact_internal.h"

#define LAST_APPLIED "kubectl.kubernetes.io/last-applied-configuration"

struct slice diag_redact_text_of(const json_t *value)
{
	return (struct slice){ json_string_value(value), json_string_length(value) };
}

static void set_text(json_t *value, const struct diag_buf *buf)
{
	/* A copy cut by the ceiling or broken by it must not survive in part. */
	if (diag_buf_failed(buf) || json_string_setn(value, diag_buf_str(buf), buf->length) < 0)
		json_string_set(value, DIAG_REDACT_WITHHELD);
}

static size_t ceiling_for(struct slice text)
{
	/* A token is at most 24 bytes and stands for at least one. */
	return text.length * 24 + 64;
}

/* Text that may contain a secret among other things. */
void diag_redact_string(struct walk *walk, json_t *value)
{
	struct slice text = diag_redact_text_of(value);
	diag_buf_auto struct diag_buf buf = { 0 };

	if (text.length < 4)
		return;
	diag_buf_init(&buf, ceiling_for(text));
	if (diag_redact_apply(walk->redact, text, walk->learn, &buf))
		set_text(value, &buf);
}

/* Put a token in the place of everything from byte `start` on. */
static void mask_from(struct walk *walk, json_t *value, size_t start)
{
	struct slice text = diag_redact_text_of(value);
	struct slice secret = { text.text + start, text.length - start };
	diag_buf_auto struct diag_buf buf = { 0 };

	diag_buf_init(&buf, ceiling_for(text));
	diag_buf_add(&buf, text.text, start);
	diag_redact_put_token(walk->redact, diag_redact_trim(secret), &buf);
	set_text(value, &buf);
}

/* A string that is a secret from end to end. */
static void mask_string(struct walk *walk, json_t *value)
{
	mask_from(walk, value, 0);
}

static bool is_line(struct slice text)
{
	return !memchr(diag_redact_trim(text).text, '\n', diag_redact_trim(text).length);
}

/* host:port, a name or a path: what the operator writes into BINDERY_* variables. */
static bool is_endpoint(struct slice text)
{
	for (size_t i = 0; i < text.length; i++)
		if (!isalnum((unsigned char)text.text[i]) &&
		    (!text.text[i] || !strchr(".-_:/[]", text.text[i])))
			return false;
	return true;
}

/* Its name alone decides: whatever a credential's variable holds is masked, but for switches and
 * the like. */
void diag_redact_variable(struct walk *walk, const char *name, json_t *value)
{
	struct name_verdict verdict = diag_redact_judge_name(name, strlen(name));
	struct slice text = diag_redact_text_of(value);
	bool secret = verdict.class >= NAME_AUTH
			      ? !diag_redact_is_exempt(diag_redact_trim(text))
			      : diag_redact_judge_value(verdict, VALUE_EQUALS, text);

	if (!json_is_string(value))
		return;
	if (!secret) {
		if (!diag_str_starts(name, "BINDERY_") || !is_endpoint(text))
			diag_redact_string(walk, value);
		return;
	}
	/* A URL in it may hold the password that shows up elsewhere. */
	diag_redact_learn_within(walk->redact, text);
	if (verdict.class == NAME_AUTH)
		diag_redact_learn_found(walk->redact, text);
	else
		diag_redact_learn(walk->redact, text.text, text.length);
	mask_string(walk, value);
}

/* A setting in a map: the name must be as plain a credential's as in text. */
static void redact_setting(struct walk *walk, const char *name, json_t *value)
{
	const char *slash = strrchr(name, '/');
	struct name_verdict verdict;
	struct slice text = diag_redact_text_of(value);

	name = slash ? slash + 1 : name;
	verdict = diag_redact_judge_name(name, strlen(name));
	if (!is_line(text) ||
	    !diag_redact_judge_value(verdict, VALUE_QUOTED, diag_redact_trim(text))) {
		diag_redact_string(walk, value);
		return;
	}
	if (walk->learn) {
		diag_redact_learn_within(walk->redact, text);
		diag_redact_learn_found(walk->redact, text);
	}
	mask_string(walk, value);
}

/* {"name": "DB_PASSWORD", "value": "..."}: a variable or a header. */
static bool redact_named(struct walk *walk, json_t *object)
{
	const char *name = diag_json_str(object, "name");
	json_t *value = json_object_get(object, "value");

	if (!name || !json_is_string(value))
		return false;
	diag_redact_variable(walk, name, value);
	return true;
}

/* curl's user:password; not uid:gid. */
static bool is_login(struct slice flag, const char *value)
{
	const char *colon = strchr(value, ':');

	return colon && colon[1] && strncmp(colon + 1, "***HIDDEN", 9) != 0 &&
	       strspn(colon + 1, "0123456789") != strlen(colon + 1) &&
	       (diag_str_eq(flag.text, "-u") || diag_str_eq(flag.text, "--user"));
}

/* Arguments: a flag may have its value in the next element. */
static void redact_array(struct walk *walk, json_t *array)
{
	const json_t *before = NULL;
	json_t *value;
	size_t i;

	json_array_foreach(array, i, value) {
		struct slice flag = diag_redact_text_of(before);
		const char *text = json_string_value(value);

		before = value;
		if (!text || flag.length < 2 || flag.text[0] != '-' || text[0] == '-') {
			diag_redact_any(walk, NULL, value);
		} else if (is_login(flag, text)) {
			mask_from(walk, value, (size_t)(strchr(text, ':') + 1 - text));
		} else if (strchr(flag.text, '=')) {
			diag_redact_string(walk, value);
		} else {
			redact_setting(walk, flag.text, value);
		}
	}
}

/* Everything below a value; `name` is the key it stands under, or NULL. */
void diag_redact_any(struct walk *walk, const char *name, json_t *value)
{
	const char *key;
	json_t *child;

	if (walk->depth >= DIAG_MAX_DEPTH)
		return;
	walk->depth++;
	if (json_is_string(value) && name) {
		redact_setting(walk, name, value);
	} else if (json_is_string(value)) {
		diag_redact_string(walk, value);
	} else if (json_is_array(value)) {
		redact_array(walk, value);
	} else if (json_is_object(value)) {
		bool named = redact_named(walk, value);

		json_object_foreach(value, key, child) {
			if (!named || strcmp(key, "value") != 0)
				diag_redact_any(walk, key, child);
		}
	}
	walk->depth--;
}

/* --- pods --- */

static void redact_container(struct walk *walk, json_t *container)
{
	static const char *const keys[] = { "command",        "args",         "livenessProbe",
					    "readinessProbe", "startupProbe", "lifecycle" };
	json_t *variable;
	size_t i;

	json_array_foreach(json_object_get(container, "env"), i, variable)
		redact_named(walk, variable);
	for (i = 0; i < DIAG_ARRAY_SIZE(keys); i++)
		diag_redact_any(walk, NULL, json_object_get(container, keys[i]));
}

void diag_redact_pod_spec(struct walk *walk, const json_t *spec)
{
	static const char *const lists[] = { "initContainers", "containers",
					     "ephemeralContainers" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(lists); i++) {
		json_t *container;
		size_t j;

		json_array_foreach(json_object_get(spec, lists[i]), j, container)
			redact_container(walk, container);
	}
}

/* --- annotations --- */

/* The object as it was applied, as text: redacted as an object, as plain text when it is none. */
static void redact_applied(struct walk *walk, json_t *value, bool secret)
{
	struct slice text = diag_redact_text_of(value);
	size_t before = diag_redact_masked(walk->redact);
	json_auto_t *object = json_loadb(text.text, text.length, 0, NULL);
	diag_autofree char *dump = NULL;

	if (!json_is_object(object)) {
		if (secret && !diag_redact_is_masked(text))
			mask_string(walk, value);
		else
			diag_redact_string(walk, value);
		return;
	}
	diag_redact_one(walk, object);
	if (diag_redact_masked(walk->redact) == before)
		return;
	dump = json_dumps(object, JSON_COMPACT);
	json_string_set(value, dump ? dump : DIAG_REDACT_WITHHELD);
}

/* Keys that Kubernetes, its packagers and controllers write: about a Secret, not part of it. */
static bool is_system_key(const char *key)
{
	static const char *const domains[] = { "kubernetes.io",   "k8s.io",      "helm.sh",
					       "cert-manager.io", "argoproj.io", "fluxcd.io",
					       "openshift.io" };
	const char *slash = strchr(key, '/');
	size_t length = slash ? (size_t)(slash - key) : 0;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(domains); i++) {
		size_t domain = strlen(domains[i]);

		if (length >= domain && memcmp(key + length - domain, domains[i], domain) == 0)
			return true;
	}
	return false;
}

/* Whoever wrote an annotation on a Secret may have put an old value there. */
static void redact_secret_annotation(struct walk *walk, json_t *value)
{
	struct slice text = diag_redact_trim(diag_redact_text_of(value));

	if (diag_redact_is_exempt(text))
		return;
	diag_redact_learn_within(walk->redact, text);
	diag_redact_learn_found(walk->redact, text);
	mask_string(walk, value);
}

void diag_redact_annotations(struct walk *walk, const json_t *metadata, bool secret)
{
	const char *key;
	json_t *value;

	json_object_foreach(diag_json_object(metadata, "annotations"), key, value) {
		if (!json_is_string(value))
			continue;
		if (strcmp(key, LAST_APPLIED) == 0)
			redact_applied(walk, value, secret);
		else if (secret && !is_system_key(key))
			redact_secret_annotation(walk, value);
		else
			redact_setting(walk, key, value);
	}
}
