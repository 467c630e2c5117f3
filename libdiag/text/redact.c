#include "text/redact.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "text/redact_internal.h"

enum { CHUNK = 1023, MIN_LINE = 20 }; /* of long values: bytes hunted together, shortest line */

/* A place in the text that is going to change, or must not. */
enum span_kind { SPAN_VALUE, SPAN_FOUND, SPAN_WITHHELD, SPAN_MASK };

struct span {
	size_t start;
	size_t end;
	enum span_kind kind;
	uint64_t key; /* of the secret; SPAN_VALUE and SPAN_FOUND */
};

/* Value to number, an open hash table. */
struct token {
	uint64_t key;
	unsigned number; /* 0: free slot */
};

struct diag_redact {
	struct values *values;
	struct patterns *patterns;
	struct token *tokens;
	size_t token_count, token_capacity; /* capacity is a power of two */
	unsigned last_number;
	size_t withheld;
	size_t masked;
	struct span *spans; /* of the text at hand */
	size_t span_count, span_capacity;
	struct slice text;
	bool learn;
};

struct diag_redact *diag_redact_new(void)
{
	struct diag_redact *redact = diag_xcalloc(1, sizeof(*redact));

	redact->values = diag_redact_values_new();
	redact->patterns = diag_redact_patterns_new();
	return redact;
}

void diag_redact_free(struct diag_redact *redact)
{
	if (!redact)
		return;
	diag_redact_values_free(redact->values);
	diag_redact_patterns_free(redact->patterns);
	free(redact->tokens);
	free(redact->spans);
	free(redact);
}

struct patterns *diag_redact_patterns_of(struct diag_redact *redact)
{
	return redact->patterns;
}

/* FNV-1a, 64 bit, with a last mix so that the low bits may index a table. Two values with one key
 * would share a token, no more. */
uint64_t diag_redact_key(struct slice value)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < value.length; i++)
		h = (h ^ (unsigned char)value.text[i]) * 0x100000001b3u;
	h ^= h >> 32;
	return h * 0x9e3779b97f4a7c15u >> 1 | 1;
}

static struct token *token_slot(struct token *tokens, size_t capacity, uint64_t key)
{
	for (size_t i = key >> 8;; i++) {
		struct token *token = &tokens[i & (capacity - 1)];

		if (!token->number || token->key == key)
			return token;
	}
}

static void grow_tokens(struct diag_redact *redact)
{
	size_t capacity = redact->token_capacity ? redact->token_capacity * 2 : 64;
	struct token *tokens = diag_xcalloc(capacity, sizeof(*tokens));

	for (size_t i = 0; i < redact->token_capacity; i++)
		if (redact->tokens[i].number)
			*token_slot(tokens, capacity, redact->tokens[i].key) = redact->tokens[i];
	free(redact->tokens);
	redact->tokens = tokens;
	redact->token_capacity = capacity;
}

/* 0 when there are too many different values to remember: bounded memory comes before numbers. */
static unsigned number_of(struct diag_redact *redact, uint64_t key)
{
	struct token *token;

	if (redact->token_count * 2 >= redact->token_capacity)
		grow_tokens(redact);
	token = token_slot(redact->tokens, redact->token_capacity, key);
	if (!token->number && redact->token_count < DIAG_REDACT_MAX_TOKENS) {
		*token = (struct token){ key, ++redact->last_number };
		redact->token_count++;
	}
	return token->number;
}

static void put_token(struct diag_redact *redact, uint64_t key, struct diag_buf *ret)
{
	unsigned number = number_of(redact, key);

	redact->masked++;
	if (number)
		diag_buf_printf(ret, "***HIDDEN-%u***", number);
	else
		diag_buf_puts(ret, "***HIDDEN***");
}

void diag_redact_put_token(struct diag_redact *redact, struct slice value, struct diag_buf *ret)
{
	put_token(redact, diag_redact_key(value), ret);
}

/* --- learning --- */

static void learn(struct diag_redact *redact, struct slice value)
{
	if (diag_redact_is_learnable(value))
		diag_redact_values_add(redact->values, value, diag_redact_key(value));
}

void diag_redact_learn(struct diag_redact *redact, const char *value, size_t length)
{
	struct slice whole = diag_redact_trim((struct slice){ value, length });

	if (whole.length <= DIAG_REDACT_MAX_VALUE) {
		learn(redact, whole);
		return;
	}
	/* A long value is hunted in pieces, whose length is a multiple of base64's three bytes. */
	whole.length = DIAG_MIN(whole.length, DIAG_REDACT_MAX_LONG);
	for (size_t at = 0; at < whole.length; at += CHUNK)
		learn(redact, (struct slice){ whole.text + at,
					      DIAG_MIN((size_t)CHUNK, whole.length - at) });
}

