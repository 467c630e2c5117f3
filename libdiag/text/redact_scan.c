/* One pass over a text for the literals of the patterns, and a try of the pattern at each. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "text/redact_internal.h"

#define MIN_STEPS 1000u /* floor of the steps of a pattern that keeps giving up */

enum { LONG_VALUE = 4096, NEAR = 512, MAX_MARK = 128 };

/* Of these at least one is in every name that redact_name.c takes for a credential, but for "pw",
 * which is too short to look for and counts as the name of a variable only. redact_pairs.c does the
 * rest. */
static const char *const name_words[] = {
	"pass",   "pwd",    "secret", "token",   "key", "cred", "dsn",  "conn", "auth",
	"cookie", "bearer", "jwt",    "session", "sid", "sig",  "csrf", "otp",
};

/* What is left of an earlier pass, and the end of a private key whose beginning was cut off. */
#define MASK_START "***HIDDEN"
#define PEM_END    "-----END"

/* What a literal leads to: a row of the table, or one of these. */
enum { MAX_ROWS = 60, PAIRS = MAX_ROWS, MASK, PEM_TAIL };
enum { GRAM_SLOTS = 4096, MAX_ENTRIES = 160 };

struct literal {
	const char *text;
	uint8_t length;
	uint8_t row;
	uint8_t next; /* 1 + index of the next with the same first three bytes */
	bool exact;
};

struct patterns {
	struct literal literals[MAX_ENTRIES];
	uint8_t count;
	uint8_t first[GRAM_SLOTS]; /* 1 + index into literals */
	const struct pattern *table;
	size_t rows;
	struct diag_regex *compiled[MAX_ROWS]; /* when first needed */
	struct diag_regex *pairs[PAIR_COUNT];
	struct diag_regex **added; /* the user's */
	size_t added_count, added_capacity;
};

/* Slot of three bytes with case (bit 5) ignored. */
static unsigned gram_slot(uint32_t gram)
{
	return ((gram | 0x202020u) & 0xffffffu) * 0x9e3779b1u >> 20;
}

static uint32_t gram_at(const char *p)
{
	return (uint32_t)(unsigned char)p[0] | (uint32_t)(unsigned char)p[1] << 8 |
	       (uint32_t)(unsigned char)p[2] << 16;
}

static void add_literal(struct patterns *patterns, const char *text, size_t row, bool exact)
{
	uint8_t *slot = &patterns->first[gram_slot(gram_at(text))];
	struct literal *literal = &patterns->literals[patterns->count];

	/* Append: the first row of the table that matches wins. */
	while (*slot)
		slot = &patterns->literals[*slot - 1].next;
	*literal = (struct literal){ text, (uint8_t)strlen(text), (uint8_t)row, 0, exact };
	*slot = ++patterns->count;
}

struct patterns *diag_redact_patterns_new(void)
{
	struct patterns *patterns = diag_xcalloc(1, sizeof(*patterns));
	const struct pattern *table = diag_redact_table(&patterns->rows);

	assert(patterns->rows <= MAX_ROWS);
	patterns->table = table;
	for (size_t i = 0; i < patterns->rows; i++)
		for (size_t j = 0; j < DIAG_REDACT_MAX_LITERALS && table[i].literals[j]; j++)
			add_literal(patterns, table[i].literals[j], i, table[i].exact);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(name_words); i++)
		add_literal(patterns, name_words[i], PAIRS, false);
	add_literal(patterns, MASK_START, MASK, true);
	add_literal(patterns, PEM_END, PEM_TAIL, true);
	return patterns;
}

void diag_redact_patterns_free(struct patterns *patterns)
{
	if (!patterns)
		return;
	for (size_t i = 0; i < patterns->rows; i++)
		diag_regex_free(patterns->compiled[i]);
	for (size_t i = 0; i < PAIR_COUNT; i++)
		diag_regex_free(patterns->pairs[i]);
	for (size_t i = 0; i < patterns->added_count; i++)
		diag_regex_free(patterns->added[i]);
	free(patterns->added);
	free(patterns);
}

int diag_redact_patterns_add(struct patterns *patterns, const char *pattern, struct diag_error *err)
{
	struct diag_regex *regex;
	int r = diag_regex_new(pattern, DIAG_REGEX_MULTILINE, &regex, err);

	if (r < 0)
		return r;
	patterns->added = diag_xgrow(patterns->added, patterns->added_count,
				     &patterns->added_capacity, sizeof(*patterns->added));
	patterns->added[patterns->added_count++] = regex;
	return DIAG_OK;
}

static int compile_row(struct patterns *patterns, size_t row, struct diag_error *err)
{
	const struct pattern *pattern = &patterns->table[row];
	unsigned flags = DIAG_REGEX_ANCHORED | (pattern->exact ? 0 : DIAG_REGEX_ICASE);

	if (patterns->compiled[row])
		return DIAG_OK;
	return diag_regex_new(pattern->regex, flags, &patterns->compiled[row], err);
}

static int compile_pair(struct patterns *patterns, enum pair_pattern which, struct diag_error *err)
{
	if (patterns->pairs[which])
		return DIAG_OK;
	return diag_regex_new(diag_redact_pair_pattern(which), DIAG_REGEX_ANCHORED,
			      &patterns->pairs[which], err);
}

