#include "text/base64.h"

#include <string.h>

static const char alphabets[][65] = {
	[DIAG_BASE64_STANDARD] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	[DIAG_BASE64_URL] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
};

void diag_base64_encode_inside(const char *bytes, size_t length, size_t shift,
			       enum diag_base64 alphabet, struct diag_buf *ret)
{
	static const size_t dropped[] = { 0, 2, 3 };
	size_t bits = (shift + length) * 8;

	for (size_t at = dropped[shift] * 6; at + 6 <= bits; at += 6) {
		size_t byte = at / 8 - shift;
		unsigned pair = (unsigned)(unsigned char)bytes[byte] << 8;

		if (byte + 1 < length)
			pair |= (unsigned char)bytes[byte + 1];
		diag_buf_putc(ret, alphabets[alphabet][pair >> (10 - at % 8) & 63]);
	}
}

void diag_base64_encode(const char *bytes, size_t length, enum diag_base64 alphabet,
			struct diag_buf *ret)
{
	size_t over = length % 3;
	unsigned last;

	diag_base64_encode_inside(bytes, length, 0, alphabet, ret);
	if (over == 0)
		return;
	/* The last, partly filled character. */
	last = (unsigned char)bytes[length - 1];
	diag_buf_putc(ret, alphabets[alphabet][(over == 1 ? last << 4 : last << 2) & 63]);
	diag_buf_puts(ret, over == 1 ? "==" : "=");
}

static int digit_value(char c)
{
	const char *standard = alphabets[DIAG_BASE64_STANDARD];
	const char *at = c ? strchr(standard, c) : NULL;

	if (at)
		return (int)(at - standard);
	return c == '-' ? 62 : c == '_' ? 63 : -1;
}

bool diag_base64_decode(const char *text, size_t length, struct diag_buf *ret)
{
	unsigned bits = 0, held = 0;
	size_t digits = 0, i = 0;
	size_t before = ret->length;

	for (; i < length && text[i] != '='; i++) {
		int digit = digit_value(text[i]);

		if (text[i] == '\n' || text[i] == '\r')
			continue;
		if (digit < 0)
			break;
		digits++;
		bits = (bits << 6 | (unsigned)digit) & 0xfff;
		held += 6;
		if (held >= 8) {
			held -= 8;
			diag_buf_putc(ret, (char)(bits >> held & 0xff));
		}
	}
	while (i < length && strchr("=\r\n", text[i]) && text[i])
		i++;
	if (i == length && digits % 4 != 1 && !diag_buf_failed(ret))
		return true;
	/* Not base64: take back what was written. */
	ret->length = before;
	if (ret->data)
		ret->data[before] = '\0';
	return false;
}