void diag_redact_learn_found(struct diag_redact *redact, struct slice value)
{
	value = diag_redact_trim(value);
	if (!diag_redact_is_wordy(value))
		diag_redact_learn(redact, value.text, value.length);
}

static void learn_find(const struct find *find, void *arg)
{
	struct diag_redact *redact = arg;

	if (find->kind == FIND_SECRET)
		diag_redact_learn_found(redact, (struct slice){ redact->text.text + find->start,
								find->end - find->start });
}

void diag_redact_learn_within(struct diag_redact *redact, struct slice text)
{
	struct slice outer = redact->text;

	redact->text = text;
	diag_redact_patterns_scan(redact->patterns, text, (struct find_sink){ learn_find, redact });
	redact->text = outer;
	/* A file in a Secret shows up elsewhere line by line. */
	if (!memchr(text.text, '\n', text.length))
		return;
	for (size_t start = 0; start < text.length;) {
		const char *newline = memchr(text.text + start, '\n', text.length - start);
		size_t end = newline ? (size_t)(newline - text.text) : text.length;
		struct slice line =
			diag_redact_trim((struct slice){ text.text + start, end - start });

		if (diag_redact_is_random(line, MIN_LINE))
			learn(redact, line);
		start = end + 1;
	}
}

/* --- finding --- */

/* Never cut a UTF-8 sequence in two: JSON strings must stay valid. */
static void whole_characters(struct slice text, struct span *span)
{
	while (span->start && ((unsigned char)text.text[span->start] & 0xc0) == 0x80)
		span->start--;
	while (span->end < text.length && ((unsigned char)text.text[span->end] & 0xc0) == 0x80)
		span->end++;
}

static void add_span(struct diag_redact *redact, struct span span)
{
	if (span.kind != SPAN_WITHHELD)
		whole_characters(redact->text, &span);
	redact->spans = diag_xgrow(redact->spans, redact->span_count, &redact->span_capacity,
				   sizeof(*redact->spans));
	redact->spans[redact->span_count++] = span;
}

static void add_line(struct diag_redact *redact, const struct find *find)
{
	const char *text = redact->text.text;
	const char *before = memrchr(text, '\n', find->start);
	const char *after = memchr(text + find->start, '\n', redact->text.length - find->start);

	add_span(redact, (struct span){ before ? (size_t)(before + 1 - text) : 0,
					after ? (size_t)(after - text) : redact->text.length,
					SPAN_WITHHELD, 0 });
}

/* The value as it would be written elsewhere. */
static struct slice plain(struct slice value, bool url, struct diag_buf *buf)
{
	diag_buf_init(buf, DIAG_REDACT_MAX_VALUE);
	if (url && diag_redact_url_decode(value, buf) && !diag_buf_failed(buf))
		return (struct slice){ buf->data, buf->length };
	return value;
}

static void add_find(const struct find *find, void *arg)
{
	struct diag_redact *redact = arg;
	struct slice raw = { redact->text.text + find->start, find->end - find->start };
	diag_buf_auto struct diag_buf buf = { 0 };
	struct slice value;

	switch (find->kind) {
	case FIND_GAVE_UP:
		add_line(redact, find);
		return;
	case FIND_MASK:
		/* Numbers of an earlier pass stay theirs. */
		redact->last_number = DIAG_MAX(redact->last_number, find->number);
		add_span(redact, (struct span){ find->start, find->end, SPAN_MASK, 0 });
		return;
	case FIND_SECRET:
		break;
	}
	value = plain(raw, find->url, &buf);
	add_span(redact,
		 (struct span){ find->start, find->end, SPAN_FOUND, diag_redact_key(value) });
	if (redact->learn)
		diag_redact_learn_found(redact, value);
}

static void add_values(struct diag_redact *redact)
{
	struct value_hit hit;

	for (size_t at = 0; diag_redact_values_find(redact->values, redact->text, at, &hit);
	     at = hit.end)
		add_span(redact, (struct span){ hit.start, hit.end, SPAN_VALUE, hit.key });
}

/* --- writing --- */

/* In the order of the text; of those that start together the longest first, then the learnt value,
 * whose key is that of the plain form. */