int diag_redact_patterns_set_steps(struct patterns *patterns, uint32_t steps,
				   struct diag_error *err)
{
	int r = DIAG_OK;

	for (size_t i = 0; i < patterns->rows && r == DIAG_OK; i++) {
		r = compile_row(patterns, i, err);
		if (r == DIAG_OK)
			diag_regex_set_steps(patterns->compiled[i], steps);
	}
	for (enum pair_pattern i = 0; i < PAIR_COUNT && r == DIAG_OK; i++) {
		r = compile_pair(patterns, i, err);
		if (r == DIAG_OK)
			diag_regex_set_steps(patterns->pairs[i], steps);
	}
	return r;
}

struct scan {
	struct patterns *patterns;
	struct slice text;
	struct find_sink sink;
	size_t cursor;    /* everything before it is decided */
	size_t names_end; /* names before it were tried */
};

static void report(struct scan *scan, struct find find)
{
	scan->sink.found(&find, scan->sink.arg);
	scan->cursor = DIAG_MAX(scan->cursor, find.end);
}

/* Withhold the line: everything up to its end is decided. */
static void give_up(struct scan *scan, size_t at)
{
	const char *newline = memchr(scan->text.text + at, '\n', scan->text.length - at);
	size_t end = newline ? (size_t)(newline - scan->text.text) : scan->text.length;

	report(scan, (struct find){ FIND_GAVE_UP, at, end, 0, false });
}

static enum diag_regex_result match_pair(void *arg, enum pair_pattern which, size_t at,
					 const struct diag_regex **ret_regex)
{
	struct scan *scan = arg;

	if (compile_pair(scan->patterns, which, NULL) < 0)
		return DIAG_REGEX_GAVE_UP;
	*ret_regex = scan->patterns->pairs[which];
	return diag_regex_match(scan->patterns->pairs[which], scan->text.text, scan->text.length,
				at);
}

static void try_pair(struct scan *scan, size_t at)
{
	struct find value;
	enum diag_regex_result result;

	if (at < scan->names_end)
		return;
	result = diag_redact_pair_at(scan->text, at, scan->cursor, match_pair, scan,
				     &scan->names_end, &value);
	if (result == DIAG_REGEX_MATCH)
		report(scan, value);
	else if (result == DIAG_REGEX_GAVE_UP)
		give_up(scan, at);
}

/* ***HIDDEN*** of another tool, ***HIDDEN-17*** of an earlier pass. */
static void try_mask(struct scan *scan, size_t at)
{
	size_t p = at + strlen(MASK_START);
	const char *text = scan->text.text;
	unsigned number = 0;

	if (p < scan->text.length && text[p] == '-')
		for (p++;
		     p < scan->text.length && isdigit((unsigned char)text[p]) && number < 100000000;
		     p++)
			number = number * 10 + (unsigned)(text[p] - '0');
	if (scan->text.length - p >= 3 && memcmp(text + p, "***", 3) == 0)
		report(scan, (struct find){ FIND_MASK, at, p + 3, number, false });
}

/* How many bytes at the end of [floor, end) are base64. */
static size_t base64_before(struct slice text, size_t floor, size_t end)
{
	size_t at = end;

	while (at > floor && (isalnum((unsigned char)text.text[at - 1]) ||
			      (text.text[at - 1] && strchr("+/=", text.text[at - 1]))))
		at--;
	return end - at;
}

/* Start of the line, where it is not too far back to be a time or another mark before a key. */
static size_t line_start(const struct scan *scan, size_t at)
{
	size_t stop = at > MAX_MARK ? at - MAX_MARK : 0;

	stop = DIAG_MAX(stop, scan->cursor);
	while (at > stop && scan->text.text[at - 1] != '\n')
		at--;
	return at;
}

/* "-----END ... PRIVATE KEY-----" whose beginning is not in the text: the base64 lines before it
 * go. */
static void try_pem_tail(struct scan *scan, size_t at)
{
	static const char kind[] = "PRIVATE KEY";
	size_t rest = DIAG_MIN(scan->text.length - at, (size_t)80);
	size_t start = at, end = at;

	if (!memmem(scan->text.text + at, rest, kind, sizeof(kind) - 1))
		return;
	/* Past what stands before it on its line, such as a time. */
	if (!base64_before(scan->text, scan->cursor, end))
		end = line_start(scan, end);
	for (;;) {
		size_t length;

		while (end > scan->cursor && scan->text.text[end - 1] &&
		       strchr("\r\n\\", scan->text.text[end - 1]))
			end--;
		length = base64_before(scan->text, scan->cursor, end);
		if (length < 4 || (start != at && length < 16))
			break;
		start = end - length;
		end = line_start(scan, start);
	}
	if (start < at)
		report(scan, (struct find){ FIND_SECRET, start, at, 0, false });
}

