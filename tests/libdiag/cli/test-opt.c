#include "base/limits.h"
#include "cli/opt.h"

#include "tests/support/unit.h"

struct store {
	bool all, verbose;
	const char *bundle;
	struct diag_opt_list names, paths;
	int64_t count, grace_ms, wait_ms, at_ms;
	int level;
	bool colour, help;
};

static const char *const levels[] = { "low", "high", NULL };

#define AT(member) offsetof(struct store, member)

static const struct diag_opt options[] = {
	{ 'A', "all", NULL, "everything", "Source", DIAG_OPT_FLAG, AT(all) },
	{ 'v', "verbose", NULL, "more", "Output", DIAG_OPT_FLAG, AT(verbose) },
	{ 0, "bundle", "PATH", "a bundle", "Source", DIAG_OPT_STRING, AT(bundle) },
	{ 'n', "namespace", "NS", "a namespace", "Source", DIAG_OPT_LIST, AT(names) },
	{ 'f', "filename", "PATH", "a file", "Source", DIAG_OPT_PATHS, AT(paths) },
	{ 0, "count", "N", "how many", "Other", DIAG_OPT_INTEGER, AT(count), .min = 1, .max = 9 },
	{ 0, "grace", "DURATION", "how long", "Other", DIAG_OPT_DURATION, AT(grace_ms) },
	{ 0, "level", "LEVEL", "how bad", "Other", DIAG_OPT_ENUM, AT(level), levels },
	{ 0, "wait", "DURATION", "how long", "Other", DIAG_OPT_DURATION, AT(wait_ms), .min = 1000,
	  .max = 60000 },
	{ 0, "at", "TIME", "when", "Source", DIAG_OPT_TIME, AT(at_ms) },
	{ 0, "color", NULL, "paint", "Output", DIAG_OPT_FLAG, AT(colour), .negatable = true },
	{ 'h', "help", NULL, "this help", "Other", DIAG_OPT_STOP, AT(help) },
	{ 0, "secret-door", NULL, "works unseen", "Other", DIAG_OPT_FLAG, AT(all), .hidden = true },
	{ 0 },
};
static const struct diag_example examples[] = { { NULL, NULL } };
static const struct diag_tool tool = {
	.name = "tool",
	.summary = "do things",
	.about = "About.",
	.options = options,
	.examples = examples,
};

static int parse(struct store *store, struct diag_opt_list *operands, struct diag_error *err,
		 const char *const *words)
{
	char *argv[16] = { NULL };
	int argc = 0;

	for (; words[argc]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc];
	return diag_opt_parse(&tool, argc, argv, store, operands, err);
}

#define WORDS(...) ((const char *const[]){ "tool", __VA_ARGS__, NULL })

TEST(every_form)
{
	struct store store = { 0 };
	struct diag_opt_list operands = { 0 };

	assert_int_equal(
		parse(&store, &operands, NULL,
		      WORDS("-vA", "world", "--bundle=b", "-na,b", "-n", "c", "-f", "x,y",
			    "--count", "3", "--grace", "1m30s", "--level=high", "--", "-x")),
		0);
	assert_true(store.all && store.verbose);
	assert_string_equal(store.bundle, "b");
	assert_int_equal(store.names.count, 3);
	assert_string_equal(store.names.items[1], "b");
	assert_string_equal(store.paths.items[0], "x,y");
	assert_int_equal(store.count, 3);
	assert_int_equal(store.grace_ms, 90000);
	assert_int_equal(store.level, 1);
	assert_int_equal(operands.count, 2);
	assert_string_equal(operands.items[1], "-x");
	diag_opt_done(&tool, &store);
	diag_opt_list_done(&operands);
}

