/* The grammar of constraints: hyphen ranges rewritten, alternatives split, comparators read. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/semver_internal.h"

static bool is_space(char c)
{
	return c && strchr("\t\n\f\r ", c);
}

static size_t spaces(const char *text)
{
	size_t length = 0;

	while (is_space(text[length]))
		length++;
	return length;
}

static size_t part(const char *text)
{
	return strspn(text, "0123456789xX*|");
}

/* Dot-separated runs of letters, digits and hyphens. */
static size_t identifiers(const char *text)
{
	size_t length = 0;

	for (;;) {
		size_t start = length;

		while (diag_semver_identifier_char(text[length]))
			length++;
		if (length == start)
			return start ? start - 1 : 0;
		if (text[length] != '.')
			return length;
		length++;
	}
}

/* Length of `[v]part[.part][.part][-pre][+meta]`, 0 when there is none. */
static size_t version_length(const char *text)
{
	size_t length = *text == 'v';
	size_t step = part(text + length);

	if (!step)
		return 0;
	length += step;
	for (int i = 0; i < 2 && text[length] == '.' && part(text + length + 1); i++)
		length += 1 + part(text + length + 1);
	if (text[length] == '-' && identifiers(text + length + 1))
		length += 1 + identifiers(text + length + 1);
	if (text[length] == '+' && identifiers(text + length + 1))
		length += 1 + identifiers(text + length + 1);
	return length;
}

/* "A - B" at this place: its length, and where A and B stand. */
static size_t hyphen_range(const char *text, size_t *ret_a, const char **ret_b,
			   size_t *ret_b_length)
{
	size_t a = version_length(text), gap, after, b;

	if (!a)
		return 0;
	gap = spaces(text + a);
	if (!gap || text[a + gap] != '-')
		return 0;
	after = spaces(text + a + gap + 1);
	b = after ? version_length(text + a + gap + 1 + after) : 0;
	if (!b)
		return 0;
	*ret_a = a;
	*ret_b = text + a + gap + 1 + after;
	*ret_b_length = b;
	return a + gap + 1 + after + b;
}

/* Drop white space at the end of what was copied since `start`. */
static void drop_spaces(struct diag_buf *out, size_t start)
{
	while (out->length > start && is_space(out->data[out->length - 1]))
		out->data[--out->length] = '\0';
}

/*
 * Each "A - B" becomes ">= A, <= B ". The white space around it goes with it, so nothing separates
 * the range from a comparator before it: "1 2 - 3" is invalid, "1, 2 - 3" is not.
 */
static char *rewrite_hyphens(const char *text)
{
	struct diag_buf out diag_buf_auto = { 0 };
	size_t copied = 0; /* from here on `out` is the text itself */

	diag_buf_init(&out, 4 * DIAG_MAX_MESSAGE);
	while (*text) {
		size_t a, b_length, length;
		const char *b;

		length = hyphen_range(text, &a, &b, &b_length);
		if (length) {
			drop_spaces(&out, copied);
			diag_buf_puts(&out, ">= ");
			diag_buf_add(&out, text, a);
			diag_buf_puts(&out, ", <= ");
			diag_buf_add(&out, b, b_length);
			diag_buf_putc(&out, ' ');
			copied = out.length;
			text += length;
			text += spaces(text);
			continue;
		}
		diag_buf_putc(&out, *text++);
	}
	return diag_buf_steal(&out);
}

static const struct {
	const char *text;
	enum comparison op;
} operators[] = {
	{ "!=", CMP_NE }, { ">=", CMP_GE },    { "=>", CMP_GE },   { "<=", CMP_LE },
	{ "=<", CMP_LE }, { "~>", CMP_TILDE }, { "=", CMP_EQ },    { ">", CMP_GT },
	{ "<", CMP_LT },  { "~", CMP_TILDE },  { "^", CMP_CARET },
};

static enum comparison take_operator(const char **text)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(operators); i++) {
		if (!diag_str_starts(*text, operators[i].text))
			continue;
		*text += strlen(operators[i].text);
		return operators[i].op;
	}
	return CMP_EQ;
}

static bool is_wildcard(const char *text, size_t length)
{
	return length == 1 && strchr("xX*", *text);
}

/* Turn the version of a comparator into a base and how much of it is open. */
static int set_base(struct comparator *comparator, const char *text, size_t length,
		    struct diag_error *err)
{
	const char *numbers = text + (*text == 'v');
	size_t first = part(numbers);
	const char *second = numbers[first] == '.' ? numbers + first + 1 : NULL;
	size_t second_length = second ? part(second) : 0;
	const char *third =
		second_length && second[second_length] == '.' ? second + second_length + 1 : NULL;
	size_t third_length = third ? part(third) : 0;
	const char *rest = third_length    ? third + third_length
			   : second_length ? second + second_length
					   : numbers + first;
	const char *minus = memchr(rest, '-', (size_t)(text + length - rest));
	struct diag_buf base diag_buf_auto = { 0 };