static size_t word_start(const struct scan *scan, size_t at)
{
	size_t stop = at > 384 ? at - 384 : 0;

	stop = DIAG_MAX(stop, scan->cursor);
	while (at > stop && !isspace((unsigned char)scan->text.text[at - 1]) &&
	       scan->text.text[at - 1] && !strchr("\"'`", scan->text.text[at - 1]))
		at--;
	return at;
}

/* Expressions look at a bounded piece of a value; the rest of a longer one goes with it. */
static void extend(const struct scan *scan, struct find *find)
{
	if (find->end - find->start < LONG_VALUE)
		return;
	while (find->end < scan->text.length) {
		char c = scan->text.text[find->end];

		if (isspace((unsigned char)c) || (c && strchr("\"'`", c)))
			return;
		find->end++;
	}
}

static void try_row(struct scan *scan, const struct literal *literal, size_t at)
{
	const struct pattern *pattern = &scan->patterns->table[literal->row];
	struct find find = { .kind = FIND_SECRET, .url = pattern->url };
	enum diag_regex_result result = DIAG_REGEX_GAVE_UP;
	const struct diag_regex *regex;
	size_t start = at;

	if (pattern->place == AT_END)
		start = at + literal->length;
	else if (pattern->place == AT_WORD)
		start = word_start(scan, at);
	if (pattern->near && !memchr(scan->text.text + start, pattern->near,
				     DIAG_MIN(scan->text.length - start, (size_t)NEAR)))
		return;
	if (compile_row(scan->patterns, literal->row, NULL) == DIAG_OK)
		result = diag_regex_match(scan->patterns->compiled[literal->row], scan->text.text,
					  scan->text.length, start);
	if (result == DIAG_REGEX_GAVE_UP)
		give_up(scan, at);
	if (result != DIAG_REGEX_MATCH)
		return;
	regex = scan->patterns->compiled[literal->row];
	if (!diag_regex_group(regex, pattern->group, &find.start, &find.end))
		return;
	if (pattern->accepts && !pattern->accepts((struct slice){ scan->text.text + find.start,
								  find.end - find.start }))
		return;
	extend(scan, &find);
	report(scan, find);
}

static bool is_here(const struct scan *scan, const struct literal *literal, size_t at)
{
	const char *p = scan->text.text + at;

	if (scan->text.length - at < literal->length)
		return false;
	return literal->exact ? memcmp(p, literal->text, literal->length) == 0
			      : strncasecmp(p, literal->text, literal->length) == 0;
}

static void try_literals(struct scan *scan, size_t at, uint8_t index)
{
	for (; index && at >= scan->cursor; index = scan->patterns->literals[index - 1].next) {
		const struct literal *literal = &scan->patterns->literals[index - 1];

		if (!is_here(scan, literal, at))
			continue;
		if (literal->row < scan->patterns->rows)
			try_row(scan, literal, at);
		else if (literal->row == PAIRS)
			try_pair(scan, at);
		else if (literal->row == MASK)
			try_mask(scan, at);
		else
			try_pem_tail(scan, at);
	}
}

/* One pattern of the user's over one line. */
static void search_line(struct scan *scan, struct diag_regex *regex, size_t start, size_t end)
{
	struct slice line = { scan->text.text + start, end - start };
	unsigned group = diag_regex_group_count(regex) ? 1 : 0;
	size_t at = 0;

	while (at <= line.length) {
		struct find find = { .kind = FIND_SECRET };
		size_t whole_start, whole_end;

		switch (diag_regex_match(regex, line.text, line.length, at)) {
		case DIAG_REGEX_NO_MATCH:
			return;
		case DIAG_REGEX_GAVE_UP:
			diag_regex_set_steps(regex,
					     DIAG_MAX(diag_regex_steps(regex) / 2, MIN_STEPS));
			give_up(scan, start);
			return;
		case DIAG_REGEX_MATCH:
			break;
		}
		diag_regex_group(regex, 0, &whole_start, &whole_end);
		if (diag_regex_group(regex, group, &find.start, &find.end) &&
		    find.start < find.end) {
			find.start += start;
			find.end += start;
			scan->sink.found(&find, scan->sink.arg);
		}
		at = DIAG_MAX(whole_end, at + 1);
	}
}

static void search_lines(struct scan *scan, struct diag_regex *regex)
{
	const char *text = scan->text.text;
	size_t length = scan->text.length;

	for (size_t start = 0; start < length;) {
		const char *newline = memchr(text + start, '\n', length - start);
		size_t end = newline ? (size_t)(newline - text) : length;

		search_line(scan, regex, start, end);
		start = end + 1;
	}
}

void diag_redact_patterns_scan(struct patterns *patterns, struct slice text, struct find_sink sink)
{
	struct scan scan = { .patterns = patterns, .text = text, .sink = sink };
	const uint8_t *first = patterns->first;

	for (size_t i = 0; i + 3 <= text.length; i++) {
		uint8_t index = first[gram_slot(gram_at(text.text + i))];

		if (!index)
			continue;
		try_literals(&scan, i, index);
		/* What was decided needs no second look. */
		if (scan.cursor > i + 1)
			i = scan.cursor - 1;
	}
	for (size_t i = 0; i < patterns->added_count; i++)
		search_lines(&scan, patterns->added[i]);
}
