/*
 * A name and its value, in the many ways they are written: key=value, key: value, "key": "value"
 * with any number of backslashes, --key value, <key>value</key>, {"name": "KEY", "value": "..."}.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "text/redact_internal.h"

/* JUDGED bytes of a value decide; of an accepted one all goes. */
enum { MAX_NAME = 64, MAX_INDENT = 256, MAX_KEY = 40, JUDGED = 1024 };

/* Between a name and its value. Group 1 is the sign. The second form is a variable in a list:
 * {"name": "KEY", "value": "..."}, `- name: KEY` with `value: ...` on the next line, Name:KEY
 * Value:... */
#define QUOTE "\\\\*+[\"'`]"
#define SIGN                                                                                        \
	"(?|(?:" QUOTE "|\\])?+[ \\t]*+(=>|:=|={1,2}|:)[ \\t]*+"                                    \
	"|\\\\*+[\"']?+(?:,\\s*+|[ \\t]*+\\r?\\n[ \\t]*+|[ \\t]++)\\\\*+[\"']?[Vv]alue\\\\*+[\"']?" \
	"[ \\t]*+([:=])[ \\t]*+)"
/* Up to the same quote with as many backslashes; without one, a start of what follows. */
#define QUOTED(n) "(" QUOTE ")(?:([^\\r\\n]{0,4096}?)(?<!\\\\)\\" #n "|())"
/* Not a blank, a quote, a separator or an escaped one of these. */
#define BARE "()(?![\\s\"'`,;&]|\\\\++[nrt\"'`]|$)"

/* Where the value is, and how its end is found. */
enum value_end { END_MATCHED, END_BARE, END_UNCLOSED, END_BLOCK };

static const struct {
	const char *pattern;
	struct {
		unsigned group; /* the first that took part is the value; 0: none */
		enum value_end end;
	} values[3];
} pairs[] = {
	[PAIR_BLOCK] = { "(?:" QUOTE ")?+[ \\t]*+:[ \\t]*+[|>][-+0-9]*+[ \\t]*+\\r?\\n"
			 "[ \\t]++([^\\n]{1,4096}+)",
			 { { 1, END_BLOCK } } },
	[PAIR_QUOTED] = { SIGN "[bru@$]?" QUOTED(2), { { 3, END_MATCHED }, { 4, END_UNCLOSED } } },
	[PAIR_PLAIN] = { SIGN BARE, { { 2, END_BARE } } },
	[PAIR_FLAG] = { "(?:" QUOTE "[ \\t]*+,?\\s*+(?=" QUOTE ")|[ \\t]++)(?:" QUOTED(1) "|" BARE
											  "(?!-))",
			{ { 2, END_MATCHED }, { 3, END_UNCLOSED }, { 4, END_BARE } } },
	[PAIR_XML] = { ">([^<\\r\\n]{1,4096}+)</", { { 1, END_MATCHED } } },
	[PAIR_URL] = { "%3[Dd]" BARE, { { 1, END_BARE } } },
};

/* After a flag in running text: no values. */
static const char *const prose_words[] = {
	"and",    "are",     "argument", "flag", "flags", "for",    "from", "if",
	"in",     "instead", "is",       "must", "not",   "option", "or",   "parameter",
	"should", "to",      "was",      "when", "which", "will",   "with",
};

const char *diag_redact_pair_pattern(enum pair_pattern which)
{
	return pairs[which].pattern;
}

static bool one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

struct name {
	size_t start;
	size_t end;
};

static struct name name_around(struct slice text, size_t at, size_t floor)
{
	struct name name = { at, at };

	while (name.start > floor && at - name.start < MAX_NAME &&
	       in_name(text.text[name.start - 1]))
		name.start--;
	/* The n of an escaped newline is no part of the name. */
	if (name.start > floor && name.start < at && text.text[name.start - 1] == '\\' &&
	    one_of(text.text[name.start], "nrt"))
		name.start++;
	while (name.end < text.length && name.end - at < MAX_NAME && in_name(text.text[name.end]))
		name.end++;
	return name;
}

/* Whether a value can follow at all; most hints are words in a sentence and end here. */
static bool may_have_value(struct slice text, struct name name)
{
	size_t at = name.end;

	if (at == text.length)
		return false;
	if (text.text[at] != ' ' && text.text[at] != '\t')
		return one_of(text.text[at], "\"'`\\=:]>%,\n\r");
	if (text.text[name.start] == '-')
		return true;
	while (at < text.length && (text.text[at] == ' ' || text.text[at] == '\t'))
		at++;
	return at < text.length && one_of(text.text[at], "=:vV\n\r,");
}

/* Nothing but indentation, a list's dash, an opening brace or quote between the line's start and
 * the name; an escaped newline counts as one. */
