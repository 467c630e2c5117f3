#include "kube/kubeconfig.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/json.h"
#include "text/yaml.h"

/* The key of a list in the file, and the key of the object in each of its entries. */
static const struct {
	const char *list, *object;
} names[] = {
	[DIAG_KUBECONFIG_CONTEXTS] = { "contexts", "context" },
	[DIAG_KUBECONFIG_CLUSTERS] = { "clusters", "cluster" },
	[DIAG_KUBECONFIG_USERS] = { "users", "user" },
};

const char *diag_kubeconfig_env(const struct diag_kube_flags *flags, const char *name)
{
	const char *const *variables = flags->environment;
	const char *value = NULL;
	size_t length = strlen(name);

	if (!variables)
		value = getenv(name);
	for (; variables && *variables; variables++)
		if (diag_str_starts(*variables, name) && (*variables)[length] == '=')
			value = *variables + length + 1;
	return diag_str_empty(value) ? NULL : value;
}

struct diag_kubeconfig *diag_kubeconfig_new(void)
{
	struct diag_kubeconfig *files = diag_xcalloc(1, sizeof(*files));

	files->arena = diag_arena_new();
	files->documents = json_array();
	files->positions = diag_positions_new();
	for (size_t i = 0; i < DIAG_KUBECONFIG_LISTS; i++)
		files->entries[i] = diag_map_new();
	return files;
}

void diag_kubeconfig_free(struct diag_kubeconfig *files)
{
	if (!files)
		return;
	for (size_t i = 0; i < DIAG_KUBECONFIG_LISTS; i++)
		diag_map_free(files->entries[i]);
	diag_positions_free(files->positions);
	json_decref(files->documents);
	diag_arena_free(files->arena);
	free(files->read);
	free(files->missing);
	free(files);
}

static int add_entry(struct diag_kubeconfig *files, const char *file,
		     enum diag_kubeconfig_list list, const json_t *item, struct diag_error *err)
{
	const char *name = diag_json_str(item, "name");
	struct diag_kubeconfig_entry *entry;

	name = name ? name : "";
	entry = diag_map_get(files->entries[list], name);
	if (entry && entry->seen_in == file)
		return diag_kubeconfig_fail(files->positions, file, item, "name", DIAG_E_PARSE, err,
					    "the %s '%s' is there already", names[list].object,
					    name);
	if (!entry) {
		entry = diag_arena_alloc(files->arena, sizeof(*entry));
		*entry = (struct diag_kubeconfig_entry){
			.name = diag_arena_strdup(files->arena, name),
			.file = file,
			.value = diag_json_object(item, names[list].object),
		};
		diag_map_set(files->entries[list], name, entry);
	}
	entry->seen_in = file;
	return DIAG_OK;
}

static int add_root(struct diag_kubeconfig *files, const char *file, const json_t *root,
		    struct diag_error *err)
{
	const char *current = diag_json_str(root, "current-context");
	json_t *item;
	size_t i;
	int r = diag_kubeconfig_check(root, file, files->positions, err);

	for (size_t list = 0; list < DIAG_KUBECONFIG_LISTS; list++)
		json_array_foreach(diag_json_array(root, names[list].list), i, item)
			if (r == 0 && json_is_object(item))
				r = add_entry(files, file, (enum diag_kubeconfig_list)list, item,
					      err);
	if (r == 0 && !files->current_context && !diag_str_empty(current))
		files->current_context = diag_arena_strdup(files->arena, current);
	return r;
}

/* The text of the parsers quotes what it could not read, which may be half a token: only its line
 * is passed on. */
static int syntax(const char *file, const struct diag_error *inner, const char *language,
		  struct diag_error *err)
{
	diag_error_set(err, inner->code,
		       inner->code == DIAG_E_LIMIT ? "%s:%d: is too large"
						   : "%s:%d: is not valid %s",
		       file, inner->line, language);
	if (err)
		err->line = inner->line, err->column = inner->column;
	return inner->code;
}

