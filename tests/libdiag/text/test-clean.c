#include "base/alloc.h"
#include "text/clean.h"

#include "tests/support/unit.h"

static char *clean(const char *text, size_t length, unsigned flags)
{
	struct diag_buf buf;

	diag_buf_init(&buf, 4096);
	diag_clean_add(&buf, text, length, flags);
	return diag_buf_steal(&buf);
}

static void check(const char *text, unsigned flags, const char *wanted)
{
	diag_autofree char *cleaned = clean(text, strlen(text), flags);

	assert_string_equal(cleaned, wanted);
}

TEST(keeps_ordinary_text)
{
	check("", 0, "");
	check("plain ASCII ~", 0, "plain ASCII ~");
	check("\u00e4\u4e2d\U0001f511 e\u0301", 0, "\u00e4\u4e2d\U0001f511 e\u0301");
	/* joiners belong to scripts and emoji */
	check("\U0001f469\u200d\U0001f52c", 0, "\U0001f469\u200d\U0001f52c");
}

TEST(disarms_what_a_terminal_obeys)
{
	check("\x1b[31mred\x1b]0;title\x07", 0, "?[31mred?]0;title?");
	check("a\x7f\b\rb", 0, "a???b");
	check("\xc2\x9b"
	      "31m\xc2\x85",
	      0, "?31m?"); /* C1 in UTF-8: CSI, NEL */
	check("\x9b"
	      "31m",
	      0, "?31m"); /* C1 as a byte */
	check("abc\u202etxt.exe\u202c", 0, "abc?txt.exe?");
	check("\u2066a\u2069\u200f\u061c", 0, "?a???");
	check("a\u200bb\u2060c\ufeffd\u00ade", 0, "a?b?c?d?e");
	check("a\u2028b\u2029c", 0, "a?b?c");
	check("\U000e0041\ufffe\U0001ffff", 0, "???");
}

TEST(shows_invalid_utf8)
{
	check("a\xff"
	      "b\xc3",
	      0, "a?b?");
	check("\xc0\xaf", 0, "??");           /* overlong */
	check("\xe0\x80\xaf", 0, "???");      /* overlong */
	check("\xed\xa0\x80", 0, "???");      /* surrogate */
	check("\xf4\x90\x80\x80", 0, "????"); /* past U+10FFFF */
	check("\xe4\xb8", 0, "??");           /* cut */
	check("\xe4\xb8(\xe4\xb8\xad", 0,
	      "?"
	      "?(\xe4\xb8\xad");
}

TEST(treats_lines_as_told)
{
	diag_autofree char *nul = clean("a\0b", 3, 0);

	check("a\nb\tc\r\n", 0, "a b c? ");
	check("a\nb\tc\r\n", DIAG_CLEAN_LINES, "a\nb\tc?\n");
	check("a\nb\tc", DIAG_CLEAN_MARKS,
	      "a\u21b5"
	      "b c");
	assert_string_equal(nul, "a?b");
}

/* Samples of Unicode's EastAsianWidth.txt and of the general categories. */
TEST(measures_columns)
{
	static const struct {
		const char *text;
		size_t columns;
	} cases[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "\u00e4\u00df", 2 },
		{ "e\u0301", 1 },      /* combining acute */
		{ "\u4e2d\u6587", 4 }, /* ideographs */
		{ "\uff21", 2 },       /* fullwidth A */
		{ "\uff71", 1 },       /* halfwidth katakana */
		{ "\uac00", 2 },       /* Hangul syllable */
		{ "\u1100\u1161", 2 }, /* Hangul Jamo: leading wide, vowel none */
		{ "\u3000", 2 },       /* ideographic space */
		{ "\U0001f511", 2 },   /* emoji */
		{ "\u2713", 1 },       /* check mark: not an emoji by default */
		{ "\u2705", 2 },       /* the emoji one */
		{ "\u2014\u2026", 2 }, /* ambiguous counts one */
		{ "\u05d0\u05b8", 1 }, /* Hebrew letter with a point */
		{ "\u0915\u094d", 1 }, /* Devanagari letter with virama */
		{ "\U00020000", 2 },
		{ "\x1b[0m", 4 }, /* as it will be shown */
		{ "\xff\xfe", 2 },
		{ "a\nb\tc", 5 },
		{ "\u202e", 1 },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++)
		assert_int_equal(diag_clean_width(cases[i].text), cases[i].columns);
}

TEST(cuts_to_columns)
{
	static const struct {
		const char *text;
		size_t columns;
		bool utf8;
		const char *cut;
	} cases[] = {
		{ "abcdef", 6, true, "abcdef" },
		{ "abcdef", 5, true, "abcd\u2026" },
		{ "abcdef", 5, false, "ab..." },
		{ "abcdef", 1, true, "\u2026" },
		{ "abcdef", 2, false, ".." },
		{ "abcdef", 0, true, "" },
		{ "abcdef", 0, false, "" },
		{ "", 0, true, "" },
		/* a wide character that would stick out goes */
		{ "\u4e2d\u6587\u5b57", 6, true, "\u4e2d\u6587\u5b57" },
		{ "\u4e2d\u6587\u5b57", 5, true, "\u4e2d\u6587\u2026" },
		{ "\u4e2d\u6587\u5b57", 4, true, "\u4e2d\u2026" },
		/* marks stay with their letter */
		{ "ae\u0301bc", 3, true, "ae\u0301\u2026" },
		{ "\x1b\x1b\x1b\x1b", 3, true, "??\u2026" },
		{ "a\nb", 3, true, "a b" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++) {
		diag_buf_auto struct diag_buf buf = { 0 };

		diag_buf_init(&buf, 100);
		diag_clean_cut(&buf, cases[i].text, cases[i].columns, cases[i].utf8);
		assert_string_equal(diag_buf_str(&buf), cases[i].cut);
		assert_true(diag_clean_width(diag_buf_str(&buf)) <= cases[i].columns);
	}
}

/* Whatever the bytes: no control byte comes out, and what comes out is as wide as it was said. */
TEST(is_safe_for_all_pairs_of_bytes)
{
	for (unsigned a = 1; a < 256; a++) {
		for (unsigned b = 1; b < 256; b++) {
			char text[] = { (char)a, (char)b, 'x', '\0' };
			diag_autofree char *cleaned = clean(text, 3, 0);

			for (const char *p = cleaned; *p; p++)
				assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
			assert_int_equal(diag_clean_width(cleaned), diag_clean_width(text));
		}
	}
}

RUN_TESTS("clean", T(keeps_ordinary_text), T(disarms_what_a_terminal_obeys), T(shows_invalid_utf8),
	  T(treats_lines_as_told), T(measures_columns), T(cuts_to_columns),
	  T(is_safe_for_all_pairs_of_bytes))