TEST(errors_say_what_to_do)
{
	static const struct {
		const char *word, *next, *part;
	} rows[] = {
		{ "--bundel", "x", "did you mean '--bundle'" },
		{ "--zzzzzz", NULL, "unknown option" },
		{ "-q", NULL, "unknown option '-q'" },
		{ "--bundle", NULL, "--bundle needs a value" },
		{ "--all=1", NULL, "--all takes no value" },
		{ "--count", "10", "not between 1 and 9" },
		{ "--count", "x", "whole number" },
		{ "--grace", "5", "duration" },
		{ "--level", "mid", "--level: 'mid' is not one of low, high" },
		{ "--level", "hihg", "did you mean 'high'?" },
		{ "--level=", NULL, "'' is not one of" },
		{ "--count", " 3", "' 3' is not a whole number" },
		{ "--count", "+3", "whole number" },
		{ "--count", "3x", "whole number" },
		{ "--count=", NULL, "whole number" },
		{ "--count", "99999999999999999999", "whole number" },
		{ "--wait", "2m", "'2m' is not between 1s and 1m" },
		{ "--wait=0", NULL, "not between" },
		{ "--at", "yesterday", "a time such as" },
		{ "--no-colour", NULL, "did you mean '--no-color'?" },
		{ "--no-all", NULL, "unknown option '--no-all'" },
		{ "--no-color=1", NULL, "unknown option '--no-color'" },
		{ "--secret-dor", NULL, "unknown option '--secret-dor'; see tool --help" },
		{ "-vq", NULL, "unknown option '-q'; see tool --help" },
		{ "-\u00e4", NULL, "unknown option '-\u00e4';" },
		{ "-n", NULL, "--namespace needs a value: NS" },
		{ "--", "--no-such-thing-but-an-operand", NULL },
		{ "--=x", NULL, "unknown option '--'" },
		{ "---all", NULL, "unknown option '---all'" },
		{ "--bun", "x", "unknown option '--bun'; did you mean '--bundle'?" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct store store = { 0 };
		struct diag_opt_list operands = { 0 };
		struct diag_error err = DIAG_ERROR_INIT;

		assert_int_equal(parse(&store, &operands, &err, WORDS(rows[i].word, rows[i].next)),
				 rows[i].part ? DIAG_E_INVALID : DIAG_OK);
		if (rows[i].part && !strstr(err.message, rows[i].part))
			fail_msg("%s: %s", rows[i].word, err.message);
		diag_opt_done(&tool, &store);
		diag_opt_list_done(&operands);
	}
}

/* Values may look like anything; only what follows "--" and "-" alone are operands. */
TEST(values_and_operands)
{
	struct store store = { 0 };
	struct diag_opt_list operands = { 0 };

	assert_int_equal(parse(&store, &operands, NULL,
			       WORDS("-", "--bundle", "--all", "-n=a", "-n", "-v", "--bundle=",
				     "-f-", "x", "--at=2026-12-01T08:00:00Z", "--", "--", "-A")),
			 0);
	assert_false(store.all || store.verbose);
	assert_string_equal(store.bundle, "");
	assert_int_equal(store.names.count, 2);
	assert_string_equal(store.names.items[0], "a");
	assert_string_equal(store.names.items[1], "-v");
	assert_string_equal(store.paths.items[0], "-");
	assert_int_equal(store.at_ms, INT64_C(1796112000000)); /* date -u -d ... +%s000 */
	assert_int_equal(operands.count, 4);
	assert_string_equal(operands.items[0], "-");
	assert_string_equal(operands.items[2], "--");
	assert_string_equal(operands.items[3], "-A");
	assert_null(operands.items[4]);
	diag_opt_done(&tool, &store);
	diag_opt_list_done(&operands);
}

TEST(flags_that_can_be_taken_back)
{
	struct store store = { .colour = true };
	struct diag_opt_list operands = { 0 };

	assert_int_equal(parse(&store, &operands, NULL, WORDS("--no-color")), 0);
	assert_false(store.colour);
	assert_int_equal(parse(&store, &operands, NULL, WORDS("--no-color", "--color")), 0);
	assert_true(store.colour);
	assert_int_equal(parse(&store, &operands, NULL, WORDS("--secret-door")), 0);
	assert_true(store.all);
}

/* Who asks for help gets it, whatever else is wrong after it. */
TEST(help_ends_parsing)
{
	struct store store = { 0 };
	struct diag_opt_list operands = { 0 };

	assert_int_equal(parse(&store, &operands, NULL, WORDS("-vhq", "--nonsense", "--count")), 0);
	assert_true(store.help && store.verbose);
	assert_int_equal(operands.count, 0);
	store.help = false;
	assert_int_equal(parse(&store, &operands, NULL, WORDS("--nonsense", "--help")),
			 DIAG_E_INVALID);
	assert_false(store.help);
}

/* Nothing on the command line makes a message that is cut in the wrong place or unending. */
TEST(hostile_words)
{
	static const char *const options_at_fault[] = { "--count", "--grace", "--level", "--at" };
	char word[5000];
	struct store store = { 0 };
	struct diag_opt_list operands = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;

	memset(word, 'x', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(options_at_fault); i++) {
		assert_int_equal(parse(&store, &operands, &err, WORDS(options_at_fault[i], word)),
				 DIAG_E_INVALID);
		assert_true(strlen(err.message) < 200);
		assert_non_null(strstr(err.message, "x' is not"));
	}
	word[0] = word[1] = '-';
	assert_int_equal(parse(&store, &operands, &err, WORDS(word)), DIAG_E_INVALID);
	assert_true(strlen(err.message) < 200);
	assert_non_null(strstr(err.message, "see tool --help"));
	assert_int_equal(diag_opt_parse(&tool, 0, NULL, &store, &operands, &err), DIAG_OK);
}

/* What completion and man pages are made from: every option once, groups together. */
TEST(options_in_the_order_of_help)
{
	static const char *const wanted[] = {
		"all",   "bundle", "namespace", "filename", "at",   "verbose",     "color",
		"count", "grace",  "level",     "wait",     "help", "secret-door",
	};
	const struct diag_opt none[] = { { 0 } };
	const struct diag_tool empty = { .name = "empty", .options = none };
	const struct diag_opt *opt = NULL;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(wanted); i++) {
		opt = diag_opt_next(&tool, opt);
		assert_non_null(opt);
		assert_string_equal(opt->name, wanted[i]);
	}
	assert_null(diag_opt_next(&tool, opt));
	assert_null(diag_opt_next(&empty, NULL));
}

RUN_TESTS("opt", T(every_form), T(errors_say_what_to_do), T(values_and_operands),
	  T(flags_that_can_be_taken_back), T(help_ends_parsing), T(hostile_words),
	  T(options_in_the_order_of_help))
