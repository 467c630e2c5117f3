#include "bundle/name.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

/* C0, DEL, and the C1 controls U+0080 to U+009F, which terminals obey just the same. */
static bool has_control(const char *name)
{
	for (const unsigned char *p = (const unsigned char *)name; *p; p++)
		if (*p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0))
			return true;
	return false;
}

/* Append the parts of `path` to `out`; false when ".." climbs above the top. */
static bool append_parts(struct diag_buf *out, const char *path)
{
	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && memcmp(path, "..", 2) == 0) {
			const char *text = diag_buf_str(out);
			const char *slash = strrchr(text, '/');

			if (!out->length)
				return false;
			out->length = slash ? (size_t)(slash - text) : 0;
			out->data[out->length] = '\0';
		} else if (length && !(length == 1 && *path == '.')) {
			if (out->length)
				diag_buf_putc(out, '/');
			diag_buf_add(out, path, length);
		}
		path += length + (path[length] == '/');
	}
	return !diag_buf_failed(out);
}

static bool climbs(const char *name)
{
	const char *at = name;

	while (*at) {
		size_t length = strcspn(at, "/");

		if (length == 2 && memcmp(at, "..", 2) == 0)
			return true;
		at += length + (at[length] == '/');
	}
	return false;
}

char *diag_bundle_name(const char *name, const char **ret_reason)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, strlen(name) + 1);
	if (has_control(name))
		*ret_reason = "its name has control characters";
	else if (*name == '/')
		*ret_reason = "its name is absolute";
	else if (climbs(name))
		*ret_reason = "its name leads upwards with '..'";
	else {
		append_parts(&out, name);
		return diag_buf_steal(&out);
	}
	return NULL;
}

char *diag_bundle_link_target(const char *name, const char *target)
{
	const char *slash = strrchr(name, '/');
	struct diag_buf out diag_buf_auto = { 0 };

	if (!target || !*target || *target == '/' || has_control(target))
		return NULL;
	diag_buf_init(&out, strlen(name) + strlen(target) + 1);
	if (slash)
		diag_buf_add(&out, name, (size_t)(slash - name));
	if (!append_parts(&out, target) || !out.length)
		return NULL;
	return diag_buf_steal(&out);
}
