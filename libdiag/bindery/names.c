#include "bindery/names.h"

#include <nettle/sha1.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
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

static char upper(char c)
{
	return (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
}

/* Begin a name; the prefix makes sure that there is text even when the rest does not fit. */
static void begin(struct diag_buf *text, const char *prefix)
{
	diag_buf_init(text, 4 * DIAG_MAX_FILE_BYTES);
	diag_buf_puts(text, prefix);
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
	size_t length = strlen(text);

	if (length <= MAX_NAME)
		return diag_arena_strndup(arena, text, length);
	sha1_init(&sha);
	sha1_update(&sha, length, (const uint8_t *)text);
	sha1_digest(&sha, sizeof(digest), digest);
	text[KEPT] = '\0';
	return diag_arena_printf(arena, "%s-%02x%02x%02x%02x", trim(text), digest[0], digest[1],
				 digest[2], digest[3]);
}

/* N(text) of the reference: lower case, every other run one hyphen, trimmed, at most 253. */
static char *finish(struct diag_arena *arena, struct diag_buf *text)
{
	char *to = text->data;
	bool in_run = false;

	for (const char *from = text->data; *from; from++) {
		char c = lower(*from);

		if (is_plain(c))
			*to++ = c;
		else if (!in_run)
			*to++ = '-';
		in_run = !is_plain(c);
	}
	*to = '\0';
	return shorten(arena, trim(text->data));
}

static void dots_to_hyphens(char *text)
{
	for (; *text; text++)
		if (*text == '.')
			*text = '-';
}

/* N'(text): each dot becomes a hyphen first. */
static char *finish_dots(struct diag_arena *arena, struct diag_buf *text)
{
	dots_to_hyphens(text->data);
	return finish(arena, text);
}

char *bindery_name_binding(struct diag_arena *arena, const char *world, const char *consumer,
			   const char *capability, const char *scope, const char *multiplicity,
			   int64_t shard)
{
	struct diag_buf text diag_buf_auto = { 0 };
	size_t dots;

	begin(&text, "cb-");
	diag_buf_printf(&text, "%s-%s-", world, consumer);
	dots = text.length;
	diag_buf_puts(&text, capability);
	dots_to_hyphens(text.data + dots);
	diag_buf_printf(&text, "-%s-%s", scope, multiplicity);
	if (shard >= 0)
		diag_buf_printf(&text, "-shard-%lld", (long long)shard);
	return finish(arena, &text);
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
	struct diag_buf text diag_buf_auto = { 0 };

	begin(&text, "rt-");
	diag_buf_printf(&text, "%s-", world);
	if (!diag_str_empty(shard))
		diag_buf_printf(&text, "shard-%s-", shard);
	diag_buf_puts(&text, module);
	return finish_dots(arena, &text);
}

char *bindery_name_group(struct diag_arena *arena, const char *world, const char *shard,
			 const char *group)
{
	struct diag_buf module diag_buf_auto = { 0 };

	begin(&module, "coloc-");
	diag_buf_puts(&module, group);
	return bindery_name_runtime(arena, world, shard, diag_buf_str(&module));
}

char *bindery_name_shard(struct diag_arena *arena, const char *world, int64_t id)
{
	struct diag_buf text diag_buf_auto = { 0 };

	begin(&text, "ws-");
	diag_buf_printf(&text, "%s-%04lld", world, (long long)id);
	return finish(arena, &text);
}

char *bindery_name_claim(struct diag_arena *arena, const char *world, const char *shard_object,
			 const char *tier)
{
	struct diag_buf text diag_buf_auto = { 0 };

	begin(&text, "wsc-");
	diag_buf_printf(&text, "%s-%s-%s", world, shard_object, tier);
	return finish_dots(arena, &text);
}

char *bindery_name_pvc(struct diag_arena *arena, const char *world, const char *shard_object,
		       const char *tier)
{
	struct diag_buf text diag_buf_auto = { 0 };

	begin(&text, "pvc-");
	diag_buf_printf(&text, "%s-%s-%s", world, shard_object, tier);
	return finish(arena, &text);
}

char *bindery_name_env(struct diag_arena *arena, const char *capability)
{
	char *out = diag_arena_strdup(arena, capability);

	for (char *p = out; *p; p++)
		*p = (char)(*p == '.' ? '_' : upper(*p));
	return out;
}

bool bindery_scope_is_global(const char *scope)
{
	return diag_str_in(scope, "cluster", "region", "realm", NULL);
}