static bool looks_like_json(const char *text, size_t length)
{
	size_t i = 0;

	while (i < length && strchr(" \t\r\n", text[i]) && text[i])
		i++;
	return i < length && text[i] == '{';
}

/* JSON is YAML to client-go; what our JSON reader cannot take (comments, a comma too many) may
 * still be YAML. */
static int parse(struct diag_kubeconfig *files, const char *file, const char *text, size_t length,
		 json_t **ret_documents, struct diag_error *err)
{
	struct diag_error inner = DIAG_ERROR_INIT;

	if (looks_like_json(text, length) &&
	    diag_json_load(text, length, files->positions, file, 1, ret_documents, NULL) == 0)
		return DIAG_OK;
	if (diag_yaml_load(text, length, files->positions, file, 1, ret_documents, &inner) == 0)
		return DIAG_OK;
	return syntax(file, &inner, looks_like_json(text, length) ? "JSON" : "YAML", err);
}

int diag_kubeconfig_add(struct diag_kubeconfig *files, const char *file, const char *text,
			size_t length, struct diag_error *err)
{
	json_t *documents = NULL;
	int r;

	file = diag_arena_strdup(files->arena, file);
	r = parse(files, file, text, length, &documents, err);
	if (r < 0)
		return r;
	json_array_append_new(files->documents, documents);
	if (json_array_size(documents) == 0) /* empty, or comments only */
		return DIAG_OK;
	return add_root(files, file, json_array_get(documents, 0), err);
}

static void note(char **list, const char *file)
{
	diag_buf_auto struct diag_buf text = { 0 };

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	diag_buf_printf(&text, "%s%s'%s'", *list ? *list : "", *list ? ", " : "", file);
	free(*list);
	*list = diag_buf_steal(&text);
}

static int load_file(struct diag_kubeconfig *files, const char *file, bool optional,
		     struct diag_error *err)
{
	diag_buf_auto struct diag_buf text = { 0 };
	int r;

	diag_buf_init(&text, DIAG_MAX_KUBECONFIG_BYTES);
	r = diag_file_read(file, &text, err);
	if (r == DIAG_E_NOT_FOUND && optional) {
		note(&files->missing, file);
		return DIAG_OK;
	}
	if (r < 0)
		return diag_error_prefix(err, r, "kubeconfig");
	note(&files->read, file);
	return diag_kubeconfig_add(files, file, diag_buf_str(&text), text.length, err);
}

/* The same path twice in the list counts once. */
static int load_list(struct diag_kubeconfig *files, const char *list, struct diag_error *err)
{
	diag_map_auto struct diag_map *seen = diag_map_new();
	int r = DIAG_OK;

	for (const char *at = list; r == 0 && at; at = strchr(at, ':'), at = at ? at + 1 : NULL) {
		diag_autofree char *file = diag_xstrndup(at, strcspn(at, ":"));

		if (!*file || diag_map_get(seen, file))
			continue;
		diag_map_set(seen, file, files);
		r = load_file(files, file, true, err);
	}
	return r;
}

static int load_home(struct diag_kubeconfig *files, const char *home, struct diag_error *err)
{
	diag_buf_auto struct diag_buf path = { 0 };

	if (!home)
		return DIAG_OK;
	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	diag_buf_printf(&path, "%s/.kube/config", home);
	return load_file(files, diag_buf_str(&path), true, err);
}

int diag_kubeconfig_load(const struct diag_kube_flags *flags, struct diag_kubeconfig **ret,
			 struct diag_error *err)
{
	diag_kubeconfig_auto struct diag_kubeconfig *files = diag_kubeconfig_new();
	const char *list = diag_kubeconfig_env(flags, "KUBECONFIG");
	int r;

	if (!diag_str_empty(flags->kubeconfig))
		r = load_file(files, flags->kubeconfig, false, err);
	else if (list)
		r = load_list(files, list, err);
	else
		r = load_home(files, diag_kubeconfig_env(flags, "HOME"), err);
	if (r < 0)
		return r;
	*ret = DIAG_STEAL(files);
	return DIAG_OK;
}
