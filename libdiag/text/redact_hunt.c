/*
 * Finding learnt values: a table over the first four bytes of every form of every value. One pass
 * over the text, one look-up a byte, a comparison only where four bytes agree.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "text/redact_internal.h"

enum { TABLE_BITS = 14, TABLE_SIZE = 1 << TABLE_BITS, MIN_FORM = 6 };

static size_t slot_of(const char *bytes)
{
	uint32_t four;

	memcpy(&four, bytes, sizeof(four));
	return (four * 2654435761u) >> (32 - TABLE_BITS);
}

static void add_form(struct diag_redact *redact, const char *bytes, size_t length, size_t mask)
{
	struct needle *needle;
	size_t slot;

	if (length < MIN_FORM)
		return;
	if (!redact->table)
		redact->table = diag_xcalloc(TABLE_SIZE, sizeof(*redact->table));
	redact->needles = diag_xgrow(redact->needles, redact->needle_count,
				     &redact->needle_capacity, sizeof(*redact->needles));
	slot = slot_of(bytes);
	needle = &redact->needles[redact->needle_count++];
	*needle = (struct needle){
		.bytes = diag_xstrndup(bytes, length),
		.length = length,
		.mask = mask,
		.next = redact->table[slot],
	};
	redact->table[slot] = redact->needle_count;
}

/* The part of the base64 text that is the same whatever stands before and after the value. */
static void add_base64(struct diag_redact *redact, const char *value, size_t length, size_t mask,
		       size_t before)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct diag_buf out diag_buf_auto = { 0 };
	uint32_t bits = 0;
	size_t skip = before == 0 ? 0 : before + 1; /* digits that hold foreign bits */
	int have = 0;

	diag_buf_init(&out, 4 * DIAG_MAX_MESSAGE);
	for (size_t i = 0; i < before + length; i++) {
		bits = bits << 8 | (i < before ? 0u : (unsigned char)value[i - before]);
		for (have += 8; have >= 6; have -= 6)
			diag_buf_putc(&out, digits[bits >> (have - 6) & 63]);
	}
	if (out.length > skip)
		add_form(redact, diag_buf_str(&out) + skip, out.length - skip, mask);
}

static void add_url_escaped(struct diag_redact *redact, const char *value, size_t length,
			    size_t mask)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, 4 * DIAG_MAX_MESSAGE);
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)value[i];

		if (isalnum(c) || strchr("-_.~", c))
			diag_buf_putc(&out, (char)c);
		else
			diag_buf_printf(&out, "%%%02X", c);
	}
	if (out.length != length)
		add_form(redact, diag_buf_str(&out), out.length, mask);
}

static void add_json_escaped(struct diag_redact *redact, const char *value, size_t length,
			     size_t mask)
{
	json_t *string = json_stringn(value, length);
	char *text = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
	size_t quoted = text ? strlen(text) : 0;

	if (quoted > length + 2)
		add_form(redact, text + 1, quoted - 2, mask);
	free(text);
	json_decref(string);
}

void diag_redact_add_needles(struct diag_redact *redact, const char *value, size_t length,
			     size_t mask)
{
	add_form(redact, value, length, mask);
	add_url_escaped(redact, value, length, mask);
	add_json_escaped(redact, value, length, mask);
	for (size_t before = 0; before < 3; before++)
		add_base64(redact, value, length, mask, before);
}

void diag_redact_free_needles(struct diag_redact *redact)
{
	for (size_t i = 0; i < redact->needle_count; i++)
		free(redact->needles[i].bytes);
	free(redact->needles);
	free(redact->table);
}

/* The longest value that stands at this place. */
static const struct needle *needle_at(const struct diag_redact *redact, const char *at, size_t left)
{
	const struct needle *best = NULL;

	for (size_t i = redact->table[slot_of(at)]; i; i = redact->needles[i - 1].next) {
		const struct needle *needle = &redact->needles[i - 1];

		if (needle->length <= left && (!best || needle->length > best->length) &&
		    memcmp(at, needle->bytes, needle->length) == 0)
			best = needle;
	}
	return best;
}

bool diag_redact_hunt(const struct diag_redact *redact, const char *text, size_t length,
		      struct diag_buf *ret_masked)
{
	bool changed = false;
	size_t copied = 0;

	for (size_t i = 0; redact->table && i + MIN_FORM <= length;) {
		const struct needle *needle = needle_at(redact, text + i, length - i);

		if (!needle) {
			i++;
			continue;
		}
		diag_buf_add(ret_masked, text + copied, i - copied);
		diag_redact_put_mask(ret_masked, needle->mask);
		i += needle->length;
		copied = i;
		changed = true;
	}
	if (changed)
		diag_buf_add(ret_masked, text + copied, length - copied);
	return changed;
}
