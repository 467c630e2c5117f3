#include "text/redact_internal.h"

#include "tests/support/unit.h"

static struct name_verdict judge(const char *name)
{
	return diag_redact_judge_name(name, strlen(name));
}

TEST(knows_credentials)
{
	static const struct {
		const char *name;
		enum name_class class;
		bool last;
	} cases[] = {
		{ "DB_PASSWORD", NAME_PASSWORD, true },
		{ "dbPassword", NAME_PASSWORD, true },
		{ "dbpassword", NAME_PASSWORD, true },
		{ "PGPASSWORD", NAME_PASSWORD, true },
		{ "MYSQL_PWD", NAME_PASSWORD, true },
		{ "ROOT_PASSWD", NAME_PASSWORD, true },
		{ "password2", NAME_PASSWORD, true },
		{ "DB_PASSWORD_PROD", NAME_PASSWORD, true },
		{ "PASSWORD_SALT", NAME_PASSWORD, false },
		{ "spring.datasource.password", NAME_PASSWORD, true },
		{ "client_secret", NAME_TOKEN, true },
		{ "clientSecret", NAME_TOKEN, true },
		{ "authtoken", NAME_TOKEN, true },
		{ "API_KEY", NAME_TOKEN, true },
		{ "APIKey", NAME_TOKEN, true },
		{ "APIKEY", NAME_TOKEN, true },
		{ "apiKeyValue", NAME_TOKEN, true },
		{ "X-Api-Key", NAME_TOKEN, true },
		{ "AWS_SECRET_ACCESS_KEY", NAME_TOKEN, true },
		{ "AWSSecretAccessKey", NAME_TOKEN, true },
		{ "AWS_ACCESS_KEY_ID", NAME_TOKEN, false },
		{ "TLS_PRIVATE_KEY", NAME_TOKEN, true },
		{ "GOOGLE_CREDENTIALS", NAME_TOKEN, true },
		{ "SENTRY_DSN", NAME_TOKEN, true },
		{ "DB_CONNECTION_STRING", NAME_TOKEN, true },
		{ "ConnectionString", NAME_TOKEN, true },
		{ "AccountKey", NAME_TOKEN, true },
		{ "SECRET_KEY_BASE", NAME_TOKEN, true },
		{ "--db-token", NAME_TOKEN, true },
		{ "REDIS_AUTH", NAME_AUTH, true },
		{ "session_id", NAME_LONG, false },
		{ "key", NAME_LONG, true },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++) {
		struct name_verdict verdict = judge(cases[i].name);

		if (verdict.class != cases[i].class || verdict.last != cases[i].last)
			fail_msg("'%s': class %d, last %d", cases[i].name, (int)verdict.class,
				 verdict.last);
	}
}

TEST(knows_what_is_about_one)
{
	static const char *const names[] = {
		"",
		"LOG_LEVEL",
		"author",
		"authority",
		"tokenizer",
		"tokens",
		"max_token",
		"secretName",
		"secretKeyRef",
		"imagePullSecrets",
		"imagePullSecret",
		"existingSecret",
		"DB_PASSWORD_FILE",
		"passwordPolicy",
		"TOKEN_TTL",
		"tokenExpirationSeconds",
		"AUTH_URL",
		"AUTH_MODE",
		"SECRET_STORE",
		"RT_ARENA_AUTH_PORT_50051_TCP_ADDR",
		"monkey",
		"keyboard",
		"compass",
		"BINDERY_CAPABILITY_AUTH_TOKEN",
		"BINDERY_CAPABILITY_SECRET_STORE_ENDPOINT",
		"BINDERY_UDS_PASSWORD",
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(names); i++)
		if (judge(names[i]).class != NAME_PLAIN)
			fail_msg("'%s' is taken for a credential", names[i]);
	/* Only the operator's own names are spared. */
	assert_int_equal(judge("BINDERY_PASSWORD").class, NAME_PASSWORD);
	assert_int_equal(judge("MY_BINDERY_CAPABILITY_TOKEN").class, NAME_TOKEN);
}

/* The end of a name decides, however many words are before it. */
TEST(reads_the_end_of_long_names)
{
	char name[2000] = "";

	for (int i = 0; i < 300; i++)
		strcat(name, "a_b_");
	strcat(name, "password");
	assert_int_equal(judge(name).class, NAME_PASSWORD);
	strcat(name, "_file");
	assert_int_equal(judge(name).class, NAME_PLAIN);
	/* Any bytes are a name. */
	assert_int_equal(diag_redact_judge_name("\xff\0token", 7).class, NAME_TOKEN);
}

static struct slice slice(const char *text)
{
	return (struct slice){ text, strlen(text) };
}

TEST(knows_what_to_hunt)
{
	static const char *const yes[] = { "N3utral-pw", "abcdef", "{\"a\":\"b\"}", "a b c d" };
	static const char *const no[] = {
		"",
		"abcde",
		"true",
		"false",
		"default",
		"localhost",
		"Localhost",
		"123456",
		"3.14159",
		"10.0.0.1:80",
		"2026-12-01",
		"password",
		"production",
		"****************",
		"xxxxxxxx",
		"$(DB_PASSWORD)",
		"/run/secrets/db",
		"HIDDEN",
		"***HIDDEN-1***",
		"withheld",
		"x***HIDDEN-1***",
		"DEN-17***",
		"***HID",
		"*** (17 by",
		"1******HID",
		"15000ms",
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(yes); i++)
		assert_true(diag_redact_is_learnable(slice(yes[i])));
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(no); i++)
		if (diag_redact_is_learnable(slice(no[i])))
			fail_msg("'%s' would be hunted", no[i]);
}

TEST(tells_words_from_random_text)
{
	assert_true(diag_redact_is_wordy(slice("CrashLoopBackOff")));
	assert_true(diag_redact_is_wordy(slice("no such file")));
	assert_false(diag_redact_is_wordy(slice("dXNlcjpwYXNz")));
	assert_false(diag_redact_is_wordy(slice("hunter2")));
	assert_true(diag_redact_is_random(slice("0a1b2c3d"), 8));
	assert_true(diag_redact_is_random(slice("dXNlcjpwYXNz"), 8));
	assert_false(diag_redact_is_random(slice("0a1b2c3"), 8));
	assert_false(diag_redact_is_random(slice("rbac-v1-beta"), 8));
	assert_false(diag_redact_is_random(slice("0a1b 2c3d"), 8));
	assert_false(diag_redact_is_random(slice("12345678"), 8));
}

RUN_TESTS("redact_name", T(knows_credentials), T(knows_what_is_about_one),
	  T(reads_the_end_of_long_names), T(knows_what_to_hunt), T(tells_words_from_random_text))
