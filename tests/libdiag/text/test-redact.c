#include "base/alloc.h"
#include "text/redact_internal.h"

#include "tests/support/unit.h"

static int set_up(void **state)
{
	*state = diag_redact_new();
	return 0;
}

static int tear_down(void **state)
{
	diag_redact_free(*state);
	return 0;
}

/* The text as it would be kept. */
static char *redact(struct diag_redact *redact, const char *text)
{
	diag_buf_auto struct diag_buf buf = { 0 };

	diag_buf_init(&buf, 65536);
	if (!diag_redact_text(redact, text, strlen(text), &buf)) {
		assert_int_equal(buf.length, 0);
		return diag_xstrdup(text);
	}
	assert_string_not_equal(diag_buf_str(&buf), text);
	return diag_buf_steal(&buf);
}

static void check(struct diag_redact *engine, const char *text, const char *wanted)
{
	diag_autofree char *once = redact(engine, text);
	diag_autofree char *twice = NULL;

	assert_string_equal(once, wanted);
	twice = redact(engine, once);
	assert_string_equal(twice, once);
}

static void gives_one_secret_one_token(void **state)
{
	check(*state, "password=one-1 password=two-2 password=one-1",
	      "password=***HIDDEN-1*** password=***HIDDEN-2*** password=***HIDDEN-1***");
	check(*state, "token: three-3 \"token\": \"two-2\"",
	      "token: ***HIDDEN-3*** \"token\": \"***HIDDEN-2***\"");
	assert_int_equal(diag_redact_masked(*state), 5);
}

static void numbers_by_appearance_not_by_learning(void **state)
{
	diag_redact_learn(*state, "first-learnt", 12);
	diag_redact_learn(*state, "second-learnt", 13);
	assert_int_equal(diag_redact_learnt(*state), 2);
	check(*state, "second-learnt first-learnt", "***HIDDEN-1*** ***HIDDEN-2***");
}

static void hunts_learnt_values(void **state)
{
	diag_redact_learn(*state, "  N3utral/pw\n", 13);
	check(*state, "N3utral/pw, TjN1dHJhbC9wdw==, N3utral%2Fpw",
	      "***HIDDEN-1***, ***HIDDEN-1***, ***HIDDEN-1***");
	/* Found by a pattern too: still the same token. */
	check(*state, "postgres://app:N3utral%2Fpw@db/x password=N3utral/pw;",
	      "postgres://app:***HIDDEN-1***@db/x password=***HIDDEN-1***;");
	/* Part of a longer secret: that one goes as a whole. */
	check(*state, "password=xN3utral/pwx", "password=***HIDDEN-2***");
	assert_true(diag_redact_finds(*state, "xN3utral/pwx", 12));
	assert_false(diag_redact_finds(*state, "N3utral/p", 9));
	assert_true(diag_redact_longest(*state) >= 16);
}

/* A mask beside other text may read like a value; that is no leak. */
static void tells_masks_from_values(void **state)
{
	static const char text[] = "abc***HIDDEN-12*** abc***x";

	diag_redact_learn(*state, "abc***", 6);
	assert_false(diag_redact_finds(*state, text, 18));
	assert_true(diag_redact_finds(*state, text, sizeof(text) - 1));
}

static void learns_only_what_is_worth_it(void **state)
{
	static const char *const values[] = { "abcde",     "true",   "default",
					      "localhost", "123456", "***HIDDEN-1***" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(values); i++)
		diag_redact_learn(*state, values[i], strlen(values[i]));
	assert_int_equal(diag_redact_learnt(*state), 0);
	check(*state, "abcde true default localhost 123456", "abcde true default localhost 123456");
	diag_redact_learn(*state, "a\0b\0c\0d", 7);
	assert_int_equal(diag_redact_learnt(*state), 1);
	assert_true(diag_redact_finds(*state, "xa\0b\0c\0dx", 9));
}

