/* Is the name of a variable, key or flag the name of a credential? */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "text/redact_internal.h"

enum { MAX_WORDS = 24 };

static const struct {
	const char *text;
	bool tail; /* also as the end of a longer word: pgpassword, authtoken */
	enum name_class class;
} credential_words[] = {
	{ "password", true, NAME_PASSWORD },
	{ "passwords", false, NAME_PASSWORD },
	{ "passwd", true, NAME_PASSWORD },
	{ "passphrase", true, NAME_PASSWORD },
	{ "pwd", true, NAME_PASSWORD },
	{ "pass", false, NAME_TOKEN },
	{ "pw", false, NAME_TOKEN },
	{ "passcode", false, NAME_TOKEN },
	{ "secret", true, NAME_TOKEN },
	{ "token", true, NAME_TOKEN },
	{ "apikey", true, NAME_TOKEN },
	{ "accesskey", true, NAME_TOKEN },
	{ "secretkey", true, NAME_TOKEN },
	{ "privatekey", true, NAME_TOKEN },
	{ "accountkey", true, NAME_TOKEN },
	{ "credential", true, NAME_TOKEN },
	{ "credentials", true, NAME_TOKEN },
	{ "creds", false, NAME_TOKEN },
	{ "cred", false, NAME_TOKEN },
	{ "dsn", false, NAME_TOKEN },
	{ "connectionstring", true, NAME_TOKEN },
	{ "connstr", true, NAME_TOKEN },
	{ "auth", false, NAME_AUTH },
	{ "xauth", false, NAME_AUTH },
	{ "oauth", false, NAME_AUTH },
	{ "authorization", false, NAME_AUTH },
	{ "cookie", false, NAME_AUTH },
	{ "bearer", false, NAME_AUTH },
	{ "jwt", false, NAME_AUTH },
	{ "key", false, NAME_LONG },
	{ "session", false, NAME_LONG },
	{ "sessionid", false, NAME_LONG },
	{ "sid", false, NAME_LONG },
	{ "sig", false, NAME_LONG },
	{ "signature", false, NAME_LONG },
	{ "csrf", false, NAME_LONG },
	{ "otp", false, NAME_LONG },
};

/* Two words that make a credential where the second alone does not. */
static const struct {
	const char *first;
	const char *second;
} credential_pairs[] = {
	{ "api", "key" },        { "access", "key" },  { "secret", "key" },
	{ "private", "key" },    { "account", "key" }, { "shared", "key" },
	{ "encryption", "key" }, { "signing", "key" }, { "master", "key" },
	{ "auth", "key" },       { "ssh", "key" },     { "client", "key" },
	{ "storage", "key" },    { "license", "key" }, { "connection", "string" },
	{ "conn", "str" },       { "conn", "string" },
};

/* After the credential word these say that the value is something about the credential. */
static const char *const neutral_words[] = {
	"addr",      "address",  "age",      "alg",       "algorithm", "at",         "audience",
	"audiences", "backend",  "bytes",    "class",     "code",      "config",     "controller",
	"count",     "days",     "dir",      "directory", "disable",   "disabled",   "driver",
	"duration",  "enable",   "enabled",  "endpoint",  "error",     "expiration", "expire",
	"expires",   "expiry",   "expired",  "file",      "filename",  "files",      "format",
	"group",     "header",   "host",     "hostname",  "hours",     "interval",   "issuer",
	"kind",      "label",    "len",      "length",    "level",     "lifetime",   "limit",
	"location",  "manager",  "max",      "message",   "method",    "min",        "minutes",
	"mode",      "mount",    "name",     "names",     "namespace", "path",       "paths",
	"plugin",    "policy",   "port",     "prefix",    "proto",     "protocol",   "provider",
	"provider",  "realm",    "reason",   "ref",       "reference", "refs",       "refresh",
	"region",    "requests", "required", "retries",   "review",    "reviews",    "role",
	"rotation",  "scheme",   "scope",    "scopes",    "seconds",   "selector",   "server",
	"service",   "size",     "state",    "status",    "store",     "strategy",   "strength",
	"tcp",       "template", "time",     "timeout",   "ttl",       "type",       "types",
	"udp",       "uri",      "url",      "usage",     "used",      "user",       "username",
	"version",   "volume",
};