static bool is_leading(struct slice text, size_t at)
{
	size_t stop = at > MAX_INDENT ? at - MAX_INDENT : 0;

	while (at > stop && (text.text[at - 1] == '"' || text.text[at - 1] == '\''))
		at--;
	while (at > stop && one_of(text.text[at - 1], " \t-{"))
		at--;
	return at == 0 || text.text[at - 1] == '\n' ||
	       (at >= 2 && text.text[at - 1] == 'n' && text.text[at - 2] == '\\');
}

/* Brackets that close something opened before the value, and marks of the sentence around it. */
static void trim_end(struct slice text, struct find *value)
{
	static const char opening[] = "([{<", closing[] = ")]}>";

	while (value->end > value->start) {
		char last = text.text[value->end - 1];
		const char *at = last ? strchr(closing, last) : NULL;
		struct slice rest = { text.text + value->start, value->end - 1 - value->start };

		if (at && memchr(rest.text, opening[at - closing], rest.length))
			return;
		if (!at && last != ',' && last != ';' && last != ':')
			return;
		value->end--;
	}
}

/* Whether the separator at `at` ends a value: a blank, a quote or another pair follows. */
static bool is_terminator(struct slice text, size_t at)
{
	size_t end = at + 1;

	if (end == text.length || isspace((unsigned char)text.text[end]) ||
	    one_of(text.text[end], "\"'`\\"))
		return true;
	while (end < text.length && end - at <= MAX_KEY && in_name(text.text[end]))
		end++;
	return end > at + 1 && end < text.length && one_of(text.text[end], "=:");
}

static bool is_escape(struct slice text, size_t at)
{
	while (at < text.length && text.text[at] == '\\')
		at++;
	return at == text.length || one_of(text.text[at], "nrt\"'`");
}

/* Whether the unquoted value ends before `at`. A comma, semicolon or ampersand belongs to it unless
 * another pair or a gap follows; an apostrophe between letters does too. */
static bool ends_bare(struct slice text, size_t start, size_t at)
{
	char c = text.text[at];

	if (isspace((unsigned char)c) || c == '"' || c == '`')
		return true;
	if (c == '\\')
		return is_escape(text, at);
	if (c == '\'')
		return at == start || at + 1 == text.length ||
		       !isalnum((unsigned char)text.text[at - 1]) ||
		       !isalnum((unsigned char)text.text[at + 1]);
	if (c == '%')
		return text.length - at >= 3 && memcmp(text.text + at, "%26", 3) == 0;
	return one_of(c, ",;&") && is_terminator(text, at);
}

static size_t bare_end(struct slice text, size_t start, size_t limit)
{
	size_t at = start;

	while (at < limit && !ends_bare(text, start, at)) {
		/* One look at a run of backslashes is enough. */
		while (text.text[at] == '\\' && at + 1 < limit && text.text[at + 1] == '\\')
			at++;
		at++;
	}
	return at;
}

static size_t line_end(struct slice text, size_t at, size_t limit)
{
	const char *newline = memchr(text.text + at, '\n', limit - at);

	return newline ? (size_t)(newline - text.text) : limit;
}

/* The closing quote that is too far away for the expression, or the end of the line. */
static size_t unclosed_end(struct slice text, size_t start)
{
	size_t end = line_end(text, start, text.length);
	bool escaped = start >= 2 && text.text[start - 2] == '\\';
	char quote = text.text[start - 1];

	for (size_t at = start; at < end; at++) {
		bool slash = at > start && text.text[at - 1] == '\\';

		if (text.text[at] != quote || slash != escaped)
			continue;
		while (at > start && text.text[at - 1] == '\\')
			at--;
		return at;
	}
	return end;
}

/* The lines of a YAML block: all that are indented like the first, in which `at` is. */
static size_t block_end(struct slice text, size_t at)
{
	size_t first = at, indent;
	size_t end = line_end(text, at, text.length);

	while (first && text.text[first - 1] != '\n')
		first--;
	indent = at - first;
	while (text.length - end > indent &&
	       memcmp(text.text + end + 1, text.text + first, indent) == 0)
		end = line_end(text, end + 1, text.length);
	return end;
}

static size_t full_end(struct slice text, enum value_end how, const struct find *value)
{
	switch (how) {
	case END_MATCHED:
		return value->end;
	case END_BARE:
		return value->end - value->start < JUDGED
			       ? value->end
			       : bare_end(text, value->start, text.length);
	case END_UNCLOSED:
		return unclosed_end(text, value->start);
	case END_BLOCK:
		return block_end(text, value->start);
	}
	DIAG_UNREACHABLE();
}

/* End of the line, without trailing blanks and a YAML comment. */
static size_t end_of_scalar(struct slice text, size_t at)
{
	size_t end = line_end(text, at, DIAG_MIN(text.length, at + JUDGED));
	const char *escaped = memmem(text.text + at, end - at, "\\n", 2);
	const char *comment;

	if (escaped)
		end = (size_t)(escaped - text.text);
	comment = memmem(text.text + at, end - at, " #", 2);
	if (comment)
		end = (size_t)(comment - text.text);
	while (end > at && isspace((unsigned char)text.text[end - 1]))
		end--;
	return end;
}

