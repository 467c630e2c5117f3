/*
 * The table of patterns. Each has literals without which it cannot match; redact_scan.c finds those
 * and tries the expression only there, anchored. Repetition is bounded or possessive, so the cost
 * stays linear. To add a pattern, add its row (the first match at a place wins) and its lines to
 * the test.
 */
#include <ctype.h>
#include <string.h>

#include "base/macros.h"
#include "text/base64.h"
#include "text/redact_internal.h"

static bool is_value(struct slice secret)
{
	return !diag_redact_is_exempt(secret);
}

static bool is_no_word(struct slice secret)
{
	return !diag_redact_is_exempt(secret) && !diag_redact_is_wordy(secret);
}

static bool is_random(struct slice secret)
{
	return !diag_redact_is_exempt(secret) && diag_redact_is_random(secret, 16);
}

/* user:password, not uid:gid. */
static bool is_no_number(struct slice secret)
{
	for (size_t i = 0; i < secret.length; i++)
		if (!isdigit((unsigned char)secret.text[i]))
			return !diag_redact_is_exempt(secret);
	return false;
}

static bool decodes_with(struct slice secret, const char *needle)
{
	diag_buf_auto struct diag_buf buf = { 0 };

	diag_buf_init(&buf, DIAG_REDACT_MAX_VALUE);
	return diag_base64_decode(secret.text, secret.length, &buf) && buf.length &&
	       memmem(buf.data, buf.length, needle, strlen(needle));
}

/* "Basic dXNlcjpwYXNz" but not "Basic authentication". */
static bool is_basic(struct slice secret)
{
	return decodes_with(secret, ":");
}

/* A base64 private key, not a certificate; 64 characters hold its first line. */
static bool is_base64_key(struct slice secret)
{
	return decodes_with((struct slice){ secret.text, DIAG_MIN(secret.length, (size_t)64) },
			    "PRIVATE KEY");
}

#define PEM_KIND  "[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
#define TOKEN_END "[^\\s\"'`\\\\\\]),;]{1,4096}+"
#define HEADER    "(?:\\\\*[\"'`])?+[ \\t]*+(?:=>|:=|=|:)[ \\t]*+\\[?\\\\*[\"'`]?"
#define SCHEMES   "Bearer|Basic|Token|Negotiate|NTLM|Api-?Key|GenieKey|Splunk|SSWS"
/* Not in the middle of a run of such characters: long runs are looked at once. The letters of an
 * escape (newline, %3D, \u003d) are no part of one. */
#define RUN_START                                                                                  \
	"(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt])|(?<=%[0-9A-Fa-f]{2})|(?<=\\\\u[0-9A-Fa-f]{4}))"

#define URL_RUN "[^\\s/\"'`<>\\\\]{0,256}"

