#include "cli/output.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"
#include "cli/app.h"

const char *const diag_colour_names[] = { "auto", "always", "never", NULL };

enum { COLOUR_AUTO, COLOUR_ALWAYS };
enum { NARROWEST = 20, WIDEST = 1000, DEFAULT_WIDTH = 100, MAX_FORMATS = 64 };

/* "FORMAT" and "FORMAT=-" go to standard output. */
static const char *file_of(const char *output)
{
	const char *equals = strchr(output, '=');

	return equals ? equals + 1 : "-";
}

static bool is_stdout(const char *output)
{
	return strcmp(file_of(output), "-") == 0;
}

static char *format_of(const char *output)
{
	return diag_xstrndup(output, strcspn(output, "="));
}

static int unknown_format(const struct diag_renderer *renderers, const char *format,
			  struct diag_error *err)
{
	struct diag_buf names diag_buf_auto = { 0 };
	const char *candidates[MAX_FORMATS];
	const char *nearest;
	size_t count = 0;

	diag_buf_init(&names, DIAG_MAX_MESSAGE);
	for (; renderers[count].name && count < MAX_FORMATS; count++) {
		candidates[count] = renderers[count].name;
		diag_buf_printf(&names, "%s%s", count ? ", " : "", candidates[count]);
	}
	nearest = diag_str_nearest(format, candidates, count);
	return diag_error_set(err, DIAG_E_INVALID, "-o: '%.80s' is not one of %s%s%s%s", format,
			      diag_buf_str(&names), nearest ? "; did you mean '" : "",
			      nearest ? nearest : "", nearest ? "'?" : "");
}

static int check_format(const struct diag_renderer *renderers, const char *output,
			struct diag_error *err)
{
	diag_autofree char *format = format_of(output);

	if (!diag_renderer_find(renderers, format))
		return unknown_format(renderers, format, err);
	if (!*file_of(output))
		return diag_error_set(err, DIAG_E_INVALID, "-o: '%s' names no file", output);
	return DIAG_OK;
}

static int same_place(const char *output, struct diag_error *err)
{
	if (is_stdout(output))
		return diag_error_set(
			err, DIAG_E_INVALID,
			"-o: only one format can go to standard output; give the others "
			"a file: FORMAT=FILE");
	return diag_error_set(err, DIAG_E_INVALID, "-o: two formats for the file '%s'",
			      file_of(output));
}

int diag_output_check(const struct diag_output_options *options,
		      const struct diag_renderer *renderers, struct diag_error *err)
{
	const char *const *outputs = options->outputs.items;

	for (size_t i = 0; i < options->outputs.count; i++) {
		int r = check_format(renderers, outputs[i], err);

		if (r < 0)
			return r;
		for (size_t j = 0; j < i; j++)
			if (strcmp(file_of(outputs[j]), file_of(outputs[i])) == 0)
				return same_place(outputs[i], err);
	}
	return DIAG_OK;
}

/* https://no-color.org: set and not empty. */
static bool wants_colour(int when, bool to_terminal)
{
	const char *term = getenv("TERM");

	if (when != COLOUR_AUTO)
		return when == COLOUR_ALWAYS;
	return to_terminal && diag_str_empty(getenv("NO_COLOR")) && !diag_str_empty(term) &&
	       strcmp(term, "dumb") != 0;
}

static int terminal_width(void)
{
	const char *columns = getenv("COLUMNS");
	long asked = columns ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > NARROWEST)
		return size.ws_col;
	return asked > NARROWEST && asked <= WIDEST ? (int)asked : DEFAULT_WIDTH;
}

static bool is_utf8(void)
{
	return diag_str_eq(nl_langinfo(CODESET), "UTF-8");
}

struct diag_style diag_output_style(const struct diag_output_options *options)
{
	return (struct diag_style){
		.colour = wants_colour(options->colour, isatty(STDOUT_FILENO)),
		.utf8 = is_utf8(),
		.width = terminal_width(),
	};
}

/* A file outlives the terminal that it was made in. */
static struct diag_style file_style(const struct diag_output_options *options)
{
	return (struct diag_style){
		.colour = wants_colour(options->colour, false),
		.utf8 = is_utf8(),
		.width = DEFAULT_WIDTH,
	};
}

static int write_one(const struct diag_output_options *options,
		     const struct diag_renderer *renderer, const char *file,
		     const struct diag_report *report, struct diag_error *err)
{
	struct diag_report styled = *report;
	diag_autofree char *text = NULL;
	int r;

	styled.style = strcmp(file, "-") == 0 ? diag_output_style(options) : file_style(options);
	r = diag_report_render(renderer, &styled, &text, err);
	return r < 0 ? r : diag_app_write(file, text, err);
}

static int write_all(const struct diag_output_options *options,
		     const struct diag_renderer *renderers, const struct diag_report *report,
		     struct diag_error *err)
{
	int first = DIAG_OK;

	if (!options->outputs.count)
		return write_one(options, &renderers[0], "-", report, err);
	for (size_t i = 0; i < options->outputs.count; i++) {
		const char *output = options->outputs.items[i];
		diag_autofree char *format = format_of(output);
		int r = write_one(options, diag_renderer_find(renderers, format), file_of(output),
				  report, first < 0 ? NULL : err);

		first = first < 0 ? first : r;
	}
	return first;
}

int diag_output_write(const struct diag_output_options *options,
		      const struct diag_renderer *renderers, const struct diag_report *report,
		      struct diag_error *err)
{
	diag_autofree char *folder = getcwd(NULL, 0);
	diag_autofree char *root = folder ? diag_file_upwards(folder, ".git") : NULL;
	struct diag_report placed = *report;

	placed.folder = folder;
	placed.root = root;
	return write_all(options, renderers, &placed, err);
}
