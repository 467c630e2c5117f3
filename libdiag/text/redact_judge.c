/* Is this value a secret, or may it be read and is it worth hunting? */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/macros.h"
#include "text/redact_internal.h"

/* Settings and fillers. */
static const char *const exempt_words[] = {
	"-",      "absent",   "bool",       "disabled",   "empty",    "enabled",   "expired",
	"false",  "file",     "forbidden",  "hidden",     "int",      "invalid",   "mandatory",
	"masked", "missing",  "nil",        "no",         "none",     "null",      "off",
	"on",     "optional", "present",    "redacted",   "required", "sanitized", "set",
	"string", "strings",  "true",       "undefined",  "unset",    "valid",     "value",
	"yes",    "<nil>",    "[redacted]", "(redacted)", "[masked]", "[hidden]",  "[filtered]",
};

/* Words that Secrets and credential variables do hold, but that would hide whole reports when
 * masked wherever they occur. */
static const char *const common_words[] = {
	"administrator", "allowed",      "always",      "bearer",    "bindery",     "booklet",
	"capability",    "client",       "cluster",     "container", "controller",  "database",
	"default",       "deployment",   "development", "docker",    "docker.io",   "enable",
	"disable",       "eu-central-1", "eu-west-1",   "example",   "example.com", "failed",
	"ghcr.io",       "global",       "health",      "healthz",   "kubernetes",  "latest",
	"localhost",     "manager",      "mariadb",     "master",    "message",     "metrics",
	"module",        "mongodb",      "namespace",   "native",    "object",      "opaque",
	"operator",      "password",     "pending",     "postgres",  "postgresql",  "prefer",
	"private",       "production",   "public",      "quay.io",   "rabbitmq",    "redaction",
	"registry",      "require",      "running",     "secret",    "secrets",     "server",
	"service",       "stable",       "staging",     "standard",  "status",      "system",
	"testing",       "tokens",       "unknown",     "us-east-1", "us-west-1",   "us-west-2",
	"username",      "verify-ca",    "verify-full", "warning",
};

/* What our own output consists of, every number a 0. */
static const char own_text[] =
	"***HIDDEN-0******HIDDEN-0*** (0 bytes) ***HIDDEN******HIDDEN*** " DIAG_REDACT_WITHHELD;

static bool in(struct slice value, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i]) == value.length &&
		    strncasecmp(list[i], value.text, value.length) == 0)
			return true;
	return false;
}

static bool starts(struct slice value, const char *prefix)
{
	size_t length = strlen(prefix);

	return value.length >= length && memcmp(value.text, prefix, length) == 0;
}

static bool ends(struct slice value, const char *suffix)
{
	size_t length = strlen(suffix);

	return value.length >= length &&
	       memcmp(value.text + value.length - length, suffix, length) == 0;
}

static bool one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static bool consists_of(struct slice value, const char *set)
{
	for (size_t i = 0; i < value.length; i++)
		if (!one_of(value.text[i], set))
			return false;
	return true;
}

static bool is_one_character(struct slice value)
{
	for (size_t i = 1; i < value.length; i++)
		if (value.text[i] != value.text[0])
			return false;
	return true;
}

/* How the characters of a value are mixed. */
struct mix {
	size_t upper, lower, digits, separators;
	size_t words; /* by seams of case: Crash Loop Back Off, but d X Nlcjpw YX Nz */
};

static bool begins_word(struct slice value, size_t at)
{
	unsigned char before = at ? (unsigned char)value.text[at - 1] : ' ';
	unsigned char c = (unsigned char)value.text[at];

	if (!isalpha(c) || !isalpha(before))
		return isalpha(c);
	if (!isupper(c))
		return false;
	return islower(before) ||
	       (at + 1 < value.length && islower((unsigned char)value.text[at + 1]));
}

static struct mix mix_of(struct slice value)
{
	struct mix mix = { 0 };

	for (size_t i = 0; i < value.length; i++) {
		unsigned char c = (unsigned char)value.text[i];

		mix.words += begins_word(value, i);
		mix.upper += !!isupper(c);
		mix.lower += !!islower(c);
		mix.digits += !!isdigit(c);
		mix.separators += one_of((char)c, "-./");
	}
	return mix;
}

bool diag_redact_is_wordy(struct slice value)
{
	struct mix mix = mix_of(value);

	if (mix.digits)
		return false;
	for (size_t i = 0; i < value.length; i++)
		if (!isalpha((unsigned char)value.text[i]) &&
		    !one_of(value.text[i], " -'.,!?()[]:/"))
			return false;
	/* CrashLoopBackOff is a phrase, dXNlcjpwYXNz is not: its words are too short. */
	return !mix.upper || mix.words * 3 <= mix.upper + mix.lower + 2;
}

bool diag_redact_is_random(struct slice value, size_t minimum)
{
	struct mix mix = mix_of(value);

	if (value.length < minimum)
		return false;
	for (size_t i = 0; i < value.length; i++)
		if (!isalnum((unsigned char)value.text[i]) && !one_of(value.text[i], "+/_=.~%-"))
			return false;
	if (mix.upper && mix.lower)
		return mix.digits || !diag_redact_is_wordy(value);
	return mix.digits && mix.upper + mix.lower && !mix.separators;
}

