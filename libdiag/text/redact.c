#include "text/redact.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/redact_internal.h"

/* Words that end a name which holds a credential: dbPassword, API_KEY, client-secret. */
#define WORD                                                                                       \
	"(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|"               \
	"private[_-]?key|credentials?)"

/* What looks like a credential. A text without the hint cannot match; NULL: ask the pattern at
 * once. */
static const struct {
	const char *id;
	const char *hint;
	unsigned group; /* the part to hide */
	const char *pattern;
} patterns[] = {
	{ "jwt", "eyJ", 0, "\\beyJ[A-Za-z0-9_-]{6,}\\.[A-Za-z0-9_-]{4,}\\.[A-Za-z0-9_-]*" },
	{ "pem", "PRIVATE KEY", 1, "-----BEGIN [A-Z ]*PRIVATE KEY-----((?s:.)*?)(?:-----END|\\z)" },
	{ "authorization", NULL, 1,
	  "(?i)\\bauthorization\\\\?[\"']?\\s*[:=]\\s*\\\\?[\"']?(?:bearer\\s+|basic\\s+|token\\s+)?"
	  "([^\\s\"'\\\\,;]{6,})" },
	{ "bearer", NULL, 1, "(?i)\\bbearer\\s+(?=\\S*[0-9])([A-Za-z0-9._~+/=-]{12,})" },
	{ "url", "://", 1, "(?i)\\b[a-z][a-z0-9+.-]*://[^\\s:/@\"']*:([^\\s@/\"']+)@" },
	{ "pair", "", 1,
	  "(?i)" WORD "\\\\?[\"']?\\s*[:=]\\s*(?:\\\\?[\"'])?([^\\s\"'\\\\,;&{}\\[\\]]{4,})" },
	{ "flag", "--", 1, "(?i)--[a-z0-9-]*" WORD "\\s+[\"']?([^\\s\"'-][^\\s\"']{3,})" },
	{ "aws", "IA", 0, "\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b" },
	{ "github", "gh", 0, "\\bgh[pousr]_[A-Za-z0-9]{30,}" },
	{ "slack", "xox", 0, "\\bxox[abprs]-[A-Za-z0-9-]{10,}" },
	{ "gitlab", "glpat-", 0, "\\bglpat-[A-Za-z0-9_-]{16,}" },
};

struct diag_redact *diag_redact_new(void)
{
	struct diag_redact *redact = diag_xcalloc(1, sizeof(*redact));

	redact->masks = diag_map_new();
	redact->patterns = diag_xcalloc(DIAG_ARRAY_SIZE(patterns), sizeof(*redact->patterns));
	return redact;
}

void diag_redact_free(struct diag_redact *redact)
{
	if (!redact)
		return;
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(patterns); i++)
		diag_regex_free(redact->patterns[i]);
	free(redact->patterns);
	diag_redact_free_needles(redact);
	diag_map_free(redact->masks);
	free(redact);
}

size_t diag_redact_number(struct diag_redact *redact, const char *secret, size_t length)
{
	diag_autofree char *key = diag_xstrndup(secret, length);
	void *number = diag_map_get(redact->masks, key);

	if (!number) {
		number = (void *)(uintptr_t)(diag_map_count(redact->masks) + 1);
		diag_map_set(redact->masks, key, number);
	}
	return (size_t)(uintptr_t)number;
}

void diag_redact_put_mask(struct diag_buf *out, size_t number)
{
	diag_buf_printf(out, "***HIDDEN-%zu***", number);
}

static bool is_everyday(const char *value, size_t length)
{
	static const char *const words[] = {
		"default",  "disabled",  "enabled",    "changeme",    "localhost",
		"password", "secret",    "optional",   "required",    "false",
		"string",   "undefined", "unknown",    "system",      "module",
		"gateway",  "standard",  "production", "development", "kubernetes",
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == length && strncasecmp(value, words[i], length) == 0)
			return true;
	for (size_t i = 0; i < length; i++)
		if (!isdigit((unsigned char)value[i]) && value[i] != '.')
			return false;
	return true; /* a number */
}

void diag_redact_learn(struct diag_redact *redact, const char *value, size_t length)
{
	diag_autofree char *key = NULL;

	while (length && strchr("\r\n", value[length - 1]))
		length--;
	if (length < 6 || length > DIAG_MAX_MESSAGE || is_everyday(value, length) ||
	    memmem(value, length, "***HIDDEN", 9))
		return;
	key = diag_xstrndup(value, length);
	if (diag_map_get(redact->masks, key))
		return;
	diag_redact_add_needles(redact, value, length, diag_redact_number(redact, value, length));
}