static const struct pattern table[] = {
	/* Without an END (the log was cut there): as far as lines look like base64. */
	{ .id = "pem-private-key",
	  .literals = { "-----BEGIN" },
	  .exact = true,
	  .regex =
		  "-----BEGIN " PEM_KIND
		  "(?:[^-]{0,16384}+(?:-(?!----)[^-]{0,16384}+)*+-----END " PEM_KIND
		  "|[^\\n]*+(?:\\n[^\\n]{0,80}?[A-Za-z0-9+/=]{16,}+(?:\\\\[rn])*+[ \\t\\r]*+(?=\\n|$))*+)" },
	{ .id = "pem-base64",
	  .literals = { "LS0tLS1CRUdJTi" },
	  .exact = true,
	  .regex = RUN_START "LS0tLS1CRUdJTi[A-Za-z0-9+/_-]{20,4096}+={0,2}",
	  .accepts = is_base64_key },
	{ .id = "jwt",
	  .literals = { "eyJ" },
	  .exact = true,
	  .regex = RUN_START
	  "eyJ[A-Za-z0-9_-]{6,}+\\.[A-Za-z0-9_-]{6,}+(?:\\.[A-Za-z0-9_-]*+){1,3}+" },
	{ .id = "authorization-list",
	  .literals = { "authorization" },
	  .place = AT_END,
	  .regex = HEADER "(?:Digest|AWS4-HMAC-SHA256|OAuth)[ \\t]++([^\\r\\n]{1,4096}+)",
	  .group = 1,
	  .accepts = is_value },
	{ .id = "authorization",
	  .literals = { "authorization" },
	  .place = AT_END,
	  .regex = HEADER "(?:" SCHEMES ")[ \\t]++(" TOKEN_END ")",
	  .group = 1,
	  .accepts = is_value },
	{ .id = "authorization-raw",
	  .literals = { "authorization" },
	  .place = AT_END,
	  .regex = HEADER "(" TOKEN_END ")",
	  .group = 1,
	  .accepts = is_no_word },
	{ .id = "authorization-other",
	  .literals = { "authorization" },
	  .place = AT_END,
	  .regex = HEADER "[\\w-]{1,30}[ \\t]++(" TOKEN_END ")",
	  .group = 1,
	  .accepts = is_no_word },
	{ .id = "cookie",
	  .literals = { "cookie" },
	  .place = AT_END,
	  .regex = HEADER "([^\\s\"'`\\\\=;]{1,64}+=[^\\r\\n\"'`\\\\]{1,4096}+)",
	  .group = 1,
	  .accepts = is_value },
	{ .id = "bearer",
	  .literals = { "bearer " },
	  .place = AT_END,
	  .regex = "[ \\t]*+([A-Za-z0-9._~+/:|-]{8,}+={0,2}+)(?!=)",
	  .group = 1,
	  .accepts = is_no_word },
	{ .id = "basic",
	  .literals = { "basic " },
	  .place = AT_END,
	  .regex = "[ \\t]*+([A-Za-z0-9+/_-]{6,}+={0,2}+)",
	  .group = 1,
	  .accepts = is_basic },
	{ .id = "url-password",
	  .literals = { "://" },
	  .exact = true,
	  .place = AT_END,
	  .regex = "[^\\s/:@\"'`<>\\\\]{0,128}+:(?!@)(" URL_RUN "(?:\\\\u[0-9a-fA-F]{4}" URL_RUN
		   "){0,8})@",
	  .group = 1,
	  .accepts = is_value,
	  .near = '@',
	  .url = true },
	/* A slash in the password, which is wrong but works in places; not host:port/path@x. */
	{ .id = "url-password-slash",
	  .literals = { "://" },
	  .exact = true,
	  .place = AT_END,
	  .regex =
		  "[^\\s/:@\"'`<>\\\\]{0,128}+:(?!\\d{1,5}(?:[/?#]|$))([^\\s\"'`<>\\\\]{1,256}?)@[\\w.-]",
	  .group = 1,
	  .accepts = is_no_word,
	  .near = '@',
	  .url = true },
	{ .id = "url-user",
	  .literals = { "://" },
	  .exact = true,
	  .place = AT_END,
	  .regex = "([^\\s/:@\"'`<>\\\\?#]{16,256}+)@",
	  .group = 1,
	  .near = '@',
	  .accepts = is_random },
	{ .id = "slack-webhook",
	  .literals = { "hooks.slack.com/services/" },
	  .place = AT_END,
	  .regex = "([A-Za-z0-9/]{20,}+)",
	  .group = 1 },
	{ .id = "go-dsn",
	  .literals = { "@tcp(", "@tcp6(", "@unix(", "@udp(" },
	  .place = AT_WORD,
	  .regex = "[^\\s:\"'`]{0,128}+:([^\\s\"'`]{1,256})(?=@(?:tcp6?|udp|unix)\\()",
	  .group = 1,
	  .accepts = is_value },
	{ .id = "curl-user",
	  .literals = { " -u ", " --user ", " --user=", "\"-u\"", "\"--user\"" },
	  .exact = true,
	  .place = AT_END,
	  .regex = "[ \\t,]*+\\\\*[\"'`]?[^\\s:\"'`\\\\/]{1,64}+:([^\\s\"'`\\\\]{1,256}+)",
	  .group = 1,
	  .accepts = is_no_number },
	{ .id = "aws-access-key",
	  .literals = { "AKIA", "ASIA" },
	  .exact = true,
	  .regex = "(?<![A-Z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])" },
	{ .id = "google-api-key",
	  .literals = { "AIza" },
	  .exact = true,
	  .regex = "AIza[0-9A-Za-z_-]{35}" },
	{ .id = "google-token",
	  .literals = { "ya29." },
	  .exact = true,
	  .regex = "ya29\\.[0-9A-Za-z_-]{20,}+" },
	{ .id = "github-token",
	  .literals = { "ghp_", "gho_", "ghu_", "ghs_", "ghr_" },
	  .exact = true,
	  .regex = "gh[pousr]_[A-Za-z0-9]{20,}+" },
	{ .id = "github-pat",
	  .literals = { "github_pat_" },
	  .exact = true,
	  .regex = "github_pat_[A-Za-z0-9_]{22,}+" },
	{ .id = "gitlab-token",
	  .literals = { "glpat-", "gldt-", "glrt-", "glcbt-" },
	  .exact = true,
	  .regex = "gl[a-z]{2,4}-[A-Za-z0-9_-]{20,}+" },
	{ .id = "slack-token",
	  .literals = { "xoxa-", "xoxb-", "xoxp-", "xoxo-", "xoxs-", "xoxr-", "xoxe-", "xapp-" },
	  .exact = true,
	  .regex = "x(?:ox[a-z]|app)-[A-Za-z0-9-]{10,}+" },
	{ .id = "stripe-key",
	  .literals = { "sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_" },
	  .exact = true,
	  .regex = "(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}+" },
	{ .id = "npm-token",
	  .literals = { "npm_" },
	  .exact = true,
	  .regex = "npm_[A-Za-z0-9]{30,}+" },
	{ .id = "pypi-token",
	  .literals = { "pypi-AgE" },
	  .exact = true,
	  .regex = "pypi-AgE[A-Za-z0-9_-]{40,}+" },
	{ .id = "sendgrid-key",
	  .literals = { "SG." },
	  .exact = true,
	  .regex = RUN_START "SG\\.[A-Za-z0-9_-]{16,}+\\.[A-Za-z0-9_-]{16,}+" },
	{ .id = "docker-token",
	  .literals = { "dckr_pat_" },
	  .exact = true,
	  .regex = "dckr_pat_[A-Za-z0-9_-]{20,}+" },
	{ .id = "vault-token",
	  .literals = { "hvs.", "hvb.", "hvr." },
	  .exact = true,
	  .regex = "hv[sbr]\\.[A-Za-z0-9_-]{20,}+" },
	{ .id = "digitalocean-token",
	  .literals = { "dop_v1_", "doo_v1_", "dor_v1_" },
	  .exact = true,
	  .regex = "do[opr]_v1_[a-f0-9]{40,}+" },
	{ .id = "sk-key",
	  .literals = { "sk-" },
	  .exact = true,
	  .regex = RUN_START "sk-[A-Za-z0-9_-]{20,}+",
	  .accepts = is_random },
	{ .id = "age-key",
	  .literals = { "AGE-SECRET-KEY-1" },
	  .exact = true,
	  .regex = "AGE-SECRET-KEY-1[A-Z0-9]{20,}+" },
};

const struct pattern *diag_redact_table(size_t *ret_count)
{
	*ret_count = DIAG_ARRAY_SIZE(table);
	return table;
}
