#include "base/str.h"
#include "text/redact_internal.h"

#include "tests/support/unit.h"

/* What each pattern takes out. Made-up values in the real forms. */
static const struct {
	const char *id;
	const char *text;
	const char *masked;
} cases[] = {
	{ "pem-private-key",
	  "key:\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAbC=\n-----END RSA PRIVATE KEY-----\nnext",
	  "key:\n***HIDDEN-1***\nnext" },
	{ "pem-private-key",
	  "\"k\": \"-----BEGIN PRIVATE KEY-----\\nMIIEow==\\n-----END PRIVATE KEY-----\\n\", \"b\": 1",
	  "\"k\": \"***HIDDEN-1***\\n\", \"b\": 1" },
	{ "pem-private-key",
	  "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIAbcdefghijkl\ndone", /* cut */
	  "***HIDDEN-1***\ndone" },
	{ "pem-base64", "client: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpNSUlFb3c9PQ== end",
	  "client: ***HIDDEN-1*** end" },
	{ "jwt", "got eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmVk, ok",
	  "got ***HIDDEN-1***, ok" },
	{ "jwt", "a\\neyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmVk", "a\\n***HIDDEN-1***" },
	{ "jwt", "/verify/eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmVk",
	  "/verify/***HIDDEN-1***" },
	{ "authorization-list", "Authorization: Digest username=\"u\", response=\"0f\"\nx",
	  "Authorization: Digest ***HIDDEN-1***\nx" },
	{ "authorization", "echo 'Authorization: Bearer abcdef'; ls",
	  "echo 'Authorization: Bearer ***HIDDEN-1***'; ls" },
	{ "authorization", "{\\\"Authorization\\\":\\\"Basic dTpw\\\"}",
	  "{\\\"Authorization\\\":\\\"Basic ***HIDDEN-1***\\\"}" },
	{ "authorization", "map[Authorization:[Bearer abcdef]]",
	  "map[Authorization:[Bearer ***HIDDEN-1***]]" },
	{ "authorization-raw", "authorization=0a1b2c3d", "authorization=***HIDDEN-1***" },
	{ "authorization-other", "Authorization: Fancy 0a1b2c3d",
	  "Authorization: Fancy ***HIDDEN-1***" },
	{ "cookie", "Set-Cookie: sid=abc123; Path=/", "Set-Cookie: ***HIDDEN-1***" },
	{ "bearer", "sent bearer 0123abcd.efgh", "sent bearer ***HIDDEN-1***" },
	{ "basic", "sent basic dXNlcjpwYXNz now", "sent basic ***HIDDEN-1*** now" },
	{ "url-password", "postgres://app:N3utral-pw@db:5432/world;",
	  "postgres://app:***HIDDEN-1***@db:5432/world;" },
	{ "url-password", "amqp://:p%40ss@mq redis://u:a@b@c/0",
	  "amqp://:***HIDDEN-1***@mq redis://u:***HIDDEN-2***@c/0" },
	{ "url-password", "\"mysql://u:a\\u0026b@db\"", "\"mysql://u:***HIDDEN-1***@db\"" },
	{ "url-password-slash", "mysql://u:a/b1@db/x", "mysql://u:***HIDDEN-1***@db/x" },
	{ "url-user", "https://0a1b2c3d4e5f60718293a4b5@logs.example.com/7",
	  "https://***HIDDEN-1***@logs.example.com/7" },
	{ "slack-webhook", "https://hooks.slack.com/services/T0000000/B0000000/abcdefghijkl",
	  "https://hooks.slack.com/services/***HIDDEN-1***" },
	{ "go-dsn", "open root:pw@tcp(db:3306)/x", "open root:***HIDDEN-1***@tcp(db:3306)/x" },
	{ "curl-user", "curl -u admin:hunter22 http://x", "curl -u admin:***HIDDEN-1*** http://x" },
	{ "curl-user", "curl --user 'admin:hunter22' http://x",
	  "curl --user 'admin:***HIDDEN-1***' http://x" },
	{ "aws-access-key", "id AKIAABCDEFGHIJKLMNOP.", "id ***HIDDEN-1***." },
	{ "google-api-key", "AIzaSyA-0123456789012345678901234567890", "***HIDDEN-1***" },
	{ "google-token", "ya29.a0AbCdEfGhIjKlMnOpQrStUv", "***HIDDEN-1***" },
	{ "github-token", "ghp_0123456789abcdefghijABCDEFGHIJ012345", "***HIDDEN-1***" },
	{ "github-pat", "github_pat_11ABCDEFG0123456789_abcdef", "***HIDDEN-1***" },
	{ "gitlab-token", "glpat-0123456789abcdefghij", "***HIDDEN-1***" },
	{ "slack-token", "xoxb-123456789012-abcdefghijkl", "***HIDDEN-1***" },
	{ "stripe-key", "sk_live_0123456789abcdefghij", "***HIDDEN-1***" },
	{ "npm-token", "npm_0123456789abcdefghijABCDEFGHIJ012345", "***HIDDEN-1***" },
	{ "pypi-token", "pypi-AgEIcHlwaS5vcmcCJDAwMDAwMDAwLTAwMDAtMDAwMC0wMDAw", "***HIDDEN-1***" },
	{ "sendgrid-key", "SG.0123456789abcdefghij.0123456789abcdefghijABCDEFGHIJ",
	  "***HIDDEN-1***" },
	{ "docker-token", "dckr_pat_0123456789abcdefghijABCDEFG", "***HIDDEN-1***" },
	{ "vault-token", "hvs.CAESIJ0123456789abcdefghij", "***HIDDEN-1***" },
	{ "digitalocean-token", "dop_v1_0123456789abcdef0123456789abcdef01234567",
	  "***HIDDEN-1***" },
	{ "sk-key", "use sk-proj-0123456789abcdefGHIJ now", "use ***HIDDEN-1*** now" },
	{ "age-key", "AGE-SECRET-KEY-1QQQQQQQQQQQQQQQQQQQQQQ", "***HIDDEN-1***" },
};

