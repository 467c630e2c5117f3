/* Rules of the file's head: organization, project, auth; then those of the other parts. */
#include <string.h>

#include "base/map.h"
#include "base/str.h"

#include "cardinal/names.h"
#include "cardinal/world_internal.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

static void not_canonical(struct cardinal_reader *reader, const struct cardinal_table *table,
			  const char *key, const char *name)
{
	cardinal_problem(reader, table, key, "C43", DIAG_SEVERITY_ERROR,
			 "'%s' is no DNS label: objects and URLs cannot be named so; '%s' can",
			 name, cardinal_label(reader->arena, name));
}

static void judge_organization(struct cardinal_reader *reader, const struct cardinal_table *file)
{
	const char *name = cardinal_table_name(reader, file, "organization");

	reader->world->organization = name;
	if (!*name)
		cardinal_problem(reader, file, "organization", "C41", DIAG_SEVERITY_ERROR,
				 "the organization is missing");
	else if (name[strspn(name, NAME_CHARACTERS)])
		cardinal_problem(reader, file, "organization", "C41", DIAG_SEVERITY_ERROR,
				 "organization '%s' may hold only letters, digits, _ and -", name);
}

static void judge_project(struct cardinal_reader *reader, const struct cardinal_table *file)
{
	const char *name = cardinal_table_name(reader, file, "project");

	reader->world->project = name;
	if (!*name)
		cardinal_problem(reader, file, "project", "C41", DIAG_SEVERITY_ERROR,
				 "the project is missing");
	else if (!cardinal_is_canonical(name))
		not_canonical(reader, file, "project", name);
}

/* What Go's net/url calls a URL with a host, as far as people get it wrong. */
static bool is_http_url(const char *url)
{
	const char *host = diag_str_starts(url, "https://")  ? url + 8
			   : diag_str_starts(url, "http://") ? url + 7
							     : "";

	return *host && !strchr("/?#:", *host) && !strpbrk(host, " \t\r\n");
}

static void judge_auth(struct cardinal_reader *reader, const struct cardinal_table *file)
{
	struct cardinal_table auth = cardinal_table_at(reader, file, "auth");
	const char *mode = cardinal_table_text(&auth, "mode");
	const char *url = cardinal_table_text(&auth, "url");
	size_t length = strlen(url);

	reader->world->auth_mode = *mode ? mode : "dev";
	if (length && url[length - 1] == '/')
		url = diag_arena_strndup(reader->arena, url, length - 1);
	reader->world->auth_url = url;
	if (!diag_str_in(reader->world->auth_mode, "dev", "argus", NULL))
		cardinal_problem(reader, &auth, "mode", "C41", DIAG_SEVERITY_ERROR,
				 "auth mode '%s' is neither 'dev' nor 'argus'", mode);
	else if (!strcmp(reader->world->auth_mode, "argus") && !is_http_url(url))
		cardinal_problem(reader, &auth, "url", "C41", DIAG_SEVERITY_ERROR,
				 "auth mode 'argus' needs an http or https URL, not '%s'", url);
}

bool cardinal_world_id(struct cardinal_reader *reader, const struct cardinal_table *table,
		       const char *id, struct diag_map *seen)
{
	const char *first = diag_map_get(seen, id);

	if (!*id) {
		cardinal_problem(reader, table, "id", "C41", DIAG_SEVERITY_ERROR,
				 "the id is missing");
		return true;
	}
	if (first) {
		cardinal_problem(reader, table, "id", "C41", DIAG_SEVERITY_ERROR,
				 "id '%s' is taken by %s", id, first);
		return false;
	}
	diag_map_set(seen, id, diag_arena_strdup(reader->arena, table->label));
	if (!cardinal_is_canonical(id))
		not_canonical(reader, table, "id", id);
	return true;
}

void cardinal_world_judge(struct cardinal_reader *reader, const struct cardinal_table *file)
{
	judge_organization(reader, file);
	judge_project(reader, file);
	judge_auth(reader, file);
	cardinal_world_shards(reader, file);
	cardinal_world_expand(reader, file);
	cardinal_world_services(reader, file);
}
