#include "text/clean.h"

#include "tests/support/unit.h"

static void check(const char *text, const char *want)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, 1000);
	diag_clean(&out, text);
	assert_string_equal(diag_buf_str(&out), want);
}

TEST(nothing_a_terminal_acts_on)
{
	check("a\033[31mb\a", "a?[31mb?");
	check("a\nb\tc\r", "a b c?");
	check("\xc2\x9b"
	      "31m",
	      "?31m"); /* C1 control as UTF-8 */
	check("\xe2\x80\xae"
	      "evil",
	      "?evil");                       /* right-to-left override */
	check("\xff\xfe ok \xc3", "?? ok ?"); /* invalid UTF-8 */
	check("\xed\xa0\x80", "???");         /* a surrogate */
	check("Stra\u00dfe \u4e16\u754c", "Stra\u00dfe \u4e16\u754c");
}

TEST(widths)
{
	assert_int_equal(diag_clean_width("abc"), 3);
	assert_int_equal(diag_clean_width("\u4e16\u754c"), 4);
	assert_int_equal(diag_clean_width("e\u0301"), 1);
}

TEST(cuts_with_an_ellipsis)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, 100);
	diag_clean_cut(&out, "abcdef", 4, true);
	assert_string_equal(diag_buf_str(&out), "abc\u2026");
	diag_buf_clear(&out);
	diag_clean_cut(&out, "abcdef", 5, false);
	assert_string_equal(diag_buf_str(&out), "ab...");
	diag_buf_clear(&out);
	diag_clean_cut(&out, "abc", 3, true);
	assert_string_equal(diag_buf_str(&out), "abc");
}

RUN_TESTS("clean", T(nothing_a_terminal_acts_on), T(widths), T(cuts_with_an_ellipsis))