/* A value too long to be kept whole is masked wherever a piece of it turns up. */
static void hunts_long_values_in_pieces(void **state)
{
	enum { LENGTH = 9000 };
	diag_autofree char *value = diag_xalloc(LENGTH + 1);
	diag_autofree char *kept = NULL;

	for (size_t i = 0; i < LENGTH; i++)
		value[i] = (char)('!' + (i * 7 + i / 90) % 90);
	value[LENGTH] = '\0';
	diag_redact_learn(*state, value, LENGTH);
	assert_int_equal(diag_redact_learnt(*state), 9);
	kept = redact(*state, value);
	assert_true(strlen(kept) < 300);
	assert_null(strstr(kept, "!"));
}

static void leaves_old_masks_alone(void **state)
{
	check(*state, "x://***HIDDEN***:***HIDDEN***@***HIDDEN***:5432/***HIDDEN******; echo",
	      "x://***HIDDEN***:***HIDDEN***@***HIDDEN***:5432/***HIDDEN******; echo");
	check(*state, "password=***HIDDEN-7***; token: \"***HIDDEN***\"",
	      "password=***HIDDEN-7***; token: \"***HIDDEN***\"");
	/* A new secret does not take a number that stands for another. */
	check(*state, "password=new-1", "password=***HIDDEN-8***");
	/* A learnt value inside an old mask is an accident. */
	diag_redact_learn(*state, "HIDDEN-7", 8);
	assert_int_equal(diag_redact_learnt(*state), 0);
	check(*state, "***HIDDEN-99999999999999999999*** ***HIDDEN- ***HIDDEN-x***",
	      "***HIDDEN-99999999999999999999*** ***HIDDEN- ***HIDDEN-x***");
}

static void masks_private_keys_cut_at_either_end(void **state)
{
	check(*state,
	      "2026-12-01T08:00:00Z MIIEowIBAAKCAQEA0123\n2026-12-01T08:00:01Z abcdefghijklmnopqrst\n"
	      "2026-12-01T08:00:02Z Zm9v\n2026-12-01T08:00:03Z -----END RSA PRIVATE KEY-----\nready",
	      "2026-12-01T08:00:00Z ***HIDDEN-1***-----END RSA PRIVATE KEY-----\nready");
	check(*state, "MIIEowIBAAKCAQEA0123\nZm9v\n-----END RSA PRIVATE KEY-----\nready",
	      "***HIDDEN-2***-----END RSA PRIVATE KEY-----\nready");
	check(*state,
	      "start\n-----BEGIN PRIVATE KEY-----\nMIIEowIBAAKCAQEA0123\nabcdefghijklmnop\nready to go",
	      "start\n***HIDDEN-3***\nready to go");
	check(*state, "done\n-----END CERTIFICATE-----\n", "done\n-----END CERTIFICATE-----\n");
}

/* The user's own pattern, one with exponential back-tracking: what it cannot decide is not kept. */
static void withholds_lines_the_engine_gives_up_on(void **state)
{
	const char *text =
		"good line\nxaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab password=a1\n"
		"another password=abc\n";

	assert_int_equal(diag_redact_add_pattern(*state, "^x(a+)+$", NULL), DIAG_OK);
	check(*state, text,
	      "good line\n" DIAG_REDACT_WITHHELD "\nanother password=***HIDDEN-1***\n");
	assert_int_equal(diag_redact_withheld(*state), 1);
	check(*state, "xaaa", "x***HIDDEN-2***");
}

/* However many lines it fails on, its cost falls to a floor. */
static void bounds_the_cost_of_giving_up(void **state)
{
	enum { LINES = 3000 };
	static const char line[] = "xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab\n";
	diag_buf_auto struct diag_buf in = { 0 };
	diag_buf_auto struct diag_buf out = { 0 };

	diag_buf_init(&in, 1 << 20);
	diag_buf_init(&out, 1 << 20);
	diag_redact_add_pattern(*state, "^x(a+)+$", NULL);
	for (int i = 0; i < LINES; i++)
		diag_buf_puts(&in, line);
	assert_true(diag_redact_text(*state, in.data, in.length, &out));
	assert_int_equal(diag_redact_withheld(*state), LINES);
	assert_null(strstr(out.data, "aaaa"));
}

