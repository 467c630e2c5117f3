#include "base/str.h"

#include "tests/support/unit.h"

static void check_trim(const char *text, const char *want)
{
	size_t length;
	const char *got = diag_str_trim(text, &length);

	assert_int_equal(length, strlen(want));
	assert_memory_equal(got, want, length);
}

/* White space is Unicode's, as Go's strings.TrimSpace. */
TEST(trims_unicode_space)
{
	check_trim("  a b \n", "a b");
	check_trim("\u00a0\u2003x\u3000", "x");
	check_trim(" \xc2\x85 ", "");
	check_trim("", "");
	check_trim("\u00e9 ", "\u00e9");
}

TEST(nearest_is_near)
{
	static const char *const names[] = { "physics", "gateway", NULL, "state" };

	assert_string_equal(diag_str_nearest("phisics", names, 4), "physics");
	assert_string_equal(diag_str_nearest("GATEWAY", names, 4), "gateway");
	assert_string_equal(diag_str_nearest("satte", names, 4), "state");
	assert_null(diag_str_nearest("market", names, 4));
	assert_null(diag_str_nearest("x", names, 0));
}

TEST(compares_null)
{
	assert_true(diag_str_eq(NULL, NULL));
	assert_false(diag_str_eq(NULL, ""));
	assert_true(diag_str_in("b", "a", "b", NULL));
	assert_false(diag_str_in(NULL, "a", NULL));
	assert_true(diag_str_ends("x.json", ".json"));
	assert_false(diag_str_ends("json", ".json"));
}

TEST(tail_is_whole_lines)
{
	static const char text[] = "one\ntwo\nthree\n";

	assert_string_equal(diag_str_tail_lines(text, 14, 14), text);
	assert_string_equal(diag_str_tail_lines(text, 14, 12), "two\nthree\n");
	assert_string_equal(diag_str_tail_lines(text, 14, 10), "two\nthree\n");
	assert_string_equal(diag_str_tail_lines(text, 14, 6), "three\n");
	assert_string_equal(diag_str_tail_lines("no newline", 10, 4), "");
}

RUN_TESTS("str", T(trims_unicode_space), T(nearest_is_near), T(compares_null),
	  T(tail_is_whole_lines))
