#include "text/clean.h"

#include <stdint.h>
#include <string.h>

#include "base/limits.h"
#include "base/macros.h"

/* Decode one character; 0xFFFD and one byte for anything that is not valid UTF-8 (RFC 3629). */
static uint32_t decode(const char *text, size_t *ret_length)
{
	const unsigned char *p = (const unsigned char *)text;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = p[0] < 0x80   ? 1
			: p[0] < 0xc2 ? 0
			: p[0] < 0xe0 ? 2
			: p[0] < 0xf0 ? 3
			: p[0] < 0xf5 ? 4
				      : 0;
	uint32_t c = length == 1 ? p[0] : length ? p[0] & (0x7fu >> length) : 0;

	*ret_length = 1;
	if (!length)
		return 0xfffd;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 0xfffd;
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0xfffd;
	*ret_length = length;
	return c;
}

/* Overrides and isolates can make a name read backwards; U+2028/9 break lines. */
static bool is_unsafe(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c <= 0x9f) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f || c == 0x061c ||
	       c == 0x2028 || c == 0x2029 || c == 0xfeff || c == 0xfffd;
}

/* Ranges of zero and double width that occur in names and messages. */
static const struct {
	uint32_t first, last;
	size_t width;
} widths[] = {
	{ 0x0300, 0x036f, 0 },   { 0x0483, 0x0489, 0 },   { 0x0591, 0x05bd, 0 },
	{ 0x0610, 0x061a, 0 },   { 0x064b, 0x065f, 0 },   { 0x1100, 0x115f, 2 },
	{ 0x1ab0, 0x1aff, 0 },   { 0x1dc0, 0x1dff, 0 },   { 0x200b, 0x200d, 0 },
	{ 0x20d0, 0x20ff, 0 },   { 0x231a, 0x231b, 2 },   { 0x23e9, 0x23ec, 2 },
	{ 0x2e80, 0x303e, 2 },   { 0x3041, 0x33ff, 2 },   { 0x3400, 0x4dbf, 2 },
	{ 0x4e00, 0x9fff, 2 },   { 0xa000, 0xa4cf, 2 },   { 0xac00, 0xd7a3, 2 },
	{ 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },   { 0xfe20, 0xfe2f, 0 },
	{ 0xfe30, 0xfe6f, 2 },   { 0xff00, 0xff60, 2 },   { 0xffe0, 0xffe6, 2 },
	{ 0x1f300, 0x1f64f, 2 }, { 0x1f680, 0x1f6ff, 2 }, { 0x1f900, 0x1f9ff, 2 },
	{ 0x20000, 0x3fffd, 2 },
};

static size_t width_of(uint32_t c)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(widths); i++)
		if (c >= widths[i].first && c <= widths[i].last)
			return widths[i].width;
	return 1;
}

void diag_clean(struct diag_buf *out, const char *text)
{
	while (*text) {
		size_t length;
		uint32_t c = decode(text, &length);

		if (*text == '\n' || *text == '\t')
			diag_buf_putc(out, ' ');
		else if (is_unsafe(c))
			diag_buf_putc(out, '?');
		else
			diag_buf_add(out, text, length);
		text += length;
	}
}

size_t diag_clean_width(const char *text)
{
	size_t width = 0;

	while (*text) {
		size_t length;
		uint32_t c = decode(text, &length);

		width += is_unsafe(c) ? 1 : width_of(c);
		text += length;
	}
	return width;
}

void diag_clean_cut(struct diag_buf *out, const char *text, size_t columns, bool utf8)
{
	struct diag_buf clean diag_buf_auto = { 0 };
	const char *ellipsis = utf8 ? "\u2026" : "...";
	size_t room = columns, width = 0;
	const char *at;

	diag_buf_init(&clean, 4 * strlen(text) + 1);
	diag_clean(&clean, text);
	at = diag_buf_str(&clean);
	if (diag_clean_width(at) <= columns) {
		diag_buf_puts(out, at);
		return;
	}
	room -= DIAG_MIN(room, utf8 ? (size_t)1 : 3);
	while (*at) {
		size_t length;
		size_t step = width_of(decode(at, &length));

		if (width + step > room)
			break;
		diag_buf_add(out, at, length);
		width += step;
		at += length;
	}
	diag_buf_puts(out, ellipsis);
}
