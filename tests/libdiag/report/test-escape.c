#include "report/escape.h"

#include "tests/support/unit.h"

#define HOSTILE "a<&>\"'%:,\\#@`[x]\n\033\u202e\xff{"

static const struct {
	void (*escape)(struct diag_buf *out, const char *text);
	const char *want;
} rows[] = {
	{ diag_escape_xml, "a&lt;&amp;&gt;&quot;&#39;%:,\\#@`[x]\n???{" },
	{ diag_escape_github, "a<&>\"'%25:,\\#@`[x]%0A???{" },
	{ diag_escape_github_property, "a<&>\"'%25%3A%2C\\#@`[x]%0A???{" },
	{ diag_escape_prometheus, "a<&>\\\"'%:,\\\\#@`[x]\\n???{" },
	{ diag_escape_tap, "a<&>\"'%:,\\\\\\#@`[x] ???{" },
	{ diag_escape_yaml, "\"a<&>\\\"'%:,\\\\#@`[x]\\n???{\"" },
	{ diag_escape_markdown, "a&lt;&amp;&gt;\"'%:,\\\\#<!-- -->@<!-- -->\\`\\[x\\] ???\\{" },
	{ diag_escape_markdown_code, "`` a<&>\"'%:,\\#@`[x] ???{ ``" },
	{ diag_escape_uri, "a%3C%26%3E%22%27%25%3A%2C%5C%23%40%60%5Bx%5D%0A%1B%E2%80%AE%FF%7B" },
};

TEST(each_format_in_its_own_way)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct diag_buf out diag_buf_auto = { 0 };

		diag_buf_init(&out, 1000);
		rows[i].escape(&out, HOSTILE);
		assert_string_equal(diag_buf_str(&out), rows[i].want);
	}
}

/* An empty code span is none, and one that touches a tick is open (CommonMark 6.1). */
TEST(code_spans)
{
	static const char *const spans[][2] = {
		{ "", "` `" },
		{ "x", "`x`" },
		{ "`", "`` ` ``" },
		{ "a``b`", "``` a``b` ```" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(spans); i++) {
		struct diag_buf out diag_buf_auto = { 0 };

		diag_buf_init(&out, 1000);
		diag_escape_markdown_code(&out, spans[i][0]);
		assert_string_equal(diag_buf_str(&out), spans[i][1]);
	}
}

RUN_TESTS("escape", T(each_format_in_its_own_way), T(code_spans))
