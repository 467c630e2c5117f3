/* Certificates and keys, inline or in files, and paths relative to their file. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"
#include "kube/kubeconfig_internal.h"
#include "text/base64.h"
#include "text/json.h"

const char *diag_kubeconfig_field(const struct diag_kubeconfig_entry *entry, const char *key)
{
	const char *text = entry ? json_string_value(json_object_get(entry->value, key)) : NULL;

	return diag_str_empty(text) ? NULL : text;
}

/* Append `path` part by part: "." and empty parts vanish, ".." takes the last part back. */
static void append_clean(struct diag_buf *out, const char *path)
{
	while (*path) {
		size_t length = strcspn(path, "/");

		if (length == 2 && memcmp(path, "..", 2) == 0) {
			while (out->length && out->data[out->length - 1] != '/')
				out->length--;
			if (out->length)
				out->length--;
		} else if (length && !(length == 1 && *path == '.')) {
			diag_buf_putc(out, '/');
			diag_buf_add(out, path, length);
		}
		path += length;
		path += *path == '/';
	}
}

const char *diag_kubeconfig_path(const struct diag_kubeconfig_build *build,
				 const struct diag_kubeconfig_entry *entry, const char *path)
{
	diag_autofree char *working = *entry->file == '/' ? NULL : getcwd(NULL, 0);
	const char *slash = strrchr(entry->file, '/');
	diag_buf_auto struct diag_buf out = { 0 };

	if (*path == '/')
		return path;
	diag_buf_init(&out, DIAG_MAX_MESSAGE);
	append_clean(&out, working ? working : "");
	if (slash) {
		diag_autofree char *folder =
			diag_xstrndup(entry->file, (size_t)(slash - entry->file));

		append_clean(&out, folder);
	}
	append_clean(&out, path);
	return diag_arena_strndup(build->arena, diag_buf_str(&out), out.length);
}

static bool is_pem(const char *text, bool key)
{
	const char *begin = strstr(text, "-----BEGIN ");

	if (!key)
		return strstr(text, "-----BEGIN CERTIFICATE-----");
	return begin && strstr(begin, "PRIVATE KEY-----");
}

static int take(struct diag_kubeconfig_build *build, const struct diag_buf *text, const char *what,
		bool key, const char **ret)
{
	if (strlen(diag_buf_str(text)) != text->length || !is_pem(diag_buf_str(text), key))
		return diag_error_set(build->err, DIAG_E_PARSE, "%s holds no PEM %s", what,
				      key ? "private key" : "certificate");
	*ret = diag_arena_strdup(build->arena, diag_buf_str(text));
	return DIAG_OK;
}

int diag_kubeconfig_read_pem(struct diag_kubeconfig_build *build, const char *path,
			     const char *what, bool key, const char **ret)
{
	diag_buf_auto struct diag_buf text = { 0 };
	int r;

	diag_buf_init(&text, DIAG_MAX_KUBECONFIG_BYTES);
	r = diag_file_read(path, &text, build->err);
	if (r < 0)
		return diag_error_prefix(build->err, r, "%s", what);
	what = diag_arena_printf(build->files->arena, "%s: '%s'", what, path);
	return take(build, &text, what, key, ret);
}

int diag_kubeconfig_pem(struct diag_kubeconfig_build *build,
			const struct diag_kubeconfig_entry *entry,
			const struct diag_kubeconfig_pem *pem, const char **ret)
{
	const char *data = diag_kubeconfig_field(entry, pem->data_key);
	const char *file = diag_kubeconfig_field(entry, pem->file_key);
	diag_buf_auto struct diag_buf text = { 0 };
	const char *what;

	if (!diag_str_empty(pem->flag)) {
		what = diag_arena_printf(build->files->arena, "--%s", pem->file_key);
		return diag_kubeconfig_read_pem(build, pem->flag, what, pem->key, ret);
	}
	if (!data && !file)
		return DIAG_OK;
	what = diag_arena_printf(build->files->arena, "%s of '%s' in '%s'",
				 data ? pem->data_key : pem->file_key, entry->name, entry->file);
	if (!data)
		return diag_kubeconfig_read_pem(build, diag_kubeconfig_path(build, entry, file),
						what, pem->key, ret);
	diag_buf_init(&text, DIAG_MAX_KUBECONFIG_BYTES);
	diag_base64_decode(data, strlen(data), &text); /* checked when it was loaded */
	return take(build, &text, what, pem->key, ret);
}
