#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "cli/exit.h"
#include "cli/opt.h"
#include "text/clean.h"

enum { COLUMNS = 80, HELP_COLUMN = 28 };

/* Where the next character goes. */
struct line {
	struct diag_buf *out;
	size_t column;
	size_t indent;       /* of the lines after this one */
	const char *unended; /* what ends a line that goes on: "" or a shell's backslash */
};

static void break_line(struct line *line)
{
	diag_buf_printf(line->out, "%s\n%*s", line->unended, (int)line->indent, "");
	line->column = line->indent;
}

static size_t width(const char *text, size_t length)
{
	diag_autofree char *word = diag_xstrndup(text, length);

	return diag_clean_width(word);
}

/* Bytes of a word that fit into `room` columns, at least one character. */
static size_t piece(const char *word, size_t length, size_t room)
{
	size_t end = 0, fits = 0;

	do {
		fits = end;
		end++;
		while (end < length && ((unsigned char)word[end] & 0xc0) == 0x80)
			end++;
	} while (end < length && width(word, end) <= room);
	return width(word, end) <= room || !fits ? end : fits;
}

/* One word; only one that is wider than a line is broken inside. */
static void put_word(struct line *line, const char *word, size_t length, bool spaced)
{
	size_t room = COLUMNS - strlen(line->unended);
	size_t wide = width(word, length);

	if (line->column > line->indent && line->column + spaced + wide > room)
		break_line(line);
	else if (spaced)
		diag_buf_putc(line->out, ' '), line->column++;
	while (line->column + wide > room) {
		size_t part = piece(word, length, room - line->column);

		diag_buf_add(line->out, word, part);
		word += part;
		length -= part;
		wide = width(word, length);
		if (!length)
			return;
		break_line(line);
	}
	diag_buf_add(line->out, word, length);
	line->column += wide;
}

static void put_words(struct line *line, const char *text)
{
	for (bool first = true; *text; first = false) {
		size_t word = strcspn(text, " ");

		put_word(line, text, word, !first);
		text += word;
		text += strspn(text, " ");
	}
	diag_buf_putc(line->out, '\n');
}

/* Words of `text` from column `at` on, later lines indented by `indent`. */
static void wrap(struct diag_buf *out, const char *text, size_t at, size_t indent)
{
	struct line line = { out, at, indent, "" };

	put_words(&line, text);
}

static void put_option(struct diag_buf *out, const struct diag_opt *opt)
{
	size_t start = out->length, used;

	if (opt->letter)
		diag_buf_printf(out, "  -%c, --", opt->letter);
	else
		diag_buf_puts(out, "      --");
	diag_buf_printf(out, "%s%s", opt->negatable ? "[no-]" : "", opt->name);
	if (opt->value)
		diag_buf_printf(out, "=%s", opt->value);
	used = out->length - start;
	if (used + 2 > HELP_COLUMN) {
		diag_buf_putc(out, '\n');
		used = 0;
	}
	diag_buf_printf(out, "%*s", (int)(HELP_COLUMN - used), "");
	wrap(out, opt->help, HELP_COLUMN, HELP_COLUMN);
}

static void put_options(struct diag_buf *out, const struct diag_tool *tool)
{
	const char *group = NULL;

	for (const struct diag_opt *opt = diag_opt_next(tool, NULL); opt;
	     opt = diag_opt_next(tool, opt)) {
		if (opt->hidden)
			continue;
		if (!group || strcmp(group, opt->group) != 0)
			diag_buf_printf(out, "\n%s:\n", opt->group);
		group = opt->group;
		put_option(out, opt);
	}
}

static void put_usage(struct diag_buf *out, const struct diag_tool *tool)
{
	const char *const one[] = { tool->operands ? tool->operands : "", NULL };
	const char *const *usage = tool->usage ? tool->usage : one;
	const char *before = "Usage: ";
	size_t indent = strlen(before) + 2;

	for (; *usage; usage++, before = "       ") {
		diag_buf_printf(out, "%s%s%s%s", before, tool->name,
				tool->usage ? "" : " [OPTION...]", **usage ? " " : "");
		wrap(out, *usage, strlen(before) + strlen(tool->name) + (tool->usage ? 1 : 13),
		     indent);
	}
}

/* A command that is too long goes on as a shell would take it. */
static void put_examples(struct diag_buf *out, const struct diag_example *example)
{
	if (!example || !example->command)
		return;
	diag_buf_puts(out, "\nExamples:\n");
	for (; example->command; example++) {
		struct line line = { out, 2, 6, " \\" };

		diag_buf_puts(out, "  ");
		put_words(&line, example->command);
		diag_buf_puts(out, "      ");
		wrap(out, example->help, 6, 6);
	}
}

void diag_opt_help(const struct diag_tool *tool, struct diag_buf *out)
{
	const struct diag_exit_meaning *exit = tool->exits ? tool->exits : diag_exit_meanings;

	diag_buf_printf(out, "%s: ", tool->name);
	wrap(out, tool->summary, strlen(tool->name) + 2, 2);
	diag_buf_putc(out, '\n');
	put_usage(out, tool);
	put_examples(out, tool->examples);
	if (tool->about) {
		diag_buf_putc(out, '\n');
		wrap(out, tool->about, 0, 0);
	}
	put_options(out, tool);
	diag_buf_puts(out, "\nExit status:\n");
	for (; exit->help; exit++) {
		diag_buf_printf(out, "  %-4d", exit->status);
		wrap(out, exit->help, 6, 6);
	}
	diag_buf_printf(out, "\nMore: %s\n", tool->manual ? tool->manual : "docs/README.md");
}