/* A value that a pattern found is hunted too when it can be nothing but a secret. */
static void learn_found(struct diag_redact *redact, const char *value, size_t length)
{
	bool digit = false, letter = false;

	for (size_t i = 0; i < length; i++) {
		digit |= isdigit((unsigned char)value[i]) != 0;
		letter |= isalpha((unsigned char)value[i]) != 0;
	}
	if (digit && letter && length >= 8)
		diag_redact_learn(redact, value, length);
}

static const struct diag_regex *pattern(struct diag_redact *redact, size_t index)
{
	if (!redact->patterns[index] &&
	    diag_regex_new(patterns[index].pattern, &redact->patterns[index], NULL) < 0)
		abort(); /* the table is ours */
	return redact->patterns[index];
}

static bool has_hint(const char *text, size_t length, const char *hint)
{
	if (!hint)
		return true;
	if (!*hint)
		return memchr(text, ':', length) || memchr(text, '=', length);
	return memmem(text, length, hint, strlen(hint)) != NULL;
}

static void withhold(struct diag_redact *redact, struct diag_buf *out)
{
	diag_buf_puts(out, "[withheld: redaction gave up]");
	redact->withheld++;
}

static bool is_mask(const char *text, size_t length)
{
	return length >= 9 && memcmp(text, "***HIDDEN", 9) == 0;
}

/* One pattern over one text; as diag_redact_text(). */
static bool apply(struct diag_redact *redact, size_t index, const char *text, size_t length,
		  struct diag_buf *out)
{
	const struct diag_regex *regex = pattern(redact, index);
	struct diag_regex_span span;
	enum diag_regex_result r;
	size_t from = 0, copied = 0;
	bool changed = false;

	while (from < length &&
	       (r = diag_regex_find(regex, text, length, from, patterns[index].group, &span))) {
		if (r == DIAG_REGEX_GAVE_UP) {
			diag_buf_clear(out);
			withhold(redact, out);
			return true;
		}
		from = DIAG_MAX(span.end, from + 1);
		if (span.end == span.start || is_mask(text + span.start, span.end - span.start))
			continue;
		diag_buf_add(out, text + copied, span.start - copied);
		diag_redact_put_mask(
			out, diag_redact_number(redact, text + span.start, span.end - span.start));
		learn_found(redact, text + span.start, span.end - span.start);
		copied = span.end;
		changed = true;
	}
	if (changed)
		diag_buf_add(out, text + copied, length - copied);
	return changed;
}

/* All patterns, each over what the one before left. */
static bool apply_all(struct diag_redact *redact, const char *text, size_t length,
		      struct diag_buf *out)
{
	struct diag_buf step diag_buf_auto = { 0 };
	bool changed = false;

	diag_buf_init(&step, out->ceiling);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(patterns); i++) {
		if (!has_hint(text, length, patterns[i].hint))
			continue;
		diag_buf_clear(&step);
		if (!apply(redact, i, text, length, &step))
			continue;
		diag_buf_clear(out);
		diag_buf_add(out, diag_buf_str(&step), step.length);
		text = diag_buf_str(out);
		length = out->length;
		changed = true;
	}
	return changed;
}

/* Line by line, so that giving up costs one line; a PEM block is one piece whatever its lines. */
static bool apply_lines(struct diag_redact *redact, const char *text, size_t length,
			struct diag_buf *out)
{
	struct diag_buf line diag_buf_auto = { 0 };
	bool changed = false;
	size_t copied = 0;

	if (length < 4096 || has_hint(text, length, "PRIVATE KEY"))
		return apply_all(redact, text, length, out);
	diag_buf_init(&line, out->ceiling);
	for (size_t start = 0; start < length;) {
		const char *end = memchr(text + start, '\n', length - start);
		size_t size = end ? (size_t)(end - text) - start : length - start;

		diag_buf_clear(&line);
		if (apply_all(redact, text + start, size, &line)) {
			diag_buf_add(out, text + copied, start - copied);
			diag_buf_add(out, diag_buf_str(&line), line.length);
			copied = start + size;
			changed = true;
		}
		start += size + 1;
	}
	if (changed)
		diag_buf_add(out, text + copied, length - copied);
	return changed;
}

bool diag_redact_text(struct diag_redact *redact, const char *text, size_t length,
		      struct diag_buf *ret_masked)
{
	struct diag_buf hunted diag_buf_auto = { 0 };
	bool changed;

	diag_buf_init(&hunted, ret_masked->ceiling);
	changed = diag_redact_hunt(redact, text, length, &hunted);
	if (changed) {
		text = diag_buf_str(&hunted);
		length = hunted.length;
	}
	if (apply_lines(redact, text, length, ret_masked))
		return true;
	if (changed)
		diag_buf_add(ret_masked, text, length);
	return changed;
}

size_t diag_redact_withheld(const struct diag_redact *redact)
{
	return redact->withheld;
}
