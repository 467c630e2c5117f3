#include "base/buf.h"

#include "tests/support/unit.h"

TEST(grows_and_formats)
{
	struct diag_buf buf diag_buf_auto = { 0 };

	diag_buf_init(&buf, 100);
	assert_string_equal(diag_buf_str(&buf), "");
	diag_buf_printf(&buf, "%d-%s", 7, "x");
	diag_buf_putc(&buf, '!');
	assert_string_equal(diag_buf_str(&buf), "7-x!");
	assert_int_equal(buf.length, 4);
}

/* Past the ceiling nothing is added, not even a part, and the flag stays. */
TEST(ceiling_is_sticky)
{
	struct diag_buf buf diag_buf_auto = { 0 };

	diag_buf_init(&buf, 4);
	diag_buf_puts(&buf, "abc");
	diag_buf_puts(&buf, "de");
	assert_true(diag_buf_failed(&buf));
	diag_buf_puts(&buf, "d");
	assert_string_equal(diag_buf_str(&buf), "abc");
	diag_buf_clear(&buf);
	assert_false(diag_buf_failed(&buf));
	diag_buf_puts(&buf, "wxyz");
	assert_string_equal(diag_buf_str(&buf), "wxyz");
}

TEST(steal_leaves_it_empty)
{
	struct diag_buf buf diag_buf_auto = { 0 };
	char *text;

	diag_buf_init(&buf, 10);
	text = diag_buf_steal(&buf);
	assert_string_equal(text, "");
	free(text);
	diag_buf_puts(&buf, "kept");
	text = diag_buf_steal(&buf);
	assert_string_equal(text, "kept");
	assert_int_equal(buf.length, 0);
	free(text);
}

RUN_TESTS("buf", T(grows_and_formats), T(ceiling_is_sticky), T(steal_leaves_it_empty))
