#include "text/base64.h"

#include "tests/support/unit.h"

/* RFC 4648, section 10, and one text in which the alphabets differ. */
TEST(encodes)
{
	static const struct {
		const char *plain, *standard, *url;
	} samples[] = {
		{ "", "", "" },
		{ "f", "Zg==", "Zg==" },
		{ "fo", "Zm8=", "Zm8=" },
		{ "foo", "Zm9v", "Zm9v" },
		{ "foob", "Zm9vYg==", "Zm9vYg==" },
		{ "\xfb\xff\xbf", "+/+/", "-_-_" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(samples); i++) {
		diag_buf_auto struct diag_buf buf = { 0 };
		size_t length = strlen(samples[i].plain);

		diag_buf_init(&buf, 64);
		diag_base64_encode(samples[i].plain, length, DIAG_BASE64_STANDARD, &buf);
		assert_string_equal(diag_buf_str(&buf), samples[i].standard);
		diag_buf_clear(&buf);
		diag_base64_encode(samples[i].plain, length, DIAG_BASE64_URL, &buf);
		assert_string_equal(diag_buf_str(&buf), samples[i].url);
	}
}

TEST(decodes)
{
	static const struct {
		const char *text;
		const char *plain; /* NULL: no base64 */
	} samples[] = {
		{ "dTpw", "u:p" },   { "dTo=", "u:" },           { "dTo", "u:" }, { "dQ==", "u" },
		{ "dTp\nw", "u:p" }, { "-_-_", "\xfb\xff\xbf" }, { "", "" },      { "dTpwa", NULL },
		{ "dT pw", NULL },   { "dQ==x", NULL },          { "d", NULL },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(samples); i++) {
		diag_buf_auto struct diag_buf buf = { 0 };
		bool is = false;

		diag_buf_init(&buf, 64);
		diag_buf_puts(&buf, "+");
		is = diag_base64_decode(samples[i].text, strlen(samples[i].text), &buf);
		assert_int_equal(is, samples[i].plain != NULL);
		assert_string_equal(diag_buf_str(&buf) + 1, is ? samples[i].plain : "");
	}
}

RUN_TESTS("base64", T(encodes), T(decodes))
