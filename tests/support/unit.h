/* What every unit test includes, in the order that cmocka wants. */
#pragma once

/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
/* clang-format on */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/macros.h"

/* Run the tests of one program; `name` is the source file's. */
#define RUN_TESTS(name, ...)                                                                       \
	int main(void)                                                                             \
	{                                                                                          \
		const struct CMUnitTest tests[] = { __VA_ARGS__ };                                 \
                                                                                                   \
		return cmocka_run_group_tests_name(name, tests, NULL, NULL);                       \
	}
#define T(function) cmocka_unit_test(function)
#define TEST(name)  static void name(void **cmocka_state DIAG_UNUSED)
