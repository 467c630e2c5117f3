/*
 * What the author of a constraint most likely meant: spelling that other tools accept, and the
 * traps of constraints that parse.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/semver_internal.h"

static bool parses(const char *text)
{
	diag_constraint_auto struct diag_constraint *constraint = NULL;

	return diag_constraint_parse_trimmed(text, &constraint, NULL) == 0;
}

/* Spelling to the left that means what stands to the right; longer ones first. */
static const struct {
	const char *written, *meant;
	bool word; /* only as a word of its own */
} spellings[] = {
	{ "and", " ", true },   { "or", " || ", true }, { "&&", " ", false },
	{ "&", " ", false },    { ";", " ", false },    { "||", " || ", false },
	{ "|", " || ", false }, { "===", "=", false },  { "==", "=", false },
	{ "~=", "~", false },   { "<>", "!=", false },  { "(", " ", false },
	{ ")", " ", false },    { ",", " ", false },    { "\"", "", false },
	{ "'", "", false },
};

static bool is_part(char c)
{
	return diag_semver_identifier_char(c) || c == '.' || c == '+' || c == '*';
}

static char last(const struct diag_buf *out)
{
	if (!out->length)
		return '\0';
	return out->data[out->length - 1];
}

static void add_space(struct diag_buf *out)
{
	if (last(out) && last(out) != ' ')
		diag_buf_putc(out, ' ');
}

static size_t respell(const char *text, struct diag_buf *out)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(spellings); i++) {
		size_t length = strlen(spellings[i].written);
		const char *meant = spellings[i].meant;

		if (strncasecmp(text, spellings[i].written, length) != 0)
			continue;
		if (spellings[i].word && (is_part(last(out)) || is_part(text[length])))
			continue;
		if (*meant == ' ') {
			add_space(out);
			meant++;
		}
		diag_buf_puts(out, meant);
		return length;
	}
	return 0;
}

/* One version: V is v, and numbers lose their leading zeros; what follows '-' or '+' stays. */
static size_t copy_version(const char *text, struct diag_buf *out)
{
	size_t i = 0;

	if (text[0] == 'v' || text[0] == 'V') {
		diag_buf_putc(out, 'v');
		i++;
	}
	while (is_part(text[i]) && text[i] != '-' && text[i] != '+') {
		if (text[i] == '0' && (i == 0 || !isdigit((unsigned char)text[i - 1])))
			while (text[i] == '0' && isdigit((unsigned char)text[i + 1]))
				i++;
		diag_buf_putc(out, text[i++]);
	}
	while (is_part(text[i]))
		diag_buf_putc(out, text[i++]);
	return i;
}

static bool is_operator(char c)
{
	return c && strchr("<>=!~^", c);
}

/* An operator: a space before it when a version is there, none inside it or after it. */
static size_t copy_operator(const char *text, struct diag_buf *out)
{
	size_t i = 0;

	if (!is_operator(last(out)))
		add_space(out);
	diag_buf_putc(out, text[i++]);
	while (text[i] == ' ' || text[i] == '\t')
		i++;
	return i;
}

static bool is_range(const char *text)
{
	return text[0] == ' ' && text[1] == '-' && text[2] == ' ';
}

/* Where a range follows a comparator, only a comma separates the two. */
static void separate_range(const char *version, struct diag_buf *out)
{
	size_t length = 0;

	while (is_part(version[length]))
		length++;
	if (!is_range(version + length) || out->length < 2 || last(out) != ' ' ||
	    !is_part(out->data[out->length - 2]))
		return;
	out->data[out->length - 1] = ',';
	diag_buf_putc(out, ' ');
}

static void rewrite(const char *text, struct diag_buf *out)
{
	while (*text) {
		size_t step = respell(text, out);

		if (step) {
			text += step;
		} else if (is_range(text)) {
			diag_buf_puts(out, " - ");
			text += 3;
		} else if (isspace((unsigned char)*text)) {
			add_space(out);
			text++;
		} else if (is_operator(*text)) {
			text += copy_operator(text, out);
		} else if (is_part(*text)) {
			separate_range(text, out);
			text += copy_version(text, out);
		} else {
			diag_buf_putc(out, *text++);
		}
	}
}

/* Without separators at either end: `|| 1`, `>=1,`. */
static char *trimmed(const struct diag_buf *buf)
{
	const char *text = diag_buf_str(buf);
	size_t length = strlen(text);

	while (*text == ' ' || *text == '|') {
		text++;
		length--;
	}
	while (length && (text[length - 1] == ' ' || text[length - 1] == '|'))
		length--;
	return diag_xstrndup(text, length);
}

static bool is_any(const char *text)
{
	static const char *const words[] = { "latest", "any", "stable", "newest", "all" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(words); i++)
		if (strcasecmp(text, words[i]) == 0)
			return true;
	return false;
}

char *diag_constraint_suggest(const char *text)
{
	struct diag_buf out diag_buf_auto = { 0 };
	diag_autofree char *meant = NULL;

	if (is_any(text))
		return diag_xstrdup("*");
	if (strlen(text) > DIAG_MAX_MESSAGE || parses(text))
		return NULL;
	diag_buf_init(&out, 4 * DIAG_MAX_MESSAGE);
	rewrite(text, &out);
	meant = trimmed(&out);
	return *meant && parses(meant) ? DIAG_STEAL(meant) : NULL;
}

static bool is_alone(const struct diag_constraint *constraint)
{
	return constraint->count == 1 && constraint->items[0].count == 1;
}

static bool is_zero(const struct diag_semver *v)
{
	return !v->major && !v->minor && !v->patch && !*v->pre;
}

