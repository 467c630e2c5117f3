#include "base/limits.h"
#include "cli/exit.h"
#include "cli/opt.h"

#include "tests/support/unit.h"

struct store {
	bool all, verbose;
	const char *bundle;
	struct diag_opt_list names, paths;
	int64_t count, grace_ms;
	int level;
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
		{ "--level", "mid", "one of low, high" },
		{ "--bun", "x", "unknown option" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct store store = { 0 };
		struct diag_opt_list operands = { 0 };
		struct diag_error err = DIAG_ERROR_INIT;

		assert_int_equal(parse(&store, &operands, &err, WORDS(rows[i].word, rows[i].next)),
				 DIAG_E_INVALID);
		if (!strstr(err.message, rows[i].part))
			fail_msg("%s: %s", rows[i].word, err.message);
		diag_opt_done(&tool, &store);
		diag_opt_list_done(&operands);
	}
}

TEST(exit_status_order)
{
	assert_int_equal(diag_exit_status(true, true, true, true), 130);
	assert_int_equal(diag_exit_status(false, true, true, true), 3);
	assert_int_equal(diag_exit_status(false, false, true, true), 1);
	assert_int_equal(diag_exit_status(false, false, false, true), 4);
	assert_int_equal(diag_exit_status(false, false, false, false), 0);
}

RUN_TESTS("opt", T(every_form), T(errors_say_what_to_do), T(exit_status_order))
