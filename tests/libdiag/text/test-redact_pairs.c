#include <time.h>

#include "base/alloc.h"
#include "text/redact_internal.h"

#include "tests/support/unit.h"

static const struct {
	const char *text;
	const char *masked;
} cases[] = {
	/* key=value and key: value */
	{ "password=abc", "password=***HIDDEN-1***" },
	{ "DB_PASSWORD=abc next", "DB_PASSWORD=***HIDDEN-1*** next" },
	{ "export PGPASSWORD=abc; psql", "export PGPASSWORD=***HIDDEN-1***; psql" },
	{ "dbPassword := abc", "dbPassword := ***HIDDEN-1***" },
	{ "secretAccessKey = AbC/+12", "secretAccessKey = ***HIDDEN-1***" },
	{ "Server=db;User Id=sa;Password=a;b,c;Encrypt=yes",
	  "Server=db;User Id=sa;Password=***HIDDEN-1***;Encrypt=yes" },
	{ "AccountName=x;AccountKey=aGVsbG8=;EndpointSuffix=y",
	  "AccountName=x;AccountKey=***HIDDEN-1***;EndpointSuffix=y" },
	{ "GET /a?token=ab12cd34&x=1", "GET /a?token=***HIDDEN-1***&x=1" },
	{ "GET /a%3Ftoken%3Dab12%2Bcd%26x%3D1", "GET /a%3Ftoken%3D***HIDDEN-1***%26x%3D1" },
	{ "host=h user=u password=it's-1 sslmode=off",
	  "host=h user=u password=***HIDDEN-1*** sslmode=off" },
	{ "connected, password: hunter22", "connected, password: ***HIDDEN-1***" },
	{ "map[password:abc user:x]", "map[password:***HIDDEN-1*** user:x]" },
	{ "(password=abc)", "(password=***HIDDEN-1***)" },
	{ "params[token]=ab12cd", "params[token]=***HIDDEN-1***" },
	{ "X-Api-Key: 0a1b2c", "X-Api-Key: ***HIDDEN-1***" },
	{ "auth=0a1b2c3d4e", "auth=***HIDDEN-1***" },
	/* YAML: a scalar to the end of its line, quoted, a block */
	{ "smtp:\n  user: m\n  smtpPassword: 'p0st of mail'\nx: y",
	  "smtp:\n  user: m\n  smtpPassword: '***HIDDEN-1***'\nx: y" },
	{ "  password: two words # old\nx: y", "  password: ***HIDDEN-1*** # old\nx: y" },
	{ "- token: abcdef", "- token: ***HIDDEN-1***" },
	{ "{password: abc, user: x}", "{password: ***HIDDEN-1***, user: x}" },
	{ "a: b\\npassword: two words\\nx: y", "a: b\\npassword: ***HIDDEN-1***\\nx: y" },
	{ "password: |\n  one\n  two\nx: y", "password: |\n  ***HIDDEN-1***\nx: y" },
	{ "- name: API_TOKEN\n  value: ab12\n", "- name: API_TOKEN\n  value: ***HIDDEN-1***\n" },
	/* JSON with any number of backslashes, Go structs, XML */
	{ "\"DB_PASSWORD\":\"a b\",\"x\":\"y\"", "\"DB_PASSWORD\":\"***HIDDEN-1***\",\"x\":\"y\"" },
	{ "\"password\": \"a\\\"b\", \"x\": 1", "\"password\": \"***HIDDEN-1***\", \"x\": 1" },
	{ "{\\\"token\\\":\\\"abc\\\",\\\"x\\\":1}",
	  "{\\\"token\\\":\\\"***HIDDEN-1***\\\",\\\"x\\\":1}" },
	{ "\\\\\\\"token\\\\\\\":\\\\\\\"abc\\\\\\\",",
	  "\\\\\\\"token\\\\\\\":\\\\\\\"***HIDDEN-1***\\\\\\\"," },
	{ "\"password\":\"cut off here", "\"password\":\"***HIDDEN-1***" },
	{ "{\"name\":\"DB_PASSWORD\",\"value\":\"abc\"},{\"name\":\"LEVEL\",\"value\":\"debug\"}",
	  "{\"name\":\"DB_PASSWORD\",\"value\":\"***HIDDEN-1***\"},{\"name\":\"LEVEL\",\"value\":\"debug\"}" },
	{ "{\"name\": \"DB_PASSWORD\",\n   \"value\": \"abc\"}",
	  "{\"name\": \"DB_PASSWORD\",\n   \"value\": \"***HIDDEN-1***\"}" },
	{ "{Name:DB_PASSWORD Value:abc ValueFrom:nil}",
	  "{Name:DB_PASSWORD Value:***HIDDEN-1*** ValueFrom:nil}" },
	{ "<password>abc</password><user>u</user>",
	  "<password>***HIDDEN-1***</password><user>u</user>" },
	/* flags */
	{ "run --password abc -v", "run --password ***HIDDEN-1*** -v" },
	{ "run --db-password=abc -v", "run --db-password=***HIDDEN-1*** -v" },
	{ "run --token 'a b' -v", "run --token '***HIDDEN-1***' -v" },
	{ "[\"--password\",\"abc\"]", "[\"--password\",\"***HIDDEN-1***\"]" },
	/* long random values after names that say little */
	{ "key: 0123456789abcdef0123456789abcdef", "key: ***HIDDEN-1***" },
	{ "sig=aB3dE5gH7jK9mN1pQ3sT5vX7", "sig=***HIDDEN-1***" },
};

