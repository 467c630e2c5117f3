#include "cardinal/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

#define DATABASE_LOGIN "postgres:postgres" /* fixed by the platform (section 1.6) */

/* Letters beyond ASCII whose lower case is ASCII. */
static const struct {
	const char *bytes;
	char lower;
} folded[] = {
	{ "\xc4\xb0", 'i' },     /* U+0130 */
	{ "\xe2\x84\xaa", 'k' }, /* U+212A */
};

/* The label's character at `*at`, which moves on; 0 for a separator. */
static char next(const char **at)
{
	char c = **at;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(folded); i++) {
		if (!diag_str_starts(*at, folded[i].bytes))
			continue;
		*at += strlen(folded[i].bytes);
		return folded[i].lower;
	}
	*at += 1;
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '\0';
}

char *cardinal_label(struct diag_arena *arena, const char *name)
{
	char *label = diag_arena_alloc(arena, strlen(name) + 1);
	size_t length = 0;
	bool gap = false;

	while (*name) {
		char c = next(&name);

		if (c && gap && length)
			label[length++] = '-';
		if (c)
			label[length++] = c;
		gap = !c;
	}
	return length ? label : diag_arena_strdup(arena, "unknown");
}

bool cardinal_is_canonical(const char *name)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();

	return diag_str_eq(cardinal_label(arena, name), name);
}

char *cardinal_world_key(struct diag_arena *arena, const char *organization, const char *project)
{
	return diag_arena_printf(arena, "%s/%s", organization, project);
}

char *cardinal_instance(struct diag_arena *arena, const char *shard, int64_t number)
{
	if (number < 2)
		return diag_arena_strdup(arena, shard);
	return diag_arena_printf(arena, "%s-%" PRId64, shard, number);
}

int64_t cardinal_instance_length(const char *shard, int64_t pool_size)
{
	int64_t length = (int64_t)strlen(shard);

	return pool_size > 1 ? length + snprintf(NULL, 0, "-%" PRId64, pool_size) : length;
}

char *cardinal_route(struct diag_arena *arena, const char *organization, const char *project,
		     const char *instance)
{
	return diag_arena_printf(arena, "/%s/%s/%s", cardinal_label(arena, organization),
				 cardinal_label(arena, project), cardinal_label(arena, instance));
}

char *cardinal_url(struct diag_arena *arena, const char *organization, const char *project,
		   const char *instance)
{
	return diag_arena_printf(arena, "http://localhost:8080%s",
				 cardinal_route(arena, organization, project, instance));
}

char *cardinal_image(struct diag_arena *arena, const char *project, const char *id)
{
	return diag_arena_printf(arena, CARDINAL_REGISTRY "/%s/%s", project, id);
}

char *cardinal_bucket(struct diag_arena *arena, const char *organization, const char *project,
		      const char *instance)
{
	return diag_arena_printf(arena, "%s_%s_%s_snapshot", organization, project, instance);
}

/* Cut the last `_` part off; NULL when there is none or it is empty. */
static const char *cut_last(char *text)
{
	char *at = strrchr(text, '_');

	if (!at || at == text || !at[1])
		return NULL;
	*at = '\0';
	return at + 1;
}

bool cardinal_bucket_split(struct diag_arena *arena, const char *bucket,
			   struct cardinal_bucket_parts *ret)
{
	char *text = diag_arena_strdup(arena, bucket);

	if (!diag_str_eq(cut_last(text), "snapshot"))
		return false;
	ret->instance = cut_last(text);
	ret->project = ret->instance ? cut_last(text) : NULL;
	ret->organization = text;
	return ret->project;
}

char *cardinal_service(struct diag_arena *arena, const char *project, const char *id)
{
	return diag_arena_printf(arena, "%s-%s-service", project, id);
}

char *cardinal_database(struct diag_arena *arena, const char *project)
{
	return diag_arena_printf(arena, "%s-db", project);
}

char *cardinal_dsn(struct diag_arena *arena, const char *host, const char *project)
{
	return diag_arena_printf(arena,
				 "postgres://" DATABASE_LOGIN "@%s." CARDINAL_NAMESPACE
				 ".svc.cluster.local:5432/%s?sslmode=disable",
				 host, project);
}
