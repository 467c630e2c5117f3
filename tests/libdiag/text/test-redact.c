#include "base/limits.h"
#include "text/redact.h"

#include "tests/support/unit.h"

static char *masked(struct diag_redact *redact, const char *text)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, DIAG_MIB);
	if (!diag_redact_text(redact, text, strlen(text), &out))
		return strdup(text);
	return diag_buf_steal(&out);
}

static void check(struct diag_redact *redact, const char *text, const char *want)
{
	char *got = masked(redact, text);

	assert_string_equal(got, want);
	free(got);
}

TEST(patterns_hide_credentials)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "connecting postgres://app:Tr0ub4dor@db:5432/x",
		  "connecting postgres://app:***HIDDEN-1***@db:5432/x" },
		{ "Authorization: Bearer abcdef123456", "Authorization: Bearer ***HIDDEN-1***" },
		{ "x eyJhbGciOiJub25lIn0.eyJzdWIiOiIyIn0.c2ln y", "x ***HIDDEN-1*** y" },
		{ "smtpPassword: 'mailKing77'", "smtpPassword: '***HIDDEN-1***'" },
		{ "{\"apiKey\":\"k-123456\"}", "{\"apiKey\":\"***HIDDEN-1***\"}" },
		{ "{\\\"client_secret\\\":\\\"s-99887\\\"}",
		  "{\\\"client_secret\\\":\\\"***HIDDEN-1***\\\"}" },
		{ "run --db-password hunter42x now", "run --db-password ***HIDDEN-1*** now" },
		{ "DB_PASSWORD=hunter42x", "DB_PASSWORD=***HIDDEN-1***" },
		{ "key AKIAABCDEFGHIJKLMNOP end", "key ***HIDDEN-1*** end" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct diag_redact *redact = diag_redact_new();

		check(redact, rows[i].text, rows[i].want);
		diag_redact_free(redact);
	}
}

/* What a report needs must survive. */
TEST(everyday_text_stays)
{
	static const char *const texts[] = {
		"image docker.io/lab/module@sha256:65f9e8c02db7ee474b11ea0dc2028930fba1c3a7dc2f02618e956d218171e727",
		"BINDERY_CAPABILITY_PHYSICS_ENGINE_ENDPOINT=rt-arena-physics:50051",
		"secretName: registry-login",
		"password policy updated",
		"serviceaccounts \"x\" is forbidden: token request forbidden",
		"http://rt-arena-physics:50051/health",
		"uid 96f5f315-b3fa-4b12-9587-bbf334cb0e86",
		"***HIDDEN***",
		"basic monitoring started",
	};
	struct diag_redact *redact = diag_redact_new();

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(texts); i++)
		check(redact, texts[i], texts[i]);
	diag_redact_free(redact);
}

/* A learnt value is found in every dress; the same value has the same number. */
TEST(learnt_values_are_hunted)
{
	struct diag_redact *redact = diag_redact_new();

	diag_redact_learn(redact, "pa ss/w0rd", 10);
	diag_redact_learn(redact, "other-1", 7);
	diag_redact_learn(redact, "short", 5);
	diag_redact_learn(redact, "default", 7);
	check(redact, "a pa ss/w0rd b other-1 c pa ss/w0rd",
	      "a ***HIDDEN-1*** b ***HIDDEN-2*** c ***HIDDEN-1***");
	check(redact, "u?p=pa%20ss%2Fw0rd", "u?p=***HIDDEN-1***");
	check(redact, "short default", "short default");
	/* base64 of it, of "x" and of "xy" before it: the digits at the edges hold foreign bits
	 * too. */
	check(redact, "cGEgc3MvdzByZA==", "***HIDDEN-1***A==");
	check(redact, "eHBhIHNzL3cwcmQ=", "eH***HIDDEN-1***Q=");
	check(redact, "eHlwYSBzcy93MHJk", "eHl***HIDDEN-1***");
	diag_redact_free(redact);
}

static json_t *object(const char *text)
{
	json_t *value = json_loads(text, 0, NULL);

	assert_non_null(value);
	return value;
}

static void check_object(const char *text, const char *want)
{
	struct diag_redact *redact = diag_redact_new();
	json_t *value = object(text);
	char *got;

	diag_redact_object(redact, value);
	got = json_dumps(value, JSON_COMPACT);
	assert_string_equal(got, want);
	free(got);
	json_decref(value);
	diag_redact_free(redact);
}

TEST(objects)
{
	check_object(
		"{\"kind\":\"Secret\",\"data\":{\"k\":\"cGFzc3dvcmQx\"},\"type\":\"Opaque\"}",
		"{\"kind\":\"Secret\",\"data\":{\"k\":\"***HIDDEN-2***\"},\"type\":\"Opaque\"}");
	check_object(
		"{\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"env\":[{\"name\":\"DB_PASSWORD\",\"value\":\"x\"},"
		"{\"name\":\"LOG_LEVEL\",\"value\":\"debug\"},{\"name\":\"BINDERY_CAPABILITY_AUTH_HOST\",\"value\":\"rt-a\"}]}]}}",
		"{\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"env\":[{\"name\":\"DB_PASSWORD\",\"value\":\"***HIDDEN-1***\"},"
		"{\"name\":\"LOG_LEVEL\",\"value\":\"debug\"},{\"name\":\"BINDERY_CAPABILITY_AUTH_HOST\",\"value\":\"rt-a\"}]}]}}");
	check_object(
		"{\"kind\":\"ModuleManifest\",\"spec\":{\"runtime\":{\"env\":{\"API_TOKEN\":\"abc\"},\"command\":[\"run --token abcd1234\"]}}}",
		"{\"kind\":\"ModuleManifest\",\"spec\":{\"runtime\":{\"env\":{\"API_TOKEN\":\"***HIDDEN-1***\"},\"command\":[\"run --token ***HIDDEN-2***\"]}}}");
	/* The variable stands after the command that repeats its value. */
	check_object("{\"kind\":\"ModuleManifest\",\"spec\":{\"runtime\":{\"command\":[\"run blue-7x-horse\"],\"env\":{\"DB_PASSWORD\":\"blue-7x-horse\"}}}}",
		     "{\"kind\":\"ModuleManifest\",\"spec\":{\"runtime\":{\"command\":[\"run ***HIDDEN-1***\"],\"env\":{\"DB_PASSWORD\":\"***HIDDEN-1***\"}}}}");
	/* Wrong types anywhere. */
	check_object(
		"{\"kind\":7,\"data\":[1],\"env\":\"x\",\"spec\":{\"env\":{\"PASSWORD\":[]},\"args\":{\"a\":null}}}",
		"{\"kind\":7,\"data\":[1],\"env\":\"x\",\"spec\":{\"env\":{\"PASSWORD\":[]},\"args\":{\"a\":null}}}");
}

/* Objects teach what logs must not show. */
TEST(env_value_is_masked_in_logs)
{
	struct diag_redact *redact = diag_redact_new();
	json_t *pod = object(
		"{\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"env\":[{\"name\":\"DB_PASSWORD\",\"value\":\"hunter-42\"}]}]}}");

	diag_redact_object(redact, pod);
	check(redact, "tried hunter-42 twice", "tried ***HIDDEN-1*** twice");
	json_decref(pod);
	diag_redact_free(redact);
}

RUN_TESTS("redact", T(patterns_hide_credentials), T(everyday_text_stays),
	  T(learnt_values_are_hunted), T(objects), T(env_value_is_masked_in_logs))