static void withholds_when_a_built_in_pattern_gives_up(void **state)
{
	assert_int_equal(diag_redact_patterns_set_steps(diag_redact_patterns_of(*state), 1, NULL),
			 DIAG_OK);
	check(*state, "a\nxx password: \"a b c\" token=x\nb\n", "a\n" DIAG_REDACT_WITHHELD "\nb\n");
	assert_int_equal(diag_redact_withheld(*state), 1);
}

static void obeys_patterns_of_the_user(void **state)
{
	struct diag_error err = DIAG_ERROR_INIT;

	assert_int_equal(diag_redact_add_pattern(*state, "ticket-(\\d+)", &err), DIAG_OK);
	assert_int_equal(diag_redact_add_pattern(*state, "^host\\w*", &err), DIAG_OK);
	check(*state, "ticket-12 ticket-34\nhostname is up",
	      "ticket-***HIDDEN-1*** ticket-***HIDDEN-2***\n***HIDDEN-3*** is up");
	assert_int_equal(diag_redact_add_pattern(*state, "(", &err), DIAG_E_INVALID);
	assert_non_null(strstr(err.message, "'('"));
	/* One that matches nothing at every place ends all the same. */
	assert_int_equal(diag_redact_add_pattern(*state, "x*", &err), DIAG_OK);
	check(*state, "axxb", "a***HIDDEN-4***b");
}

static void keeps_characters_whole(void **state)
{
	assert_int_equal(diag_redact_add_pattern(*state, "\xc3", NULL), DIAG_OK);
	check(*state, "b\xc3\xa4r", "b***HIDDEN-1***r");
}

static void takes_any_bytes(void **state)
{
	static const char text[] = "\0password=\xff\xfe\0x\xc3 y\0";
	diag_buf_auto struct diag_buf buf = { 0 };

	diag_buf_init(&buf, 100);
	diag_buf_puts(&buf, "kept ");
	assert_true(diag_redact_text(*state, text, sizeof(text) - 1, &buf));
	assert_memory_equal(buf.data, "kept \0password=***HIDDEN-1*** y\0", 32);
	diag_buf_clear(&buf);
	assert_false(diag_redact_text(*state, "", 0, &buf));
	assert_false(diag_redact_text(*state, NULL, 0, &buf));
}

static void says_when_the_copy_does_not_fit(void **state)
{
	diag_buf_auto struct diag_buf buf = { 0 };

	diag_buf_init(&buf, 10);
	assert_true(diag_redact_text(*state, "password=a", 10, &buf));
	assert_true(diag_buf_failed(&buf));
}

/* Past the ceiling masks carry no number, and nothing else changes. */
static void forgets_numbers_before_memory_runs_out(void **state)
{
	diag_buf_auto struct diag_buf buf = { 0 };
	char text[40];

	diag_buf_init(&buf, 100);
	for (size_t i = 0; i <= DIAG_REDACT_MAX_TOKENS; i++) {
		int length = snprintf(text, sizeof(text), "token=v%zu", i);

		diag_buf_clear(&buf);
		assert_true(diag_redact_text(*state, text, (size_t)length, &buf));
	}
	assert_string_equal(diag_buf_str(&buf), "token=***HIDDEN***");
	diag_buf_clear(&buf);
	assert_true(diag_redact_text(*state, "token=v0", 8, &buf));
	assert_string_equal(diag_buf_str(&buf), "token=***HIDDEN-1***");
}

/* With an engine of its own. */
#define E(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

RUN_TESTS("redact", E(gives_one_secret_one_token), E(numbers_by_appearance_not_by_learning),
	  E(hunts_learnt_values), E(tells_masks_from_values), E(learns_only_what_is_worth_it),
	  E(hunts_long_values_in_pieces), E(leaves_old_masks_alone),
	  E(masks_private_keys_cut_at_either_end), E(withholds_lines_the_engine_gives_up_on),
	  E(bounds_the_cost_of_giving_up), E(withholds_when_a_built_in_pattern_gives_up),
	  E(obeys_patterns_of_the_user), E(keeps_characters_whole), E(takes_any_bytes),
	  E(says_when_the_copy_does_not_fit), E(forgets_numbers_before_memory_runs_out))
