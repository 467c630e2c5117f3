#include "text/clean.h"

#include <stdint.h>
#include <string.h>

#include "base/macros.h"
#include "text/clean_internal.h"

#define INVALID 0xfffdu

/* Decode one character; INVALID and one byte for anything that is not valid UTF-8 (RFC 3629). */
static uint32_t decode(const char *text, size_t left, size_t *ret_length)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	size_t length = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	uint32_t c = length == 1 ? p[0] : p[0] & (0x7fu >> length);

	*ret_length = 1;
	if ((p[0] >= 0x80 && p[0] < 0xc2) || p[0] > 0xf4 || length > left)
		return INVALID;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return INVALID;
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return INVALID;
	*ret_length = length;
	return c;
}

/* What must not reach a terminal. */
static const struct {
	uint32_t first, last;
} unsafe[] = {
	{ 0x0000, 0x001f },   /* C0: escape sequences begin here */
	{ 0x007f, 0x009f },   /* DEL and C1 */
	{ 0x00ad, 0x00ad },   /* soft hyphen, usually invisible */
	{ 0x061c, 0x061c },   /* direction mark */
	{ 0x180e, 0x180e },   /* invisible */
	{ 0x200b, 0x200b },   /* invisible; the joiners after it belong to scripts and emoji */
	{ 0x200e, 0x200f },   /* direction marks */
	{ 0x2028, 0x202e },   /* line and paragraph separators, direction overrides */
	{ 0x2060, 0x206f },   /* invisible, direction isolates */
	{ 0xfeff, 0xfeff },   /* byte order mark */
	{ 0xfff9, 0xffff },   /* annotations, what stands for invalid text, no characters */
	{ 0xe0000, 0xe007f }, /* tags, invisible */
};

static bool is_unsafe(uint32_t c)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(unsafe) && c >= unsafe[i].first; i++)
		if (c <= unsafe[i].last)
			return true;
	return (c & 0xfffe) == 0xfffe;
}

void diag_clean_add(struct diag_buf *out, const char *text, size_t length, unsigned flags)
{
	for (size_t at = 0, step; at < length; at += step) {
		uint32_t c = decode(text + at, length - at, &step);

		if (c >= 0x20 && !is_unsafe(c))
			diag_buf_add(out, text + at, step);
		else if (c != '\n' && c != '\t')
			diag_buf_putc(out, '?');
		else if (flags & DIAG_CLEAN_LINES)
			diag_buf_putc(out, (char)c);
		else if ((flags & DIAG_CLEAN_MARKS) && c == '\n')
			diag_buf_puts(out, "\u21b5");
		else
			diag_buf_putc(out, ' ');
	}
}

void diag_clean(struct diag_buf *out, const char *text)
{
	diag_clean_add(out, text, strlen(text), 0);
}

/* Columns of the character at `text` once it is cleaned; its bytes in `ret_length`. */
static size_t columns_at(const char *text, size_t left, size_t *ret_length)
{
	uint32_t c = decode(text, left, ret_length);

	return is_unsafe(c) ? 1 : diag_clean_columns(c);
}

size_t diag_clean_width(const char *text)
{
	size_t length = strlen(text), width = 0;

	for (size_t at = 0, step; at < length; at += step)
		width += columns_at(text + at, length - at, &step);
	return width;
}

/* Bytes of the text that fit into so many columns. */
static size_t fit(const char *text, size_t length, size_t columns)
{
	size_t width = 0, step;

	for (size_t at = 0; at < length; at += step) {
		width += columns_at(text + at, length - at, &step);
		if (width > columns)
			return at;
	}
	return length;
}

void diag_clean_cut(struct diag_buf *out, const char *text, size_t columns, bool utf8)
{
	size_t length = strlen(text);
	size_t dots = DIAG_MIN(columns, utf8 ? (size_t)1 : 3);
	size_t fits = fit(text, length, columns);

	if (fits == length) {
		diag_clean_add(out, text, length, 0);
		return;
	}
	diag_clean_add(out, text, fit(text, length, columns - dots), 0);
	if (utf8 && dots)
		diag_buf_puts(out, "\u2026");
	else
		diag_buf_add(out, "...", dots);
}