static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (int)x->kind - (int)y->kind;
}

/* Join the span with those after it that overlap; returns the index of the first that does not. */
static size_t join(const struct diag_redact *redact, size_t at, struct span *ret_span)
{
	struct span span = redact->spans[at];

	for (at++; at < redact->span_count && redact->spans[at].start < span.end; at++) {
		const struct span *next = &redact->spans[at];

		/* A hit inside an old mask is an accident of its digits. */
		if (span.kind == SPAN_MASK && next->end <= span.end)
			continue;
		if (next->kind == SPAN_WITHHELD || span.kind == SPAN_WITHHELD) {
			span.kind = SPAN_WITHHELD;
		} else if (next->end > span.end) {
			span.kind = SPAN_FOUND;
			span.key = diag_redact_key((struct slice){ redact->text.text + span.start,
								   next->end - span.start });
		}
		span.end = DIAG_MAX(span.end, next->end);
	}
	*ret_span = span;
	return at;
}

static bool write_masked(struct diag_redact *redact, struct diag_buf *ret)
{
	size_t done = 0;
	bool changed = false;

	qsort(redact->spans, redact->span_count, sizeof(*redact->spans), compare_spans);
	for (size_t i = 0; i < redact->span_count;) {
		struct span span;

		i = join(redact, i, &span);
		if (span.kind == SPAN_MASK)
			continue;
		diag_buf_add(ret, redact->text.text + done, span.start - done);
		if (span.kind == SPAN_WITHHELD) {
			diag_buf_puts(ret, DIAG_REDACT_WITHHELD);
			redact->withheld++;
		} else {
			put_token(redact, span.key, ret);
		}
		done = span.end;
		changed = true;
	}
	if (changed)
		diag_buf_add(ret, redact->text.text + done, redact->text.length - done);
	return changed;
}

bool diag_redact_apply(struct diag_redact *redact, struct slice text, bool learn_too,
		       struct diag_buf *ret)
{
	redact->text = text;
	redact->learn = learn_too;
	redact->span_count = 0;
	diag_redact_patterns_scan(redact->patterns, text, (struct find_sink){ add_find, redact });
	add_values(redact);
	return redact->span_count && write_masked(redact, ret);
}

bool diag_redact_text(struct diag_redact *redact, const char *text, size_t length,
		      struct diag_buf *ret)
{
	return diag_redact_apply(redact, (struct slice){ text, length }, false, ret);
}

/* End of the mask that begins at `at`, or `at` when none does. */
static size_t mask_end(struct slice text, size_t at)
{
	static const char start[] = "***HIDDEN", end[] = "***";
	size_t p = at + sizeof(start) - 1;

	if (text.length - at < sizeof(start) - 1 || memcmp(text.text + at, start, p - at) != 0)
		return at;
	if (p < text.length && text.text[p] == '-')
		p++;
	while (p < text.length && isdigit((unsigned char)text.text[p]))
		p++;
	if (text.length - p < sizeof(end) - 1 || memcmp(text.text + p, end, sizeof(end) - 1) != 0)
		return at;
	return p + sizeof(end) - 1;
}

/* A value such as abc*** seems to stand where a mask follows abc. */
static bool touches_mask(struct slice text, const struct value_hit *hit)
{
	enum { LONGEST = 24 };

	for (size_t at = hit->start > LONGEST ? hit->start - LONGEST : 0; at < hit->end; at++) {
		size_t end = mask_end(text, at);

		if (end > at && end > hit->start)
			return true;
	}
	return false;
}

bool diag_redact_finds(const struct diag_redact *redact, const char *text, size_t length)
{
	struct slice whole = { text, length };
	struct value_hit hit;

	for (size_t at = 0; diag_redact_values_find(redact->values, whole, at, &hit);
	     at = hit.start + 1)
		if (!touches_mask(whole, &hit))
			return true;
	return false;
}

int diag_redact_add_pattern(struct diag_redact *redact, const char *pattern, struct diag_error *err)
{
	return diag_redact_patterns_add(redact->patterns, pattern, err);
}

size_t diag_redact_learnt(const struct diag_redact *redact)
{
	return diag_redact_values_count(redact->values);
}

size_t diag_redact_longest(const struct diag_redact *redact)
{
	return diag_redact_values_longest(redact->values);
}

size_t diag_redact_withheld(const struct diag_redact *redact)
{
	return redact->withheld;
}

size_t diag_redact_masked(const struct diag_redact *redact)
{
	return redact->masked;
}
