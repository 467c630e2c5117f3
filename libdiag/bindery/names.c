#include "bindery/names.h"

#include <ctype.h>
#include <nettle/sha1.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

enum { MAX_NAME = 253, KEPT = 244 };

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Trim hyphens at both ends, in place; returns the start. */
static char *trim(char *text)
{
	size_t length;

	while (*text == '-')
		text++;
	length = strlen(text);
	while (length && text[length - 1] == '-')
		text[--length] = '\0';
	return text;
}

/* Cut to 244 characters and add the first 8 hex digits of the SHA-1 of the whole. */
static char *shorten(struct diag_arena *arena, char *text)
{
	struct sha1_ctx sha;
	uint8_t digest[SHA1_DIGEST_SIZE];

	if (strlen(text) <= MAX_NAME)
		return text;
	sha1_init(&sha);
	sha1_update(&sha, strlen(text), (const uint8_t *)text);
	sha1_digest(&sha, sizeof(digest), digest);
	text[KEPT] = '\0';
	return diag_arena_printf(arena, "%s-%02x%02x%02x%02x", trim(text), digest[0], digest[1],
				 digest[2], digest[3]);
}

/* N(text) of the reference: lower case, every other run one hyphen, trimmed, at most 253. */
static char *finish(struct diag_arena *arena, const char *text)
{
	char *out = diag_arena_alloc(arena, strlen(text) + 1), *to = out;
	bool in_run = false;

	for (; *text; text++) {
		char c = lower(*text);

		if (is_plain(c))
			*to++ = c;
		else if (!in_run)
			*to++ = '-';
		in_run = !is_plain(c);
	}
	*to = '\0';
	return shorten(arena, trim(out));
}

static char *dots_to_hyphens(struct diag_arena *arena, const char *text)
{
	char *out = diag_arena_strdup(arena, text);

	for (char *p = out; *p; p++)
		if (*p == '.')
			*p = '-';
	return out;
}

/* N'(text): each dot becomes a hyphen first. */
static char *finish_dots(struct diag_arena *arena, const char *text)
{
	return finish(arena, dots_to_hyphens(arena, text));
}

char *bindery_name_binding(struct diag_arena *arena, const char *world, const char *consumer,
			   const char *capability, const char *scope, const char *multiplicity,
			   int64_t shard)
{
	char *text = diag_arena_printf(arena, "cb-%s-%s-%s-%s-%s", world, consumer,
				       dots_to_hyphens(arena, capability), scope, multiplicity);

	if (shard >= 0)
		text = diag_arena_printf(arena, "%s-shard-%lld", text, (long long)shard);
	return finish(arena, text);
}

char *bindery_name_realm_binding(struct diag_arena *arena, const char *realm, const char *module)
{
	char *text = diag_arena_printf(arena, "realm-%s-%s", realm, module);

	for (char *p = text; *p; p++)
		*p = lower(*p);
	return text;
}

char *bindery_name_runtime(struct diag_arena *arena, const char *world, const char *shard,
			   const char *module)
{
	if (diag_str_empty(shard))
		return finish_dots(arena, diag_arena_printf(arena, "rt-%s-%s", world, module));
	return finish_dots(arena,
			   diag_arena_printf(arena, "rt-%s-shard-%s-%s", world, shard, module));
}

char *bindery_name_group(struct diag_arena *arena, const char *world, const char *shard,
			 const char *group)
{
	return bindery_name_runtime(arena, world, shard,
				    diag_arena_printf(arena, "coloc-%s", group));
}

char *bindery_name_shard(struct diag_arena *arena, const char *world, int64_t id)
{
	return finish(arena, diag_arena_printf(arena, "ws-%s-%04lld", world, (long long)id));
}

char *bindery_name_claim(struct diag_arena *arena, const char *world, const char *shard_object,
			 const char *tier)
{
	return finish_dots(arena,
			   diag_arena_printf(arena, "wsc-%s-%s-%s", world, shard_object, tier));
}

char *bindery_name_pvc(struct diag_arena *arena, const char *world, const char *shard_object,
		       const char *tier)
{
	return finish(arena, diag_arena_printf(arena, "pvc-%s-%s-%s", world, shard_object, tier));
}

char *bindery_name_env(struct diag_arena *arena, const char *capability)
{
	char *out = diag_arena_strdup(arena, capability);

	for (char *p = out; *p; p++)
		*p = (char)(*p == '.' ? '_' : toupper((unsigned char)*p));
	return out;
}

bool bindery_scope_is_global(const char *scope)
{
	return diag_str_in(scope, "cluster", "region", "realm", NULL);
}