	diag_buf_init(&base, 4 * DIAG_MAX_MESSAGE);
	if (is_wildcard(numbers, first)) {
		comparator->open = ANY;
		diag_buf_puts(&base, "0.0.0");
	} else if (!second_length || is_wildcard(second, second_length)) {
		comparator->open = MINOR_OPEN;
		diag_buf_add(&base, numbers, first);
		diag_buf_puts(&base, ".0.0");
	} else if (!third_length || is_wildcard(third, third_length)) {
		comparator->open = PATCH_OPEN;
		diag_buf_add(&base, numbers, first + 1 + second_length);
		diag_buf_puts(&base, ".0");
	} else {
		diag_buf_add(&base, text, length);
		return diag_semver_parse(diag_buf_str(&base), &comparator->base, err);
	}
	if (minus && *rest == '-') {
		const char *plus = memchr(minus, '+', (size_t)(text + length - minus));

		diag_buf_add(&base, minus, (size_t)((plus ? plus : text + length) - minus));
	}
	return diag_semver_parse(diag_buf_str(&base), &comparator->base, err);
}

static int unexpected(const char *at, bool first, struct diag_error *err)
{
	if (!*at)
		return diag_error_set(err, DIAG_E_PARSE, "a version is missing at the end");
	if (first)
		return diag_error_set(err, DIAG_E_PARSE, "'%s' is no version", at);
	return diag_error_set(err, DIAG_E_PARSE,
			      "'%s' does not continue it: separate comparators by a space or a "
			      "comma",
			      at);
}

static int parse_comparator(const char **text, bool first, struct alternative *alternative,
			    struct diag_error *err)
{
	struct comparator *comparator;
	size_t length;
	const char *at = *text;
	enum comparison op = take_operator(&at);
	int r;

	at += spaces(at);
	length = version_length(at);
	if (!length)
		return unexpected(at, first, err);
	alternative->items = diag_xgrow(alternative->items, alternative->count,
					&alternative->capacity, sizeof(*alternative->items));
	comparator = &alternative->items[alternative->count];
	*comparator = (struct comparator){ .op = op };
	r = set_base(comparator, at, length, err);
	if (r < 0)
		return r;
	alternative->count++;
	*text = at + length;
	return DIAG_OK;
}

/* WS* comparator WS* *( sep comparator WS* ), sep = white space or a comma. */
static int parse_alternative(const char *text, struct alternative *alternative,
			     struct diag_error *err)
{
	bool first = true;

	text += spaces(text);
	if (!*text)
		return diag_error_set(err, DIAG_E_PARSE, "an alternative beside '||' is empty");
	while (first || *text) {
		int r = parse_comparator(&text, first, alternative, err);
		size_t gap;
		bool comma;

		if (r < 0)
			return r;
		first = false;
		gap = spaces(text);
		text += gap;
		comma = *text == ',';
		if (comma)
			text += 1 + spaces(text + 1);
		if (!*text && comma)
			return diag_error_set(err, DIAG_E_PARSE, "it ends with a comma");
		if (*text && !gap && !comma)
			return unexpected(text, false, err);
	}
	return DIAG_OK;
}

static int parse_alternatives(char *text, struct diag_constraint *constraint,
			      struct diag_error *err)
{
	while (text) {
		char *bars = strstr(text, "||");
		struct alternative *alternative;
		int r;

		if (bars)
			*bars = '\0';
		constraint->items = diag_xgrow(constraint->items, constraint->count,
					       &constraint->capacity, sizeof(*constraint->items));
		alternative = &constraint->items[constraint->count++];
		*alternative = (struct alternative){ 0 };
		r = parse_alternative(text, alternative, err);
		if (r < 0)
			return r;
		text = bars ? bars + 2 : NULL;
	}
	return DIAG_OK;
}

int diag_constraint_parse(const char *text, struct diag_constraint **ret_constraint,
			  struct diag_error *err)
{
	diag_constraint_auto struct diag_constraint *constraint = NULL;
	diag_autofree char *rewritten = NULL;
	int r;

	if (strlen(text) > DIAG_MAX_MESSAGE)
		return diag_error_set(err, DIAG_E_PARSE, "it is too long");
	if (!*text)
		return diag_error_set(err, DIAG_E_PARSE, "it is empty");
	rewritten = rewrite_hyphens(text);
	constraint = diag_xcalloc(1, sizeof(*constraint));
	r = parse_alternatives(rewritten, constraint, err);
	if (r < 0)
		return r;
	*ret_constraint = DIAG_STEAL(constraint);
	return DIAG_OK;
}

int diag_constraint_parse_trimmed(const char *text, struct diag_constraint **ret_constraint,
				  struct diag_error *err)
{
	size_t length;
	const char *start = diag_str_trim(text ? text : "", &length);
	diag_autofree char *trimmed = length ? diag_xstrndup(start, length) : diag_xstrdup("*");

	return diag_constraint_parse(trimmed, ret_constraint, err);
}

void diag_constraint_free(struct diag_constraint *constraint)
{
	if (!constraint)
		return;
	for (size_t i = 0; i < constraint->count; i++) {
		struct alternative *alternative = &constraint->items[i];

		for (size_t j = 0; j < alternative->count; j++)
			diag_semver_done(&alternative->items[j].base);
		free(alternative->items);
	}
	free(constraint->items);
	free(constraint);
}
