#include <time.h>

#include "base/alloc.h"
#include "text/redact_internal.h"

#include "tests/support/unit.h"

/* The base64 texts were made with coreutils' base64, the escapes by hand from RFC 3986 and RFC
 * 8259. */
static const struct {
	const char *value;
	const char *text;
	const char *masked;
} cases[] = {
	{ "N3utral-pw", "aN3utral-pwb N3utral-p", "a#b N3utral-p" },
	{ "N3utral-pw", "N3utral-pwN3utral-pw", "##" },
	/* alone, after "x", after "xy": the three ways its bits can fall. A character in which a
	 * neighbour has a part stays. */
	{ "N3utral-pw", "TjN1dHJhbC1wdw==", "#" },
	{ "N3utral-pw", "eE4zdXRyYWwtcHc=", "eE#c=" },
	{ "N3utral-pw", "eHlOM3V0cmFsLXB3", "eHl#" },
	{ "N3utral-pw", "user:pw dXNlcjpOM3V0cmFsLXB3 end", "user:pw dXNlcjp# end" },
	/* six bytes, the shortest, in the middle of others */
	{ "abc+/7", "eGFiYysvN3k=", "eG#3k=" },
	{ "abc+/7", "eHlhYmMrLzd6", "eHl#d6" },
	/* both alphabets */
	{ "a>>>???b", "YT4-Pj8_P2I=", "#" },
	{ "a>>>???b", "YT4+Pj8/P2I=", "#" },
	{ "a b/c&d=e", "?x=a%20b%2Fc%26d%3De&y", "?x=#&y" },
	{ "a b/c&d=e", "?x=a+b%2Fc%26d%3De&y", "?x=#&y" },
	{ "a b/c&d=e", "?x=a%20b%2fc%26d%3de&y", "?x=#&y" },
	{ "a'b(c)!", "a'b(c)! a%27b%28c%29%21", "# #" },
	{ "p@ss:w&rd", "//u:p%40ss%3Aw&rd@h", "//u:#@h" },
	{ "a\"b\\c\nd", "{\"x\":\"a\\\"b\\\\c\\nd\"}", "{\"x\":\"#\"}" },
	{ "a\"b<c>", "\"a\\\"b\\u003cc\\u003e\"", "\"#\"" },
	{ "a\"b\\cd", "{\\\"x\\\":\\\"a\\\\\\\"b\\\\\\\\cd\\\"}", "{\\\"x\\\":\\\"#\\\"}" },
	{ "p\xc3\xa4ss-\xf0\x9f\x94\x91", "\"p\\u00e4ss-\\ud83d\\udd11\"", "\"#\"" },
	{ "tab\there", "tab\there tab\\there tab%09here", "# # #" },
};

static char *hash_hits(const struct values *values, const char *text)
{
	diag_buf_auto struct diag_buf out = { 0 };
	struct slice whole = { text, strlen(text) };
	struct value_hit hit;
	size_t at = 0;

	diag_buf_init(&out, 65536);
	for (; diag_redact_values_find(values, whole, at, &hit); at = hit.end) {
		diag_buf_add(&out, text + at, hit.start - at);
		diag_buf_putc(&out, '#');
	}
	diag_buf_puts(&out, text + at);
	return diag_buf_steal(&out);
}

TEST(finds_every_form)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++) {
		struct values *values = diag_redact_values_new();
		struct slice value = { cases[i].value, strlen(cases[i].value) };
		diag_autofree char *masked = NULL;

		if (!diag_redact_values_add(values, value, 1))
			fail_msg("'%s' not taken", cases[i].value);
		assert_false(diag_redact_values_add(values, value, 1));
		assert_int_equal(diag_redact_values_count(values), 1);
		masked = hash_hits(values, cases[i].text);
		assert_string_equal(masked, cases[i].masked);
		diag_redact_values_free(values);
	}
}

/* At every offset of the stride, at the text's start and end, and nowhere when one byte is off. */
TEST(finds_at_every_place)
{
	static const char value[] = "q7-Lmnop";
	struct values *values = diag_redact_values_new();
	char text[64];
	struct value_hit hit;

	diag_redact_values_add(values, (struct slice){ value, 8 }, 7);
	for (size_t before = 0; before < 20; before++) {
		for (size_t after = 0; after < 20; after++) {
			memset(text, 'q', sizeof(text));
			memcpy(text + before, value, 8);
			assert_true(diag_redact_values_find(
				values, (struct slice){ text, before + 8 + after }, 0, &hit));
			assert_int_equal(hit.start, before);
			assert_int_equal(hit.end, before + 8);
			assert_int_equal(hit.key, 7);
			assert_false(diag_redact_values_find(
				values, (struct slice){ text, before + 7 }, 0, &hit));
			assert_false(diag_redact_values_find(
				values, (struct slice){ text, before + 8 + after }, before + 1,
				&hit));
		}
	}
	diag_redact_values_free(values);
}

