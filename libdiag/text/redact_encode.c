/* The forms in which a value may occur in other text. */
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "text/base64.h"
#include "text/redact_internal.h"

/* Room for the longest form: every byte as a twice escaped \u00XX. */
#define MAX_FORM (DIAG_REDACT_MAX_VALUE * 16)

/* What stays as it is beside letters and digits, and how a space is written. */
static const struct url_style {
	const char *kept;
	const char *space;
	bool lower; /* %2f rather than %2F */
} url_styles[] = {
	{ "-_.~", "%20", false },          /* RFC 3986 unreserved */
	{ "-_.~", "+", false },            /* forms and query strings */
	{ "-_.~", "%20", true },           /* the same with small digits */
	{ "-_.!~*'()", "%20", false },     /* JavaScript's encodeURIComponent */
	{ "-_.~$&+,;=", "%20", false },    /* Go's user:password in a URL */
	{ "-_.~$&+,;=:@/", "%20", false }, /* a path */
};

enum { JSON_HTML = 1, JSON_ASCII = 2 };

/* The JSON escapes of most writers, of Go (no <, > and &), and of those that write ASCII only. */
static const unsigned json_styles[] = { 0, JSON_HTML, JSON_ASCII };

static void url_escape(struct slice value, const struct url_style *style, struct diag_buf *ret)
{
	for (size_t i = 0; i < value.length; i++) {
		unsigned char c = (unsigned char)value.text[i];

		if (isalnum(c) || (c && strchr(style->kept, c)))
			diag_buf_putc(ret, (char)c);
		else if (c == ' ')
			diag_buf_puts(ret, style->space);
		else
			diag_buf_printf(ret, style->lower ? "%%%02x" : "%%%02X", c);
	}
}

/* Bytes of the UTF-8 sequence at `at` and its code point; 0 when it is none. */
static size_t code_point(struct slice value, size_t at, unsigned *ret_point)
{
	unsigned char c = (unsigned char)value.text[at];
	size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
	unsigned point = c & (0xffu >> (length + 1));

	if (c < 0xc2 || c > 0xf4 || length > value.length - at)
		return 0;
	for (size_t i = 1; i < length; i++) {
		c = (unsigned char)value.text[at + i];
		if ((c & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (c & 0x3fu);
	}
	*ret_point = point;
	return length;
}

static void json_escape_point(unsigned point, struct diag_buf *ret)
{
	if (point < 0x10000)
		diag_buf_printf(ret, "\\u%04x", point);
	else
		diag_buf_printf(ret, "\\u%04x\\u%04x", 0xd800 + ((point - 0x10000) >> 10),
				0xdc00 + (point & 0x3ff));
}

static void json_escape(struct slice value, unsigned style, struct diag_buf *ret)
{
	static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";

	for (size_t i = 0; i < value.length; i++) {
		unsigned char c = (unsigned char)value.text[i];
		const char *name = c ? strchr(named, c) : NULL;
		unsigned point;
		size_t length;

		if (name)
			diag_buf_printf(ret, "\\%c", letters[name - named]);
		else if (c < 0x20 || ((style & JSON_HTML) && strchr("<>&", c)))
			json_escape_point(c, ret);
		else if ((style & JSON_ASCII) && (length = code_point(value, i, &point)))
			json_escape_point(point, ret), i += length - 1;
		else
			diag_buf_putc(ret, (char)c);
	}
}

struct forms {
	void (*each)(struct slice form, void *arg);
	void *arg;
	struct diag_buf buf;
};

static void give(struct forms *forms)
{
	if (!diag_buf_failed(&forms->buf) && forms->buf.length)
		forms->each((struct slice){ forms->buf.data, forms->buf.length }, forms->arg);
	diag_buf_clear(&forms->buf);
}

static void encode_base64(struct slice value, struct forms *forms)
{
	static const enum diag_base64 alphabets[] = { DIAG_BASE64_STANDARD, DIAG_BASE64_URL };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(alphabets); i++) {
		for (size_t shift = 0; shift < 3; shift++) {
			diag_base64_encode_inside(value.text, value.length, shift, alphabets[i],
						  &forms->buf);
			give(forms);
		}
		if (value.length % 3 == 0)
			continue;
		diag_base64_encode(value.text, value.length, alphabets[i], &forms->buf);
		give(forms);
	}
}

static void encode_json(struct slice value, struct forms *forms)
{
	for (size_t i = 0; i < sizeof(json_styles) / sizeof(json_styles[0]); i++) {
		diag_autofree char *once = NULL;
		size_t length;

		json_escape(value, json_styles[i], &forms->buf);
		length = forms->buf.length;
		once = diag_xstrndup(diag_buf_str(&forms->buf), length);
		give(forms);
		/* JSON in a string of JSON, as in an annotation of an annotation. */
		json_escape((struct slice){ once, length }, json_styles[i], &forms->buf);
		give(forms);
	}
}

void diag_redact_encode(struct slice value, void (*each)(struct slice form, void *arg), void *arg)
{
	struct forms forms = { .each = each, .arg = arg };

	if (!value.length)
		return;
	diag_buf_init(&forms.buf, MAX_FORM);
	each(value, arg);
	encode_json(value, &forms);
	for (size_t i = 0; i < sizeof(url_styles) / sizeof(url_styles[0]); i++) {
		url_escape(value, &url_styles[i], &forms.buf);
		give(&forms);
	}
	encode_base64(value, &forms);
	diag_buf_done(&forms.buf);
}

static unsigned hex_value(char c)
{
	return isdigit((unsigned char)c) ? (unsigned)(c - '0')
					 : (unsigned)(tolower((unsigned char)c) - 'a' + 10);
}

bool diag_redact_url_decode(struct slice text, struct diag_buf *ret)
{
	bool any = false;

	for (size_t i = 0; i < text.length; i++) {
		const char *p = text.text + i;

		if (*p != '%' || text.length - i < 3 || !isxdigit((unsigned char)p[1]) ||
		    !isxdigit((unsigned char)p[2])) {
			diag_buf_putc(ret, *p);
			continue;
		}
		diag_buf_putc(ret, (char)(hex_value(p[1]) << 4 | hex_value(p[2])));
		any = true;
		i += 2;
	}
	return any;
}