/* After the credential word these change nothing: DB_PASSWORD_PROD, apiKeyValue. */
static const char *const neutral_endings[] = {
	"again",   "b",    "base",       "confirm", "current",   "data",  "dev",     "enc",
	"encoded", "hash", "main",       "new",     "old",       "plain", "prev",    "previous",
	"primary", "prod", "production", "raw",     "secondary", "stage", "staging", "str",
	"string",  "test", "text",       "txt",     "v",         "val",   "value",
};

/* Before the word secret or token these make it a reference or a count. */
static const char *const neutral_beginnings[] = {
	"existing", "max", "min", "num", "pull", "total",
};

static bool is(struct slice word, const char *text)
{
	return strlen(text) == word.length && strncasecmp(word.text, text, word.length) == 0;
}

static bool in(struct slice word, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is(word, list[i]))
			return true;
	return false;
}

/* Whether a word ends before `c`: dbPassword, APIKey, password1. */
static bool is_seam(const char *name, size_t length, size_t at)
{
	unsigned char before = (unsigned char)name[at - 1], c = (unsigned char)name[at];

	if (!!isdigit(before) != !!isdigit(c))
		return true;
	if (!isupper(c))
		return false;
	return islower(before) || (at + 1 < length && islower((unsigned char)name[at + 1]));
}

/* The last MAX_WORDS words of the name; digits are left out. */
static size_t split(const char *name, size_t length, struct slice *words)
{
	size_t count = 0;

	for (size_t i = 0, start; i < length;) {
		start = i++;
		if (!isalpha((unsigned char)name[start]))
			continue;
		while (i < length && isalpha((unsigned char)name[i]) && !is_seam(name, length, i))
			i++;
		if (count == MAX_WORDS)
			memmove(words, words + 1, --count * sizeof(*words));
		words[count++] = (struct slice){ name + start, i - start };
	}
	return count;
}

static enum name_class classify(const struct slice *words, size_t at)
{
	struct slice word = words[at];

	for (size_t i = 0; at && i < DIAG_ARRAY_SIZE(credential_pairs); i++)
		if (is(word, credential_pairs[i].second) &&
		    is(words[at - 1], credential_pairs[i].first))
			return NAME_TOKEN;
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(credential_words); i++) {
		size_t length = strlen(credential_words[i].text);

		if (word.length < length || (word.length > length && !credential_words[i].tail))
			continue;
		if (strncasecmp(word.text + word.length - length, credential_words[i].text,
				length) == 0)
			return credential_words[i].class;
	}
	return NAME_PLAIN;
}

static bool is_ours(const char *name, size_t length)
{
	static const char *const prefixes[] = { "BINDERY_CAPABILITY_", "BINDERY_UDS_" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(prefixes); i++) {
		size_t prefix = strlen(prefixes[i]);

		if (length >= prefix && memcmp(name, prefixes[i], prefix) == 0)
			return true;
	}
	return false;
}

static bool is_reference(const struct slice *words, size_t at)
{
	return at && (is(words[at], "secret") || is(words[at], "token")) &&
	       in(words[at - 1], neutral_beginnings, DIAG_ARRAY_SIZE(neutral_beginnings));
}

struct name_verdict diag_redact_judge_name(const char *name, size_t length)
{
	struct name_verdict verdict = { NAME_PLAIN, true };
	struct slice words[MAX_WORDS];
	size_t count, at = 0;

	if (is_ours(name, length))
		return verdict;
	count = split(name, length, words);
	for (size_t i = 0; i < count; i++) {
		enum name_class class = classify(words, i);

		if (class == NAME_PLAIN)
			continue;
		verdict.class = DIAG_MAX(verdict.class, class);
		at = i;
	}
	if (verdict.class == NAME_PLAIN || is_reference(words, at))
		return (struct name_verdict){ NAME_PLAIN, true };
	for (size_t i = at + 1; i < count; i++) {
		if (in(words[i], neutral_words, DIAG_ARRAY_SIZE(neutral_words)))
			return (struct name_verdict){ NAME_PLAIN, true };
		if (!in(words[i], neutral_endings, DIAG_ARRAY_SIZE(neutral_endings)))
			verdict.last = false;
	}
	return verdict;
}