static const char *const kept[] = {
	"password policy updated",
	"token request forbidden",
	"secretName: foo",
	"imagePullSecrets: regcred",
	"imagePullSecrets:\n- name: regcred",
	"existingSecret: db-creds1",
	"secretKeyRef: {name: db, key: password}",
	"key: password",
	"\"secret\":{\"secretName\":\"db-creds-1\"}",
	"secret:{SecretName:db-1,Items:nil}",
	"Secret \"db\" not found",
	"couldn't find key password in Secret wine/db",
	"Unable to retrieve some image pull secrets (regcred); attempting to pull the image",
	"secrets \"db-token-abc12\" is forbidden: User \"x\" cannot get",
	"failed to fetch anonymous token: unexpected status: 401 Unauthorized",
	"open /var/run/secrets/kubernetes.io/serviceaccount/token: no such file or directory",
	"pod/auth-server-79d4b: CrashLoopBackOff",
	"BINDERY_CAPABILITY_X_ENDPOINT=rt-a-b:50051",
	"BINDERY_CAPABILITY_AUTH_TOKEN=rt-a-b1:50051",
	"BINDERY_UDS_SECRET=/var/run/bindery/a1.sock",
	"DB_PASSWORD_FILE=/run/secrets/db",
	"PASSWORD=/run/secrets/db",
	"PWD=/home/user1",
	"--service-account-private-key-file=/etc/kubernetes/pki/sa.key",
	"--password string   the password to use",
	"use --token to pass it, or --password for",
	"max_tokens=4096 token=15 tokenTTL=1h30m token: 1h30m",
	"password=$(DB_PASSWORD) ${PASSWORD} password=${DB_PASSWORD} password=$DB_PASSWORD",
	"password: {{ .Values.password }}",
	"password=<redacted> token=[REDACTED] password=****** password=***HIDDEN-7***",
	"token: null, \"password\": \"\", password=",
	"auth=true auth: rbac-v1 auth: failed",
	"pod-template-hash=b66478d8b resourceVersion: \"57650\" generation=3",
	"\"key\":\"node.kubernetes.io/not-ready\"",
	"key=4277f1eb-64f2-4da3-9b90-b176e274951b",
	"key=sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
	"signature mismatch: want key 'a'",
};

