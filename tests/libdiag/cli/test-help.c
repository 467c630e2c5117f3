#include "base/limits.h"
#include "cli/opt.h"
#include "text/clean.h"

#include "tests/support/unit.h"

static const struct diag_opt options[] = {
	{ 'n', "namespace", "NS", "look at this namespace", "Source", DIAG_OPT_LIST, 0 },
	{ 'o', "output", "FORMAT", "how to write it", "Output", DIAG_OPT_STRING, 0 },
	{ 0, "a-name-that-needs-a-line-of-its-own", "VALUE",
	  "a text of so many words that it takes more than the rest of one line and must go on",
	  "Source", DIAG_OPT_STRING, 0 },
	{ 0, "color", NULL, "paint it", "Output", DIAG_OPT_FLAG, 0, .negatable = true },
	{ 0, "unseen", NULL, "not shown", "Output", DIAG_OPT_FLAG, 0, .hidden = true },
	{ 0 },
};

static const struct diag_example examples[] = {
	{ "tool -n game", "the usual" },
	{ "tool --output=json --namespace=a-long-name --namespace=another-long-name --color | less",
	  "a long one" },
	{ NULL, NULL },
};

static const struct diag_tool tool = {
	.name = "tool",
	.summary = "do things",
	.operands = "[WORLD...]",
	.about = "About.",
	.options = options,
	.examples = examples,
	.manual = "tool(1)",
};

static char *help(const struct diag_tool *which)
{
	struct diag_buf out;

	diag_buf_init(&out, DIAG_MIB);
	diag_opt_help(which, &out);
	assert_false(diag_buf_failed(&out));
	return diag_buf_steal(&out);
}

TEST(is_laid_out)
{
	static const char wanted[] =
		"tool: do things\n"
		"\n"
		"Usage: tool [OPTION...] [WORLD...]\n"
		"\n"
		"Examples:\n"
		"  tool -n game\n"
		"      the usual\n"
		"  tool --output=json --namespace=a-long-name --namespace=another-long-name \\\n"
		"      --color | less\n"
		"      a long one\n"
		"\n"
		"About.\n"
		"\n"
		"Source:\n"
		"  -n, --namespace=NS        look at this namespace\n"
		"      --a-name-that-needs-a-line-of-its-own=VALUE\n"
		"                            a text of so many words that it takes more than the\n"
		"                            rest of one line and must go on\n"
		"\n"
		"Output:\n"
		"  -o, --output=FORMAT       how to write it\n"
		"      --[no-]color          paint it\n"
		"\n"
		"Exit status:\n"
		"  0   nothing at or above the --fail-on severity\n";
	char *text = help(&tool);

	assert_int_equal(strncmp(text, wanted, sizeof(wanted) - 1), 0);
	assert_non_null(strstr(text, "\nMore: tool(1)\n"));
	assert_string_equal(strrchr(text, 'M'), "More: tool(1)\n");
	assert_null(strstr(text, "unseen"));
	free(text);
}

TEST(takes_usage_and_exits_of_the_tool)
{
	static const char *const usage[] = { "[OPTION...] FILE", "inspect BUNDLE", NULL };
	static const struct diag_exit_meaning exits[] = { { 9, "nine", "nine" },
							  { 0, NULL, NULL } };
	const struct diag_opt none[] = { { 0 } };
	const struct diag_tool other = { .name = "other",
					 .summary = "do others",
					 .options = none,
					 .usage = usage,
					 .exits = exits };
	char *text = help(&other);

	assert_string_equal(text, "other: do others\n\nUsage: other [OPTION...] FILE\n"
				  "       other inspect BUNDLE\n\nExit status:\n  9   nine\n\n"
				  "More: docs/README.md\n");
	free(text);
}

static void check_width(const char *text)
{
	char line[4096];

	while (*text) {
		size_t length = strcspn(text, "\n");

		assert_true(length < sizeof(line));
		memcpy(line, text, length);
		line[length] = '\0';
		if (diag_clean_width(line) > 80)
			fail_msg("%zu columns: %s", diag_clean_width(line), line);
		text += length + (text[length] == '\n');
	}
}

/* Words of every length and width, in every place. */
TEST(is_never_wider_than_80)
{
	static const char *const units[] = { "x", "\u4e2d", "e\u0301", "ab ", "\u2014 ", "\xff" };
	enum { LONGEST = 200 };

	for (size_t unit = 0; unit < DIAG_ARRAY_SIZE(units); unit++) {
		for (size_t count = 0; count < LONGEST; count += count < 90 ? 1 : 7) {
			char word[LONGEST * 4] = "w";
			char *text;

			for (size_t i = 0; i < count; i++)
				strcat(word, units[unit]);
			{
				const char *const usage[] = { word, NULL };
				const struct diag_example some[] = { { word, word },
								     { NULL, NULL } };
				const struct diag_exit_meaning exits[] = { { 1, word, "x" },
									   { 0, NULL, NULL } };
				const struct diag_opt table[] = {
					{ 'a', "all", NULL, word, "Source", DIAG_OPT_FLAG, 0 },
					{ 0 },
				};
				const struct diag_tool wide = {
					.name = "tool",
					.summary = word,
					.about = word,
					.options = table,
					.examples = some,
					.usage = count % 2 ? usage : NULL,
					.operands = word,
					.exits = exits,
				};

				text = help(&wide);
			}
			check_width(text);
			free(text);
		}
	}
}

RUN_TESTS("help", T(is_laid_out), T(takes_usage_and_exits_of_the_tool), T(is_never_wider_than_80))