/* Of values that begin alike the longest that is there counts. */
TEST(prefers_the_longest)
{
	static const char *const learnt[] = { "secret-",         "secret-1",    "secret-1234",
					      "secret-12345678", "secret-1239", "secret-0",
					      "secret-9" };
	struct values *values = diag_redact_values_new();
	struct value_hit hit;
	const char *text = "secret-1234567 secret-12399 secret-5";

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(learnt); i++)
		diag_redact_values_add(values, (struct slice){ learnt[i], strlen(learnt[i]) }, i);
	assert_true(diag_redact_values_find(values, (struct slice){ text, strlen(text) }, 0, &hit));
	assert_int_equal(hit.key, 2);
	assert_true(diag_redact_values_find(values, (struct slice){ text, strlen(text) }, hit.end,
					    &hit));
	assert_int_equal(hit.key, 4);
	assert_true(diag_redact_values_find(values, (struct slice){ text, strlen(text) }, hit.end,
					    &hit));
	assert_int_equal(hit.key, 0);
	assert_int_equal(hit.start, 28);
	diag_redact_values_free(values);
}

/* Many values that all begin alike, in a text full of that beginning. */
TEST(stays_fast_with_many)
{
	enum { VALUES = 10000, REPEATS = 4000, SECONDS = 20 };
	static const char prefix[] = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.";
	struct values *values = diag_redact_values_new();
	clock_t start = clock();
	size_t length = sizeof(prefix) - 1;
	diag_autofree char *text = diag_xalloc(REPEATS * length);
	struct value_hit hit;
	char value[64];

	for (int i = 0; i < VALUES; i++) {
		int size =
			snprintf(value, sizeof(value), "%s%08x", prefix, (unsigned)i * 2654435761u);

		diag_redact_values_add(values, (struct slice){ value, (size_t)size }, (uint64_t)i);
	}
	assert_int_equal(diag_redact_values_count(values), VALUES);
	for (size_t i = 0; i < REPEATS; i++)
		memcpy(text + i * length, prefix, length);
	assert_false(
		diag_redact_values_find(values, (struct slice){ text, REPEATS * length }, 0, &hit));
	assert_true(
		diag_redact_values_find(values, (struct slice){ value, strlen(value) }, 0, &hit));
	assert_int_equal(hit.key, VALUES - 1);
	assert_true((clock() - start) / CLOCKS_PER_SEC < SECONDS);
	diag_redact_values_free(values);
}

/* Memory for forms is bounded; what came first stays hunted. */
TEST(stops_at_its_ceiling)
{
	struct values *values = diag_redact_values_new();
	diag_autofree char *value = diag_xalloc(DIAG_REDACT_MAX_VALUE + 1);
	struct value_hit hit;
	bool added = true;

	memset(value, 'q', DIAG_REDACT_MAX_VALUE);
	value[DIAG_REDACT_MAX_VALUE] = '\0';
	for (int i = 0; i < 5000 && added; i++) {
		int size = snprintf(value, 16, "%d-", i);

		value[size] = 'z';
		added = diag_redact_values_add(values,
					       (struct slice){ value, DIAG_REDACT_MAX_VALUE }, 1);
	}
	assert_false(added);
	memcpy(value, "0-z", 4);
	memset(value + 3, 'q', 20);
	value[2] = 'z';
	assert_true(diag_redact_values_longest(values) >= DIAG_REDACT_MAX_VALUE);
	assert_true(diag_redact_values_find(values, (struct slice){ value, DIAG_REDACT_MAX_VALUE },
					    0, &hit));
	diag_redact_values_free(values);
}

TEST(decodes_urls)
{
	static const struct {
		const char *text;
		const char *plain;
		bool any;
	} samples[] = {
		{ "p%40ss%3a%2F", "p@ss:/", true }, { "plain", "plain", false },
		{ "100%", "100%", false },          { "%4", "%4", false },
		{ "%zz%41", "%zzA", true },         { "", "", false },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(samples); i++) {
		diag_buf_auto struct diag_buf buf = { 0 };
		struct slice text = { samples[i].text, strlen(samples[i].text) };

		diag_buf_init(&buf, 64);
		assert_int_equal(diag_redact_url_decode(text, &buf), samples[i].any);
		assert_string_equal(diag_buf_str(&buf), samples[i].plain);
	}
}

RUN_TESTS("redact_values", T(finds_every_form), T(finds_at_every_place), T(prefers_the_longest),
	  T(stays_fast_with_many), T(stops_at_its_ceiling), T(decodes_urls))
