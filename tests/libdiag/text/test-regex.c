#include "base/alloc.h"
#include "text/regex.h"

#include "tests/support/unit.h"

static struct diag_regex *compile(const char *pattern, unsigned flags)
{
	struct diag_regex *regex = NULL;
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_regex_new(pattern, flags, &regex, &err) < 0)
		fail_msg("%s", err.message);
	return regex;
}

TEST(finds_groups)
{
	diag_regex_auto struct diag_regex *regex =
		compile("(?<key>[a-z]+)=(?<value>[0-9]+)(;)?", 0);
	const char *text = "x: size=42";
	size_t start = 7, end = 7;

	assert_int_equal(diag_regex_match(regex, text, strlen(text), 0), DIAG_REGEX_MATCH);
	assert_true(diag_regex_group(regex, 0, &start, &end));
	assert_int_equal(start, 3);
	assert_int_equal(end, 10);
	assert_int_equal(diag_regex_group_index(regex, "key"), 1);
	assert_int_equal(diag_regex_group_index(regex, "value"), 2);
	assert_int_equal(diag_regex_group_index(regex, "other"), 0);
	assert_int_equal(diag_regex_group_count(regex), 3);
	assert_true(diag_regex_group(regex, 2, &start, &end));
	assert_int_equal(start, 8);
	assert_int_equal(end, 10);
	/* A group that took no part and one that does not exist leave the outputs alone. */
	assert_false(diag_regex_group(regex, 3, &start, &end));
	assert_false(diag_regex_group(regex, 4, &start, &end));
	assert_int_equal(start, 8);
}

TEST(says_no)
{
	diag_regex_auto struct diag_regex *regex = compile("abc", 0);

	assert_int_equal(diag_regex_match(regex, "ABC", 3, 0), DIAG_REGEX_NO_MATCH);
	assert_int_equal(diag_regex_match(regex, "", 0, 0), DIAG_REGEX_NO_MATCH);
	assert_int_equal(diag_regex_match(regex, NULL, 0, 0), DIAG_REGEX_NO_MATCH);
	assert_int_equal(diag_regex_match(regex, "abc", 2, 0), DIAG_REGEX_NO_MATCH);
	assert_int_equal(diag_regex_match(regex, "abc", 3, 3), DIAG_REGEX_NO_MATCH);
}

TEST(obeys_flags)
{
	static const struct {
		const char *pattern;
		unsigned flags;
		const char *text;
		size_t start;
		enum diag_regex_result result;
	} cases[] = {
		{ "abc", DIAG_REGEX_ICASE, "xABCx", 0, DIAG_REGEX_MATCH },
		{ "^b", 0, "a\nb", 0, DIAG_REGEX_NO_MATCH },
		{ "^b", DIAG_REGEX_MULTILINE, "a\nb", 0, DIAG_REGEX_MATCH },
		{ "a.b", 0, "a\nb", 0, DIAG_REGEX_NO_MATCH },
		{ "a.b", DIAG_REGEX_DOTALL, "a\nb", 0, DIAG_REGEX_MATCH },
		{ "b", DIAG_REGEX_ANCHORED, "ab", 0, DIAG_REGEX_NO_MATCH },
		{ "b", DIAG_REGEX_ANCHORED, "ab", 1, DIAG_REGEX_MATCH },
		/* What stands before the start is visible to look-behinds. */
		{ "(?<=a)b", DIAG_REGEX_ANCHORED, "ab", 1, DIAG_REGEX_MATCH },
		{ "(?<!a)b", DIAG_REGEX_ANCHORED, "ab", 1, DIAG_REGEX_NO_MATCH },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++) {
		diag_regex_auto struct diag_regex *regex =
			compile(cases[i].pattern, cases[i].flags);

		assert_int_equal(diag_regex_match(regex, cases[i].text, strlen(cases[i].text),
						  cases[i].start),
				 cases[i].result);
	}
}

TEST(takes_any_bytes)
{
	static const char text[] = "a\0b\xff\xfe\xc3(\xed\xa0\x80 key=1";
	diag_regex_auto struct diag_regex *regex = compile("key=(\\d)", DIAG_REGEX_ICASE);
	size_t start, end;

	assert_int_equal(diag_regex_match(regex, text, sizeof(text) - 1, 0), DIAG_REGEX_MATCH);
	assert_true(diag_regex_group(regex, 1, &start, &end));
	assert_int_equal(text[start], '1');
}

/* Exponential back-tracking ends at the limit, and "gave up" is not "no match". */
TEST(gives_up)
{
	diag_regex_auto struct diag_regex *regex = compile("^(a+)+$", 0);
	const char *text = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";

	assert_int_equal(diag_regex_steps(regex), DIAG_REGEX_MAX_STEPS);
	assert_int_equal(diag_regex_match(regex, text, strlen(text), 0), DIAG_REGEX_GAVE_UP);
	assert_int_equal(diag_regex_match(regex, "aaab", 4, 0), DIAG_REGEX_NO_MATCH);
	diag_regex_set_steps(regex, 1);
	assert_int_equal(diag_regex_match(regex, "aaab", 4, 0), DIAG_REGEX_GAVE_UP);
	diag_regex_set_steps(regex, 50000);
	assert_int_equal(diag_regex_match(regex, "aaaa", 4, 0), DIAG_REGEX_MATCH);
}

/* A group repeated over a long line needs a stack of its own; running out of it is giving up too.
 */
TEST(survives_a_deep_stack)
{
	diag_regex_auto struct diag_regex *regex = compile("^(?:(a)|(b)|(c))*d", 0);
	size_t length = 4 * 1024 * 1024;
	diag_autofree char *text = diag_xalloc(length);

	memset(text, 'a', length);
	diag_regex_set_steps(regex, UINT32_MAX);
	assert_int_not_equal(diag_regex_match(regex, text, length, 0), DIAG_REGEX_MATCH);
}

TEST(refuses)
{
	static const char *const bad[] = { "(", "a{2,1}", "(*UTF)a", "\\C", "(?<a>x)(?<a>y)" };
	struct diag_regex *regex = NULL;
	struct diag_error err = DIAG_ERROR_INIT;
	diag_autofree char *longest = diag_xalloc(DIAG_REGEX_MAX_PATTERN + 2);

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(bad); i++) {
		assert_int_equal(diag_regex_new(bad[i], 0, &regex, &err), DIAG_E_INVALID);
		assert_non_null(strstr(err.message, "at offset"));
		assert_null(regex);
	}
	memset(longest, 'a', DIAG_REGEX_MAX_PATTERN + 1);
	longest[DIAG_REGEX_MAX_PATTERN + 1] = '\0';
	assert_int_equal(diag_regex_new(longest, 0, &regex, &err), DIAG_E_LIMIT);
	assert_int_equal(diag_regex_new("(", 0, &regex, NULL), DIAG_E_INVALID);
	/* A pattern can only lower its own limits. */
	regex = compile("(*LIMIT_MATCH=4000000000)^(a+)+$", 0);
	diag_regex_set_steps(regex, 100);
	assert_int_equal(diag_regex_match(regex, "aaaaaaaaaaaaaaaaaaaaaaaab", 25, 0),
			 DIAG_REGEX_GAVE_UP);
	diag_regex_free(regex);
	diag_regex_free(NULL);
}

RUN_TESTS("regex", T(finds_groups), T(says_no), T(obeys_flags), T(takes_any_bytes), T(gives_up),
	  T(survives_a_deep_stack), T(refuses))
