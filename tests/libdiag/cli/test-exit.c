#include "cli/exit.h"

#include "tests/support/unit.h"

/* 130, then 3, then 1, then 4, then 0: every combination. */
TEST(exit_status_order)
{
	for (int bits = 0; bits < 16; bits++) {
		bool interrupted = bits & 8, failed = bits & 4, findings = bits & 2;
		bool incomplete = bits & 1;
		int wanted = bits >= 8 ? 130 : bits >= 4 ? 3 : bits >= 2 ? 1 : bits ? 4 : 0;

		assert_int_equal(diag_exit_status(interrupted, failed, findings, incomplete),
				 wanted);
	}
}

TEST(every_status_has_a_name_and_a_meaning)
{
	static const struct {
		int status;
		const char *name;
	} rows[] = {
		{ 0, "ok" },         { 1, "findings" },      { 2, "usage" },   { 3, "failed" },
		{ 4, "incomplete" }, { 130, "interrupted" }, { 5, "unknown" }, { -1, "unknown" },
	};
	size_t meanings = 0;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++)
		assert_string_equal(diag_exit_name(rows[i].status), rows[i].name);
	while (diag_exit_meanings[meanings].help)
		assert_int_equal(diag_exit_meanings[meanings].status, rows[meanings].status),
			meanings++;
	assert_int_equal(meanings, 6);
}

RUN_TESTS("exit", T(exit_status_order), T(every_status_has_a_name_and_a_meaning))
