#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "cli/exit.h"
#include "cli/opt.h"

enum { COLUMNS = 80, HELP_COLUMN = 28 };

/* Words of `text` from column `at` on, later lines indented by `indent`. */
static void wrap(struct diag_buf *out, const char *text, size_t at, size_t indent)
{
	bool first = true;

	while (*text) {
		size_t word = strcspn(text, " ");

		if (at > indent && at + 1 + word > COLUMNS) {
			diag_buf_printf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			diag_buf_putc(out, ' ');
			at++;
		}
		first = false;
		diag_buf_add(out, text, word);
		at += word;
		text += word;
		text += strspn(text, " ");
	}
	diag_buf_putc(out, '\n');
}

static void put_option(struct diag_buf *out, const struct diag_opt *opt)
{
	size_t start = out->length, used;

	if (opt->letter)
		diag_buf_printf(out, "  -%c, --%s", opt->letter, opt->name);
	else
		diag_buf_printf(out, "      --%s", opt->name);
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

/* A group is printed where its first option stands, with all its options. */
static bool is_first_of_group(const struct diag_opt *options, const struct diag_opt *opt)
{
	for (const struct diag_opt *other = options; other != opt; other++)
		if (diag_str_eq(other->group, opt->group))
			return false;
	return true;
}

static void put_options(struct diag_buf *out, const struct diag_opt *options)
{
	for (const struct diag_opt *opt = options; opt->name; opt++) {
		if (!is_first_of_group(options, opt))
			continue;
		diag_buf_printf(out, "\n%s:\n", opt->group);
		for (const struct diag_opt *member = opt; member->name; member++)
			if (diag_str_eq(member->group, opt->group))
				put_option(out, member);
	}
}

void diag_opt_help(const struct diag_tool *tool, struct diag_buf *out)
{
	diag_buf_printf(out, "%s: ", tool->name);
	wrap(out, tool->summary, strlen(tool->name) + 2, 2);
	diag_buf_printf(out, "\nUsage: %s [OPTION...]%s%s\n\nExamples:\n", tool->name,
			tool->operands ? " " : "", tool->operands ? tool->operands : "");
	for (const struct diag_example *example = tool->examples; example->command; example++) {
		diag_buf_printf(out, "  %s\n      ", example->command);
		wrap(out, example->help, 6, 6);
	}
	diag_buf_putc(out, '\n');
	wrap(out, tool->about, 0, 0);
	put_options(out, tool->options);
	diag_buf_puts(out, "\nExit status:\n");
	for (const struct diag_exit_meaning *exit = diag_exit_meanings; exit->help; exit++) {
		diag_buf_printf(out, "  %-4d", exit->status);
		wrap(out, exit->help, 6, 6);
	}
	diag_buf_puts(out, "\nMore: docs/README.md\n");
}