/*
 * `1.2-1.4`: what looks like the upper end of a range is a prerelease. `1.2-0` is no such thing: it
 * asks for prereleases, and so does anything with an operator.
 */
static bool is_tight_range(const struct comparator *c, const char *text)
{
	const char *pre = c->base.pre;
	uint64_t upper = strtoull(pre, NULL, 10);
	bool bare = isdigit((unsigned char)*text) || *text == 'v';

	return bare && *pre && !*c->base.meta && strspn(pre, "0123456789.") == strlen(pre) &&
	       (c->open != FULL || strchr(pre, '.')) && upper > 0 && upper >= c->base.major;
}

/* What the trap does, in plain words; see the table of traps in semver-constraints.md section 7. */
static const char *effect_of(const struct diag_constraint *constraint, const struct comparator *c,
			     const char *text)
{
	if (c->open == ANY && !*c->base.pre && c->op == CMP_CARET)
		return "only version 0.0.0 satisfies it";
	if (c->open == ANY && !*c->base.pre && c->op == CMP_LE)
		return "only versions 0.0.z satisfy it";
	if (c->open == ANY && !*c->base.pre && c->op == CMP_LT)
		return "no release satisfies it";
	if (c->open == FULL && c->op == CMP_TILDE && is_zero(&c->base))
		return "every release satisfies it";
	if (is_alone(constraint) && is_tight_range(c, text))
		return "without spaces around the hyphen it is one version with a prerelease, no range";
	if (c->open == FULL && c->op == CMP_NE && is_alone(constraint))
		return "prereleases of other versions satisfy it too";
	return NULL;
}

static char *correction(const struct comparator *c, const char *text)
{
	const char *hyphen = strchr(text, '-');
	char *meant;
	size_t size;

	if (c->open == ANY)
		return diag_xstrdup("*");
	if (c->op == CMP_TILDE)
		return diag_xstrdup("=0.0.0");
	size = strlen(text) + 16;
	meant = diag_xalloc(size);
	if (c->op == CMP_NE)
		snprintf(meant, size, "%s >=0.0.0", text);
	else
		snprintf(meant, size, "%.*s - %s", (int)(hyphen - text), text, hyphen + 1);
	return meant;
}

const char *diag_constraint_trap(const char *text, char **ret_meant)
{
	diag_constraint_auto struct diag_constraint *constraint = NULL;

	if (ret_meant)
		*ret_meant = NULL;
	if (diag_constraint_parse_trimmed(text, &constraint, NULL) < 0)
		return NULL;
	for (size_t i = 0; i < constraint->count; i++) {
		for (size_t j = 0; j < constraint->items[i].count; j++) {
			const struct comparator *c = &constraint->items[i].items[j];
			const char *effect = effect_of(constraint, c, text);

			if (effect && ret_meant && is_alone(constraint))
				*ret_meant = correction(c, text);
			if (effect)
				return effect;
		}
	}
	return NULL;
}

static const char *const operator_texts[] = {
	[CMP_EQ] = "=",  [CMP_NE] = "!=", [CMP_GT] = ">",    [CMP_LT] = "<",
	[CMP_GE] = ">=", [CMP_LE] = "<=", [CMP_TILDE] = "~", [CMP_CARET] = "^",
};

static void put_comparator(struct diag_buf *out, enum comparison op, const struct comparator *c,
			   uint64_t patch, const char *pre)
{
	diag_buf_printf(out, "%s%llu", operator_texts[op], (unsigned long long)c->base.major);
	if (c->open == FULL || c->open == PATCH_OPEN || c->open == ANY)
		diag_buf_printf(out, ".%llu", (unsigned long long)c->base.minor);
	if (c->open == FULL || c->open == ANY)
		diag_buf_printf(out, ".%llu", (unsigned long long)patch);
	if (*pre)
		diag_buf_printf(out, "-%s", pre);
}

/* The same releases, and the prereleases between them; false when that cannot be written. */
static bool admit(struct diag_buf *out, const struct comparator *c)
{
	bool exact = c->open == FULL || c->open == ANY;
	enum comparison op = c->op;
	uint64_t patch = c->base.patch;

	if (c->open == ANY && *c->base.pre) {
		diag_buf_printf(out, "%s*-%s", operator_texts[op], c->base.pre);
		return true;
	}
	if (*c->base.pre || (op == CMP_NE && c->open == FULL)) {
		put_comparator(out, op, c, patch, c->base.pre);
		return true;
	}
	if (op == CMP_NE || (op == CMP_EQ && c->open == FULL))
		return false;
	if (c->open == ANY && (op == CMP_CARET || op == CMP_LT || op == CMP_LE))
		return false;
	if ((op == CMP_GT || op == CMP_LE) && exact) {
		if (__builtin_add_overflow(patch, 1u, &patch))
			return false;
		op = op == CMP_GT ? CMP_GE : CMP_LT;
	} else if (c->open == ANY || (op == CMP_TILDE && exact && is_zero(&c->base))) {
		op = CMP_GE;
	} else if (op == CMP_EQ) {
		op = CMP_TILDE; /* an open form without operator means the same */
	}
	put_comparator(out, op, c, patch, "0");
	return true;
}

char *diag_constraint_admit_prereleases(const struct diag_constraint *constraint)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, 4 * DIAG_MAX_MESSAGE);
	for (size_t i = 0; i < constraint->count; i++) {
		const struct alternative *alternative = &constraint->items[i];

		diag_buf_puts(&out, i ? " || " : "");
		for (size_t j = 0; j < alternative->count; j++) {
			diag_buf_puts(&out, j ? " " : "");
			if (!admit(&out, &alternative->items[j]))
				return NULL;
		}
	}
	return diag_buf_failed(&out) ? NULL : diag_buf_steal(&out);
}
