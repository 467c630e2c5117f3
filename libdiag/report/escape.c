#include "report/escape.h"

#include <ctype.h>
#include <string.h>

#include "text/clean.h"

/* What stands for a character; the table ends with 0. */
struct escape {
	char c;
	const char *text;
};

static void escape(struct diag_buf *out, const char *text, unsigned flags,
		   const struct escape *table)
{
	struct diag_buf clean diag_buf_auto = { 0 };

	diag_buf_init(&clean, 4 * strlen(text) + 1);
	diag_clean_add(&clean, text, strlen(text), flags);
	for (const char *p = diag_buf_str(&clean); *p; p++) {
		const struct escape *e = table;

		while (e->c && e->c != *p)
			e++;
		if (e->c)
			diag_buf_puts(out, e->text);
		else
			diag_buf_putc(out, *p);
	}
}

void diag_escape_xml(struct diag_buf *out, const char *text)
{
	static const struct escape table[] = {
		{ '&', "&amp;" },  { '<', "&lt;" },   { '>', "&gt;" },
		{ '"', "&quot;" }, { '\'', "&#39;" }, { 0, NULL },
	};

	escape(out, text, DIAG_CLEAN_LINES, table);
}

void diag_escape_github(struct diag_buf *out, const char *text)
{
	static const struct escape table[] = { { '%', "%25" }, { '\n', "%0A" }, { 0, NULL } };

	escape(out, text, DIAG_CLEAN_LINES, table);
}

void diag_escape_github_property(struct diag_buf *out, const char *text)
{
	static const struct escape table[] = {
		{ '%', "%25" }, { '\n', "%0A" }, { ':', "%3A" }, { ',', "%2C" }, { 0, NULL },
	};

	escape(out, text, DIAG_CLEAN_LINES, table);
}

void diag_escape_prometheus(struct diag_buf *out, const char *text)
{
	static const struct escape table[] = {
		{ '\\', "\\\\" },
		{ '"', "\\\"" },
		{ '\n', "\\n" },
		{ 0, NULL },
	};

	escape(out, text, DIAG_CLEAN_LINES, table);
}

void diag_escape_tap(struct diag_buf *out, const char *text)
{
	static const struct escape table[] = { { '\\', "\\\\" }, { '#', "\\#" }, { 0, NULL } };

	escape(out, text, 0, table);
}

void diag_escape_yaml(struct diag_buf *out, const char *text)
{
	static const struct escape table[] = {
		{ '\\', "\\\\" }, { '"', "\\\"" }, { '\n', "\\n" }, { '\t', "\\t" }, { 0, NULL },
	};

	diag_buf_putc(out, '"');
	escape(out, text, DIAG_CLEAN_LINES, table);
	diag_buf_putc(out, '"');
}

void diag_escape_markdown(struct diag_buf *out, const char *text)
{
	/* An empty comment parts the sign from what it would refer to. */
	static const struct escape table[] = {
		{ '&', "&amp;" },     { '<', "&lt;" },      { '>', "&gt;" }, { '@', "@<!-- -->" },
		{ '#', "#<!-- -->" }, { '!', "!<!-- -->" }, { '~', "\\~" },  { '$', "\\$" },
		{ '\\', "\\\\" },     { '`', "\\`" },       { '*', "\\*" },  { '_', "\\_" },
		{ '[', "\\[" },       { ']', "\\]" },       { '|', "\\|" },  { '{', "\\{" },
		{ 0, NULL },
	};

	escape(out, text, 0, table);
}

static size_t longest_run(const char *text, char c)
{
	size_t longest = 0, run = 0;

	for (; *text; text++) {
		run = *text == c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

void diag_escape_markdown_code(struct diag_buf *out, const char *text)
{
	size_t ticks = longest_run(text, '`') + 1;
	const char *pad = ticks > 1 ? " " : "";
	static const struct escape none[] = { { 0, NULL } };

	for (size_t i = 0; i < ticks; i++)
		diag_buf_putc(out, '`');
	diag_buf_puts(out, pad);
	escape(out, *text ? text : " ", 0, none);
	diag_buf_puts(out, pad);
	for (size_t i = 0; i < ticks; i++)
		diag_buf_putc(out, '`');
}

void diag_escape_uri(struct diag_buf *out, const char *path)
{
	for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
		if (*p < 0x80 && (isalnum(*p) || strchr("-._~/", *p)))
			diag_buf_putc(out, (char)*p);
		else
			diag_buf_printf(out, "%%%02X", *p);
	}
}
