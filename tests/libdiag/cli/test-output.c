#include "cli/output.h"

#include "tests/support/unit.h"

static int check(const char *const *outputs, struct diag_error *err)
{
	struct diag_output_options options = { 0 };
	const char *items[8] = { NULL };

	for (; outputs[options.outputs.count]; options.outputs.count++)
		items[options.outputs.count] = outputs[options.outputs.count];
	options.outputs.items = items;
	*err = (struct diag_error)DIAG_ERROR_INIT;
	return diag_output_check(&options, diag_renderers, err);
}

#define OUTPUTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

TEST(what_cannot_be_written_is_refused_before_any_work)
{
	static const struct {
		const char *outputs[4];
		const char *message;
	} rows[] = {
		{ { "jsno" }, "'jsno' is not one of text, short" },
		{ { "jsno" }, "did you mean 'json'?" },
		{ { "" }, "'' is not one of" },
		{ { "json=" }, "'json=' names no file" },
		{ { "text", "short" }, "only one format can go to standard output" },
		{ { "json", "short=a", "text=-" }, "only one format can go to standard output" },
		{ { "json=a=b", "short=a=b" }, "two formats for the file 'a=b'" },
	};
	struct diag_error err;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		assert_int_equal(check(rows[i].outputs, &err), DIAG_E_INVALID);
		assert_non_null(strstr(err.message, rows[i].message));
	}
	assert_int_equal(check(OUTPUTS("text", "json=a", "json=b", "short=a=b"), &err), DIAG_OK);
	assert_int_equal(check(OUTPUTS("json=-", "json=./-"), &err), DIAG_OK);
}

/* Standard output is no terminal here. */
TEST(colour_and_width_where_no_terminal_is)
{
	struct diag_output_options options = { 0 };

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	assert_false(diag_output_style(&options).colour);
	options.colour = 1;
	setenv("NO_COLOR", "1", 1);
	assert_true(diag_output_style(&options).colour);
	options.colour = 2;
	assert_false(diag_output_style(&options).colour);

	unsetenv("COLUMNS");
	assert_int_equal(diag_output_style(&options).width, 100);
	setenv("COLUMNS", "60", 1);
	assert_int_equal(diag_output_style(&options).width, 60);
	setenv("COLUMNS", "99999999999999999999", 1);
	assert_int_equal(diag_output_style(&options).width, 100);
}

RUN_TESTS("output", T(what_cannot_be_written_is_refused_before_any_work),
	  T(colour_and_width_where_no_terminal_is))