static void check(const char *text, const char *masked)
{
	diag_redact_auto struct diag_redact *redact = diag_redact_new();
	diag_buf_auto struct diag_buf buf = { 0 };

	diag_buf_init(&buf, 4096);
	if (!diag_redact_text(redact, text, strlen(text), &buf))
		diag_buf_puts(&buf, text);
	assert_string_equal(diag_buf_str(&buf), masked);
}

TEST(masks_values)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++)
		check(cases[i].text, cases[i].masked);
}

TEST(keeps_what_is_no_secret)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(kept); i++)
		check(kept[i], kept[i]);
}

/* A value longer than what the expressions look at goes as a whole. */
TEST(masks_long_values)
{
	static const char *const forms[][2] = {
		{ "{\"token\":\"", "\",\"x\":1}" },
		{ "{\\\"token\\\":\\\"", "\\\",\\\"x\\\":1}" },
		{ "token=", " x" },
		{ "--token ", " x" },
		{ "token%3D", "%26x" },
		{ "Authorization: Bearer ", " x" },
		{ "password: |\n  ab12\n  ", "\nx" },
	};
	enum { LENGTH = 20000 };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(forms); i++) {
		diag_redact_auto struct diag_redact *redact = diag_redact_new();
		diag_buf_auto struct diag_buf in = { 0 };
		diag_buf_auto struct diag_buf out = { 0 };

		diag_buf_init(&in, (size_t)LENGTH * 2);
		diag_buf_init(&out, (size_t)LENGTH * 2);
		diag_buf_puts(&in, forms[i][0]);
		for (size_t j = 0; j < LENGTH; j++)
			diag_buf_putc(&in, "ab7X"[j & 3]);
		diag_buf_puts(&in, forms[i][1]);
		assert_true(diag_redact_text(redact, in.data, in.length, &out));
		assert_null(strstr(out.data, "ab7X"));
		assert_non_null(strstr(out.data, forms[i][1]));
	}
}

/* Every one of these would be quadratic if a rejected value were looked at to its end. */
TEST(stays_linear)
{
	static const char *const units[] = {
		"token=",
		"auth=",
		"auth=,@",
		"auth=\"",
		"auth=\\\"",
		"token='a\\'",
		"auth%3D",
		"--auth ",
		"<auth>",
		"auth: |\n ",
		"token",
		"token   ",
		"auth\\\\",
		"://",
		"://a:",
		"eyJ",
		"LS0tLS1CRUdJTi",
		"@tcp(",
		"cookie: a",
		" -u ",
		"authorization:",
		"authorization: digest ",
		"password: a\\n",
		"-----BEGIN RSA PRIVATE KEY-----\n",
		"-----END RSA PRIVATE KEY-----\n",
		"-----END RSA PRIVATE KEY-----",
		"***HIDDEN-",
		"token: |\n ***HIDDEN\n ",
		"sk-_",
		"bearer ",
		"auth value ",
	};
	enum { LENGTH = 200000, SECONDS = 5 };
	diag_autofree char *text = diag_xalloc(LENGTH);

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(units); i++) {
		diag_redact_auto struct diag_redact *redact = diag_redact_new();
		diag_buf_auto struct diag_buf out = { 0 };
		size_t unit = strlen(units[i]);
		clock_t start = clock();

		for (size_t j = 0; j < LENGTH; j++)
			text[j] = units[i][j % unit];
		diag_buf_init(&out, (size_t)LENGTH * 8);
		diag_redact_text(redact, text, LENGTH, &out);
		assert_int_equal(diag_redact_withheld(redact), 0);
		/* Linear takes a tenth of a second with sanitizers, quadratic a minute. */
		assert_true((clock() - start) / CLOCKS_PER_SEC < SECONDS);
	}
}

RUN_TESTS("redact_pairs", T(masks_values), T(keeps_what_is_no_secret), T(masks_long_values),
	  T(stays_linear))
