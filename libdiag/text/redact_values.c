/*
 * The hunt for learnt values. Every form of a value is at least six bytes long, so in any three
 * neighbouring places of the text one begins a four-byte piece that lies within the first six bytes
 * of a form standing there. The scan therefore looks at every third place only: one probe of a
 * small table tells whether the four bytes belong to any form and at which offset, a second, of a
 * set of six-byte beginnings, sorts out nearly all chance meetings, and what remains is looked up
 * in a balanced tree. With 10,000 values (some 100,000 forms) the text still costs a third of a
 * probe a byte; a look-up costs the logarithm of their number.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "text/redact_internal.h"

enum { STRIDE = 3, GRAM = 4, HEAD = STRIDE - 1 + GRAM, MIN_BITS = 14, MAX_BITS = 23 };

_Static_assert(HEAD == (int)DIAG_REDACT_MIN_VALUE, "a form must hold a gram at every offset");

struct form {
	const char *bytes;
	size_t length;
	uint64_t key;
};

struct values {
	void *tree; /* of struct form, in byte order */
	struct diag_arena *arena;
	struct form **forms;
	size_t count, capacity;
	size_t values; /* different plain values */
	size_t bytes;  /* all forms together */
	size_t longest;
	unsigned bits;   /* both tables have 1 << bits slots */
	uint8_t *grams;  /* bit N: these four bytes occur at offset N of a form */
	uint8_t *heads;  /* 1: these six bytes begin a form */
	uint64_t adding; /* key of the value being added */
};

static int compare_forms(const void *a, const void *b)
{
	const struct form *x = a, *y = b;
	int order = memcmp(x->bytes, y->bytes, DIAG_MIN(x->length, y->length));

	if (order)
		return order;
	return x->length < y->length ? -1 : x->length > y->length;
}

struct values *diag_redact_values_new(void)
{
	struct values *values = diag_xcalloc(1, sizeof(*values));

	values->arena = diag_arena_new();
	return values;
}

static void keep(void *node DIAG_UNUSED)
{
}

void diag_redact_values_free(struct values *values)
{
	if (!values)
		return;
	tdestroy(values->tree, keep);
	free(values->forms);
	free(values->grams);
	free(values->heads);
	diag_arena_free(values->arena);
	free(values);
}

static size_t gram_slot(const struct values *values, const char *p)
{
	uint32_t gram;

	memcpy(&gram, p, GRAM);
	return gram * 0x9e3779b1u >> (32 - values->bits);
}

static size_t head_slot(const struct values *values, const char *p)
{
	uint64_t head = 0;

	memcpy(&head, p, HEAD);
	return (size_t)(head * 0x9e3779b97f4a7c15u >> (64 - values->bits));
}

static void enter(struct values *values, const struct form *form)
{
	for (unsigned offset = 0; offset < STRIDE; offset++)
		values->grams[gram_slot(values, form->bytes + offset)] |= (uint8_t)(1u << offset);
	values->heads[head_slot(values, form->bytes)] = 1;
}

/* Keep the tables sparse: one slot in sixteen is used by the three grams of every form. */
static void grow_tables(struct values *values)
{
	unsigned bits = values->bits ? values->bits : MIN_BITS;

	while (bits < MAX_BITS && values->count * STRIDE * 16 > (size_t)1 << bits)
		bits++;
	if (bits == values->bits)
		return;
	values->bits = bits;
	free(values->grams);
	free(values->heads);
	values->grams = diag_xcalloc((size_t)1 << bits, 1);
	values->heads = diag_xcalloc((size_t)1 << bits, 1);
	for (size_t i = 0; i < values->count; i++)
		enter(values, values->forms[i]);
}

static void add_form(struct slice bytes, void *arg)
{
	struct values *values = arg;
	struct form probe = { bytes.text, bytes.length, values->adding };
	struct form *form;

	if (bytes.length < HEAD || values->bytes + bytes.length > DIAG_REDACT_MAX_BYTES ||
	    diag_redact_is_own(bytes) || tfind(&probe, &values->tree, compare_forms))
		return;
	form = diag_arena_alloc(values->arena, sizeof(*form));
	*form = probe;
	form->bytes = diag_arena_strndup(values->arena, bytes.text, bytes.length);
	if (!tsearch(form, &values->tree, compare_forms))
		abort();
	values->forms =
		diag_xgrow(values->forms, values->count, &values->capacity, sizeof(*values->forms));
	values->forms[values->count++] = form;
	values->bytes += bytes.length;
	values->longest = DIAG_MAX(values->longest, bytes.length);
	grow_tables(values);
	enter(values, form);
}

bool diag_redact_values_add(struct values *values, struct slice value, uint64_t key)
{
	struct form probe = { value.text, value.length, key };
	size_t before = values->count;

	if (value.length < HEAD || tfind(&probe, &values->tree, compare_forms))
		return false;
	values->adding = key;
	diag_redact_encode(value, add_form, values);
	if (values->count == before)
		return false;
	values->values++;
	return true;
}

/* A look-up walks down the tree once and remembers where it last turned right. */
struct descent {
	struct slice text;
	const struct form *floor; /* the greatest form not above the text */
};

static int compare_text(const void *key, const void *node)
{
	struct descent *descent = (struct descent *)(uintptr_t)key;
	const struct form *form = node;
	int order = memcmp(descent->text.text, form->bytes,
			   DIAG_MIN(descent->text.length, form->length));

	if (order < 0 || (order == 0 && descent->text.length < form->length))
		return -1;
	descent->floor = form;
	return order > 0 || descent->text.length > form->length;
}

static size_t common_length(struct slice a, const struct form *b)
{
	size_t i = 0;

	while (i < a.length && i < b->length && a.text[i] == b->bytes[i])
		i++;
	return i;
}

/* The longest form that the text begins with. Every such form is not above the text, so it is the
 * floor, or else a beginning of what the floor and the text have in common. */
static const struct form *longest_at(const struct values *values, struct slice text)
{
	text.length = DIAG_MIN(text.length, values->longest);
	while (text.length >= HEAD) {
		struct descent descent = { text, NULL };
		size_t common;

		tfind(&descent, &values->tree, compare_text);
		if (!descent.floor)
			return NULL;
		common = common_length(text, descent.floor);
		if (common == descent.floor->length)
			return descent.floor;
		text.length = common;
	}
	return NULL;
}

static bool hit_at(const struct values *values, struct slice text, size_t at,
		   struct value_hit *ret_hit)
{
	const struct form *form;

	if (text.length - at < HEAD || !values->heads[head_slot(values, text.text + at)])
		return false;
	form = longest_at(values, (struct slice){ text.text + at, text.length - at });
	if (!form)
		return false;
	*ret_hit = (struct value_hit){ at, at + form->length, form->key };
	return true;
}

bool diag_redact_values_find(const struct values *values, struct slice text, size_t from,
			     struct value_hit *ret_hit)
{
	if (!values->count || text.length < HEAD || from > text.length - HEAD)
		return false;
	for (size_t at = from + STRIDE - 1; at + GRAM <= text.length; at += STRIDE) {
		unsigned offsets = values->grams[gram_slot(values, text.text + at)];

		for (unsigned back = STRIDE; offsets && back-- > 0;)
			if ((offsets >> back & 1) && hit_at(values, text, at - back, ret_hit))
				return true;
	}
	return false;
}

size_t diag_redact_values_count(const struct values *values)
{
	return values->values;
}

size_t diag_redact_values_longest(const struct values *values)
{
	return values->longest;
}
