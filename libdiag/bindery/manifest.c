#include "bindery/manifest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "text/json.h"

enum { DEFAULT_PORT = 50051, MAX_PORT = 65535 };

static const char *trimmed(struct diag_arena *arena, const char *text)
{
	size_t length;
	const char *start = text ? diag_str_trim(text, &length) : NULL;

	return start && length ? diag_arena_strndup(arena, start, length) : NULL;
}

static bool is_blank(const char *text)
{
	size_t length = 0;

	if (text)
		diag_str_trim(text, &length);
	return !length;
}

const char *bindery_manifest_annotation(const json_t *manifest, const char *name)
{
	const char *text;
	char key[64];

	snprintf(key, sizeof(key), "bindery.dev/%s", name);
	text = diag_json_str(manifest, "metadata", "annotations", key);
	return is_blank(text) ? NULL : text;
}

/* A decimal number as Go's strconv reads one, white space around it aside; -1: none, or negative.
 */
static int64_t number(const char *text)
{
	size_t length;
	const char *start = text ? diag_str_trim(text, &length) : NULL;
	int64_t value = 0;

	if (!start || !length)
		return -1;
	if (*start == '+' && length > 1) {
		start++;
		length--;
	}
	for (size_t i = 0; i < length; i++) {
		if (start[i] < '0' || start[i] > '9' || __builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, start[i] - '0', &value))
			return -1;
	}
	return value;
}

const char *bindery_manifest_trimmed(struct diag_arena *arena, const json_t *manifest,
				     const char *name)
{
	return trimmed(arena, bindery_manifest_annotation(manifest, name));
}

const char *bindery_manifest_image(const json_t *manifest)
{
	const char *image = diag_json_str(manifest, "spec", "runtime", "image");

	return is_blank(image) ? bindery_manifest_annotation(manifest, "runtime-image") : image;
}

int64_t bindery_manifest_port(const json_t *manifest)
{
	int64_t port = diag_json_int(manifest, 0, "spec", "runtime", "port");

	if (port >= 1 && port <= MAX_PORT)
		return port;
	port = number(bindery_manifest_annotation(manifest, "runtime-port"));
	return port >= 1 && port <= MAX_PORT ? port : DEFAULT_PORT;
}

int64_t bindery_manifest_grace(const json_t *manifest)
{
	int64_t seconds =
		diag_json_int(manifest, -1, "spec", "runtime", "terminationGracePeriodSeconds");

	return seconds >= 0
		       ? seconds
		       : number(bindery_manifest_annotation(manifest, "termination-grace-period"));
}

const char *bindery_manifest_pre_stop(struct diag_arena *arena, const json_t *manifest)
{
	const char *command =
		trimmed(arena, diag_json_str(manifest, "spec", "runtime", "preStopCommand"));

	return command ? command : bindery_manifest_trimmed(arena, manifest, "pre-stop-command");
}