/* `key: value` without quotes: a YAML scalar reaches to the line's end, a sentence does not. */
static enum value_style colon_style(struct slice text, struct name name,
				    struct name_verdict verdict, struct find *value)
{
	size_t end;

	if (name.start && text.text[name.start - 1] == '{')
		return VALUE_LEADING;
	if (!is_leading(text, name.start))
		return VALUE_COLON;
	end = end_of_scalar(text, value->end);
	if (end <= value->end)
		return VALUE_LEADING;
	if (verdict.class != NAME_PASSWORD)
		return VALUE_COLON;
	value->end = end;
	return VALUE_LEADING;
}

static bool is_prose(struct slice value)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(prose_words); i++)
		if (strlen(prose_words[i]) == value.length &&
		    strncasecmp(prose_words[i], value.text, value.length) == 0)
			return true;
	return false;
}

/* One way of writing a pair that matched. */
struct pair {
	enum pair_pattern which;
	struct name name;
	struct name_verdict verdict;
	enum value_end how;
	bool colon; /* the sign between name and value */
	struct find value;
};

static bool judge(struct slice text, struct pair *pair)
{
	struct find *value = &pair->value;
	enum value_style style = pair->which == PAIR_QUOTED ? VALUE_QUOTED : VALUE_EQUALS;
	bool after_slash = pair->name.start && text.text[pair->name.start - 1] == '/';
	struct slice found;

	if (pair->how == END_BARE)
		trim_end(text, value);
	if (pair->which == PAIR_PLAIN && pair->colon)
		style = colon_style(text, pair->name, pair->verdict, value);
	if (pair->which == PAIR_BLOCK)
		style = VALUE_LEADING;
	found = (struct slice){ text.text + value->start, value->end - value->start };
	/* "/etc/db/password: no such file" is about a path. */
	if (after_slash && pair->colon && diag_redact_is_wordy(found))
		return false;
	if (pair->which == PAIR_FLAG && is_prose(found))
		return false;
	return diag_redact_judge_value(pair->verdict, style, found);
}

/* Take the value's place from the expression. */
static bool locate(struct slice text, const struct diag_regex *regex, struct pair *pair)
{
	size_t limit, start, end;

	pair->colon = (pair->which == PAIR_PLAIN || pair->which == PAIR_QUOTED) &&
		      diag_regex_group(regex, 1, &start, &end) && end - start == 1 &&
		      text.text[start] == ':';
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(pairs[pair->which].values); i++) {
		pair->how = pairs[pair->which].values[i].end;
		if (!pairs[pair->which].values[i].group ||
		    !diag_regex_group(regex, pairs[pair->which].values[i].group, &pair->value.start,
				      &pair->value.end))
			continue;
		limit = DIAG_MIN(text.length, pair->value.start + JUDGED);
		if (pair->how == END_BARE)
			pair->value.end = bare_end(text, pair->value.start, limit);
		else if (pair->how == END_UNCLOSED)
			pair->value.end = line_end(text, pair->value.start, limit);
		return true;
	}
	return false;
}

static bool applies(struct slice text, const struct pair *pair)
{
	struct name name = pair->name;

	switch (pair->which) {
	case PAIR_BLOCK:
		return pair->verdict.class >= NAME_TOKEN;
	case PAIR_FLAG:
		return text.text[name.start] == '-';
	case PAIR_XML:
		return text.text[name.end] == '>' && name.start && text.text[name.start - 1] != '/';
	case PAIR_URL:
		return text.text[name.end] == '%';
	case PAIR_QUOTED:
	case PAIR_PLAIN:
	case PAIR_COUNT:
		return true;
	}
	DIAG_UNREACHABLE();
}

enum diag_regex_result diag_redact_pair_at(struct slice text, size_t at, size_t floor,
					   pair_match_fn match, void *arg, size_t *ret_end,
					   struct find *ret_value)
{
	struct pair pair = { .name = name_around(text, at, floor) };
	enum diag_regex_result result = DIAG_REGEX_NO_MATCH;
	const struct diag_regex *regex;

	*ret_end = pair.name.end;
	if (!may_have_value(text, pair.name))
		return DIAG_REGEX_NO_MATCH;
	pair.verdict = diag_redact_judge_name(text.text + pair.name.start,
					      pair.name.end - pair.name.start);
	if (pair.verdict.class == NAME_PLAIN)
		return DIAG_REGEX_NO_MATCH;
	for (; pair.which < PAIR_COUNT; pair.which++) {
		if (!applies(text, &pair))
			continue;
		result = match(arg, pair.which, pair.name.end, &regex);
		if (result != DIAG_REGEX_NO_MATCH)
			break;
	}
	if (result != DIAG_REGEX_MATCH)
		return result;
	if (!locate(text, regex, &pair) || !judge(text, &pair))
		return DIAG_REGEX_NO_MATCH;
	pair.value.end = full_end(text, pair.how, &pair.value);
	*ret_value = pair.value;
	return DIAG_REGEX_MATCH;
}
