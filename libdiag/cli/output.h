/*
 * -o FORMAT[=FILE], repeatable, and --color: the output options that all tools share. What a tool
 * can print is its table of renderers; where it goes and what it may look like there is decided
 * here. Nothing here knows the exit status.
 */
#pragma once

#include "base/error.h"
#include "cli/opt.h"
#include "report/report.h"

/* Part of each tool's option struct, named `output`. */
struct diag_output_options {
	struct diag_opt_list outputs;
	int colour; /* index into diag_colour_names */
};

/** "auto", "always", "never"; ends with NULL. */
extern const char *const diag_colour_names[];

/* clang-format off */
/*
 * The rows of the option table for `struct TYPE { …; struct diag_output_options output; … }`.
 * FORMATS is a sentence that names the tool's formats, for --help.
 */
#define DIAG_OPT_OUTPUT(type, formats)                                                             \
	{ 'o', "output", "FORMAT[=FILE]", formats,                                                 \
	  "Output", DIAG_OPT_PATHS, offsetof(type, output.outputs), .values = DIAG_VALUES_FORMAT },   \
	{ 0, "color", "WHEN", "auto, always or never; NO_COLOR is obeyed",                         \
	  "Output", DIAG_OPT_ENUM, offsetof(type, output.colour), diag_colour_names }
/* clang-format on */

/**
 * Refuse what could not be written, before any work is done: an unknown format, two of them on
 * standard output, two in one file.
 *
 * @renderers the tool's table; ends with a NULL name
 *
 * Returns DIAG_OK or INVALID.
 */
int diag_output_check(const struct diag_output_options *options,
		      const struct diag_renderer *renderers, struct diag_error *err);

/**
 * What a report may look like on standard output: colour as --color, NO_COLOR and TERM say, glyphs
 * as the locale's character set says, the width of the terminal, else of $COLUMNS, else 100. Call
 * setlocale(LC_CTYPE, "") before.
 */
struct diag_style diag_output_style(const struct diag_output_options *options);

/**
 * Render and write every output; without -o the table's first format goes to standard output. A
 * file is complete under its name or not touched (diag_file_replace()); one that fails does not
 * keep the others from being written.
 *
 * @report its `style`, `folder` and `root` are ignored: each output gets those of its place
 *
 * Returns DIAG_OK, or the first failure.
 */
int diag_output_write(const struct diag_output_options *options,
		      const struct diag_renderer *renderers, const struct diag_report *report,
		      struct diag_error *err);
