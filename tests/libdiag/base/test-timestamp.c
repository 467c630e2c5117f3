#include "base/timestamp.h"

#include "tests/support/unit.h"

/* Expected values from `date -u -d TEXT +%s`. */
TEST(parses_rfc3339)
{
	assert_int_equal(diag_time_parse("1970-01-01T00:00:00Z"), 0);
	assert_int_equal(diag_time_parse("2026-01-02T03:04:05Z"), INT64_C(1767323045000));
	assert_int_equal(diag_time_parse("2026-01-02T03:04:05.678901Z"), INT64_C(1767323045678));
	assert_int_equal(diag_time_parse("2026-01-02T05:34:05+02:30"), INT64_C(1767323045000));
	assert_int_equal(diag_time_parse("2024-02-29T00:00:00-01:00"), INT64_C(1709168400000));
}

TEST(refuses_other_texts)
{
	static const char *const bad[] = { "",
					   "2026-01-02",
					   "2026-01-02 03:04:05Z",
					   "2026-13-02T03:04:05Z",
					   "2026-01-02T03:04:05",
					   "2026-01-02T25:04:05Z",
					   "2026-01-02T03:04:05Zx",
					   "null" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(bad); i++)
		assert_true(diag_time_parse(bad[i]) == DIAG_TIME_NONE);
	assert_true(diag_time_parse(NULL) == DIAG_TIME_NONE);
}

TEST(formats)
{
	char text[32];

	assert_string_equal(diag_time_format(INT64_C(1767323045678), text, sizeof(text)),
			    "2026-01-02T03:04:05Z");
	assert_string_equal(diag_time_format(DIAG_TIME_NONE, text, sizeof(text)), "");
}

TEST(durations)
{
	static const struct {
		const char *text;
		int64_t ms;
	} good[] = { { "30s", 30000 },    { "1h30m", 5400000 }, { "250ms", 250 },
		     { "1.5h", 5400000 }, { "0", 0 },           { "2d", 172800000 } };
	static const char *const bad[] = { "", "30", "s", "-5s", "5 s", "1h30", "0x5s" };
	int64_t ms;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(good); i++) {
		assert_true(diag_duration_parse(good[i].text, &ms));
		assert_int_equal(ms, good[i].ms);
	}
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(bad); i++)
		assert_false(diag_duration_parse(bad[i], &ms));
}

TEST(durations_as_people_read_them)
{
	char text[32];

	assert_string_equal(diag_duration_format(45000, text, sizeof(text)), "45s");
	assert_string_equal(diag_duration_format(90000, text, sizeof(text)), "1m30s");
	assert_string_equal(diag_duration_format(INT64_C(11520000), text, sizeof(text)), "3h12m");
	assert_string_equal(diag_duration_format(INT64_C(180000000), text, sizeof(text)), "2d2h");
}

RUN_TESTS("timestamp", T(parses_rfc3339), T(refuses_other_texts), T(formats), T(durations),
	  T(durations_as_people_read_them))
