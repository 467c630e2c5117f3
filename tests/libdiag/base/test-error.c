#include <errno.h>

#include "base/arena.h"
#include "base/error.h"

#include "tests/support/unit.h"

TEST(gains_context_on_the_way_up)
{
	struct diag_error err = DIAG_ERROR_INIT;

	assert_int_equal(diag_error_set(&err, DIAG_E_PARSE, "bad %s", "token"), DIAG_E_PARSE);
	diag_error_prefix(&err, DIAG_E_PARSE, "file '%s'", "x.yaml");
	assert_string_equal(err.message, "file 'x.yaml': bad token");
	assert_string_equal(diag_code_name(err.code), "parse");
}

TEST(errno_and_null)
{
	struct diag_error err = DIAG_ERROR_INIT;

	assert_int_equal(diag_error_errno(&err, ENOENT, "open"), DIAG_E_NOT_FOUND);
	assert_int_equal(err.errnum, ENOENT);
	assert_string_equal(err.message, "open: No such file or directory");
	assert_int_equal(diag_error_set(NULL, DIAG_E_IO, "x"), DIAG_E_IO);
	assert_string_equal(diag_code_name(-99), "unknown");
}

TEST(long_messages_are_cut)
{
	struct diag_error err = DIAG_ERROR_INIT;
	char text[2000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	diag_error_set(&err, DIAG_E_IO, "%s", text);
	diag_error_prefix(&err, DIAG_E_IO, "%s", text);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
}

TEST(arena_keeps_everything)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	char *first = diag_arena_strdup(arena, "first");
	char *big = diag_arena_alloc(arena, 100000);

	assert_int_equal(big[99999], 0);
	assert_string_equal(diag_arena_printf(arena, "%s-%d", first, 2), "first-2");
	assert_null(diag_arena_strdup(arena, NULL));
	assert_string_equal(first, "first");
}

RUN_TESTS("error", T(gains_context_on_the_way_up), T(errno_and_null), T(long_messages_are_cut),
	  T(arena_keeps_everything))