/* What looks a little like one of these and must stay readable. */
static const char *const kept[] = {
	"docker.io/lab/module@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"containerd://9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"uid: 4277f1eb-64f2-4da3-9b90-b176e274951b",
	"http://rt-arena-physics:50051/healthz",
	"Get \"https://10.96.0.1:443/api/v1/pods\": dial tcp 10.96.0.1:443: connect: refused",
	"https://user@example.com/x, mail ops@example.com",
	"https://github.com/example/project@v1.2.3",
	"see http://a:80/x and b@c",
	"Basic authentication is off; bearer token missing",
	"WWW-Authenticate: Bearer realm=\"https://auth.docker.io/token\",service=\"registry\"",
	"authorization: user denied",
	"-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
	"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUM=",
	"docker run -u 1000:1000 --user 0:0 x",
	"task-0123456789abcdefghijklmnop disk-sk-a",
	"eyJ alone, eyJhbGciOiJFUzI1NiJ9 too",
	"npm_config_registry=https://registry.example.com",
	"cookie policy: none",
	"dial @tcp(",
};

TEST(masks_its_forms)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++) {
		diag_redact_auto struct diag_redact *redact = diag_redact_new();
		diag_buf_auto struct diag_buf buf = { 0 };

		diag_buf_init(&buf, 4096);
		if (!diag_redact_text(redact, cases[i].text, strlen(cases[i].text), &buf))
			fail_msg("%s: nothing masked in: %s", cases[i].id, cases[i].text);
		assert_string_equal(diag_buf_str(&buf), cases[i].masked);
	}
}

TEST(keeps_the_rest)
{
	diag_redact_auto struct diag_redact *redact = diag_redact_new();

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(kept); i++) {
		diag_buf_auto struct diag_buf buf = { 0 };

		diag_buf_init(&buf, 4096);
		if (diag_redact_text(redact, kept[i], strlen(kept[i]), &buf))
			fail_msg("masked: %s", diag_buf_str(&buf));
		assert_int_equal(buf.length, 0);
	}
	assert_int_equal(diag_redact_masked(redact), 0);
}

/* A row without a line above would never be tried. */
TEST(every_row_has_a_case)
{
	size_t count;
	const struct pattern *table = diag_redact_table(&count);

	for (size_t i = 0; i < count; i++) {
		bool found = false;

		for (size_t j = 0; j < DIAG_ARRAY_SIZE(cases) && !found; j++)
			found = strcmp(cases[j].id, table[i].id) == 0;
		if (!found)
			fail_msg("no case for pattern '%s'", table[i].id);
		assert_non_null(table[i].literals[0]);
		for (size_t j = 0; j < DIAG_REDACT_MAX_LITERALS && table[i].literals[j]; j++)
			assert_true(strlen(table[i].literals[j]) >= 3);
	}
}

/* Rows are compiled when first needed: a mistake in one must not wait until then. */
TEST(every_row_compiles)
{
	struct patterns *patterns = diag_redact_patterns_new();
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_redact_patterns_set_steps(patterns, 1000, &err) < 0)
		fail_msg("%s", err.message);
	diag_redact_patterns_free(patterns);
}

RUN_TESTS("redact_table", T(masks_its_forms), T(keeps_the_rest), T(every_row_has_a_case),
	  T(every_row_compiles))