/* 8-4-4-4-12 hexadecimal digits: an object's uid far more often than a secret. */
static bool is_uuid(struct slice value)
{
	if (value.length != 36)
		return false;
	for (size_t i = 0; i < value.length; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? value.text[i] != '-' : !isxdigit((unsigned char)value.text[i]))
			return false;
	}
	return true;
}

/* A count, a size, a duration or a time: 4096, 15ms, 1h30m, 99.5%. */
static bool is_quantity(struct slice value)
{
	struct mix mix = mix_of(value);

	if (!value.length || !isdigit((unsigned char)value.text[0]) || value.length > 12)
		return false;
	if (mix.digits == value.length)
		return mix.digits < 6;
	return consists_of(value, "0123456789.numshdkKMGTPEiB%");
}

/* /run/secrets/db and the like: where a credential is, not what it is. */
static bool is_path(struct slice value)
{
	static const char *const prefixes[] = { "/", "./", "../", "~/", "file:///" };
	bool found = false;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(prefixes) && !found; i++)
		found = value.length > strlen(prefixes[i]) && starts(value, prefixes[i]);
	if (!found)
		return false;
	for (size_t i = 0, start = 0; i <= value.length; i++) {
		unsigned char c = i < value.length ? (unsigned char)value.text[i] : '/';

		if (!isalnum(c) && !one_of((char)c, "._/-:~"))
			return false;
		if (c != '/')
			continue;
		/* Base64 may begin with a slash; its pieces do not read as names. */
		if (diag_redact_is_random((struct slice){ value.text + start, i - start }, 12))
			return false;
		start = i + 1;
	}
	return true;
}

/* $NAME, ${NAME}, $(NAME), {{ .name }}, <name>, %s: the value is elsewhere. */
static bool is_reference(struct slice value)
{
	if ((starts(value, "${") && ends(value, "}")) ||
	    (starts(value, "$(") && ends(value, ")")) || (starts(value, "<") && ends(value, ">")) ||
	    starts(value, "{{"))
		return true;
	if (value.length <= 3 && starts(value, "%"))
		return true;
	return value.length > 1 && starts(value, "$") &&
	       consists_of((struct slice){ value.text + 1, value.length - 1 },
			   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
}

/* The start of an object, a list or a Go struct, printed rather than a value. */
static bool is_structure(struct slice value)
{
	if (value.length == 1)
		return one_of(value.text[0], "{[(|>&");
	return (value.length && one_of(value.text[0], "{[(&") &&
		one_of(value.text[1], "{}[]()\"'\\&")) ||
	       (starts(value, "{") && memchr(value.text, ':', value.length));
}

bool diag_redact_is_masked(struct slice value)
{
	return starts(value, "***HIDDEN") || starts(value, "[line withheld");
}

bool diag_redact_is_exempt(struct slice value)
{
	if (!value.length || diag_redact_is_masked(value))
		return true;
	if (is_one_character(value) && one_of(value.text[0], "*xX.-_#?"))
		return true;
	return in(value, exempt_words, DIAG_ARRAY_SIZE(exempt_words)) || is_reference(value) ||
	       is_path(value) || starts(value, "sha256:");
}

static bool judge_token(bool last, enum value_style style, struct slice value)
{
	if (is_quantity(value))
		return false;
	if (last)
		return style != VALUE_COLON || !diag_redact_is_wordy(value);
	if (style == VALUE_QUOTED || style == VALUE_EQUALS)
		return !diag_redact_is_wordy(value);
	return diag_redact_is_random(value, 8);
}

bool diag_redact_judge_value(struct name_verdict name, enum value_style style, struct slice value)
{
	if (name.class == NAME_PLAIN || diag_redact_is_exempt(value) || is_structure(value))
		return false;
	switch (name.class) {
	case NAME_PLAIN:
		return false;
	case NAME_LONG:
		return diag_redact_is_random(value, 20) && !is_uuid(value);
	case NAME_AUTH:
		return diag_redact_is_random(value, 8);
	case NAME_TOKEN:
		return judge_token(name.last, style, value);
	case NAME_PASSWORD:
		return name.last || style != VALUE_COLON || !diag_redact_is_wordy(value);
	}
	DIAG_UNREACHABLE();
}

struct slice diag_redact_trim(struct slice value)
{
	while (value.length && isspace((unsigned char)value.text[value.length - 1]))
		value.length--;
	while (value.length && isspace((unsigned char)value.text[0]))
		value = (struct slice){ value.text + 1, value.length - 1 };
	return value;
}

bool diag_redact_is_own(struct slice form)
{
	char zeroed[sizeof(own_text)];
	size_t length = 0;
	bool digit = false;

	if (memmem(form.text, form.length, "HIDDEN", 6))
		return true;
	for (size_t i = 0; i < form.length; i++) {
		bool after_digit = digit;

		digit = isdigit((unsigned char)form.text[i]);
		if (digit && after_digit)
			continue;
		if (length == sizeof(zeroed))
			return false;
		zeroed[length++] = (char)(digit ? '0' : form.text[i]);
	}
	return memmem(own_text, sizeof(own_text) - 1, zeroed, length);
}

bool diag_redact_is_learnable(struct slice value)
{
	if (value.length < DIAG_REDACT_MIN_VALUE || diag_redact_is_exempt(value) ||
	    diag_redact_is_own(value))
		return false;
	if (is_one_character(value) || consists_of(value, "0123456789.:,+-/ TZ"))
		return false;
	return !is_quantity(value) && !in(value, common_words, DIAG_ARRAY_SIZE(common_words));
}
