#include "text/semver.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "text/semver_internal.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool diag_semver_identifier_char(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

/* Decimal without leading zeros, at most 64 bits. Returns the reason it is none, or NULL. */
static const char *parse_number(const char *text, size_t length, uint64_t *ret_number)
{
	uint64_t number = 0;

	if (!length)
		return "a number is missing";
	if (length > 1 && *text == '0')
		return "a number has a leading zero";
	for (size_t i = 0; i < length; i++) {
		if (!is_digit(text[i]))
			return "it is not made of numbers";
		if (__builtin_mul_overflow(number, 10u, &number) ||
		    __builtin_add_overflow(number, (uint64_t)(text[i] - '0'), &number))
			return "a number is over 64 bits";
	}
	*ret_number = number;
	return NULL;
}

static bool all_digits(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!is_digit(text[i]))
			return false;
	return length > 0;
}

/* Dot-separated identifiers; numeric ones of a prerelease have no leading zeros. */
static const char *check_identifiers(const char *text, bool prerelease)
{
	for (;;) {
		size_t length = strcspn(text, ".");

		if (!length)
			return "an identifier is empty";
		for (size_t i = 0; i < length; i++)
			if (!diag_semver_identifier_char(text[i]))
				return "an identifier has a character other than letters, digits "
				       "and hyphens";
		if (prerelease && length > 1 && *text == '0' && all_digits(text, length))
			return "a numeric prerelease identifier has a leading zero";
		if (!text[length])
			return NULL;
		text += length + 1;
	}
}

static const char *parse_numbers(const char *text, size_t length, struct diag_semver *version)
{
	uint64_t *const parts[] = { &version->major, &version->minor, &version->patch };

	for (size_t i = 0; i < 3; i++) {
		const char *dot = memchr(text, '.', length);
		size_t part = dot ? (size_t)(dot - text) : length;
		const char *reason = parse_number(text, part, parts[i]);

		if (reason)
			return reason;
		if (!dot)
			return NULL;
		text += part + 1;
		length -= part + 1;
	}
	return "it has more than three numbers";
}

static const char *parse(const char *text, struct diag_semver *version)
{
	const char *plus = strchr(text, '+');
	size_t core = plus ? (size_t)(plus - text) : strlen(text);
	const char *minus = memchr(text, '-', core);
	size_t numbers = minus ? (size_t)(minus - text) : core;
	const char *reason;

	version->meta = diag_xstrdup(plus ? plus + 1 : "");
	version->pre = minus ? diag_xstrndup(minus + 1, core - numbers - 1) : diag_xstrdup("");
	if (*text == 'v') {
		text++;
		numbers -= numbers > 0;
	}
	reason = parse_numbers(text, numbers, version);
	if (!reason && minus)
		reason = check_identifiers(version->pre, true);
	if (!reason && plus)
		reason = check_identifiers(version->meta, false);
	return reason;
}

int diag_semver_parse(const char *text, struct diag_semver *ret_version, struct diag_error *err)
{
	struct diag_semver version = { 0 };
	const char *reason = parse(text, &version);

	if (reason) {
		diag_semver_done(&version);
		return diag_error_set(err, DIAG_E_PARSE, "'%s' is no version: %s", text, reason);
	}
	*ret_version = version;
	return DIAG_OK;
}

void diag_semver_done(struct diag_semver *version)
{
	free(version->pre);
	free(version->meta);
	*version = (struct diag_semver){ 0 };
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int sign(int value)
{
	return value < 0 ? -1 : value > 0;
}

/* One identifier: numbers by value, below text; a number over 64 bits counts as text. */
static int compare_identifiers(const char *a, size_t a_length, const char *b, size_t b_length)
{
	uint64_t a_number, b_number;
	bool a_numeric = all_digits(a, a_length) && !parse_number(a, a_length, &a_number);
	bool b_numeric = all_digits(b, b_length) && !parse_number(b, b_length, &b_number);
	int order;

	if (a_numeric && b_numeric)
		return compare_numbers(a_number, b_number);
	if (a_numeric != b_numeric)
		return a_numeric ? -1 : 1;
	order = memcmp(a, b, DIAG_MIN(a_length, b_length));
	return order ? sign(order) : compare_numbers(a_length, b_length);
}

static int compare_pre(const char *a, const char *b)
{
	if (!*a || !*b)
		return (*a == '\0') - (*b == '\0');
	for (;;) {
		size_t a_length = strcspn(a, "."), b_length = strcspn(b, ".");
		int order = compare_identifiers(a, a_length, b, b_length);

		if (order)
			return order;
		a += a_length;
		b += b_length;
		if (!*a || !*b)
			return (*a != '\0') - (*b != '\0');
		a++;
		b++;
	}
}

int diag_semver_compare(const struct diag_semver *a, const struct diag_semver *b)
{
	int order = compare_numbers(a->major, b->major);

	if (!order)
		order = compare_numbers(a->minor, b->minor);
	if (!order)
		order = compare_numbers(a->patch, b->patch);
	return order ? order : compare_pre(a->pre, b->pre);
}

char *diag_semver_format(const struct diag_semver *version)
{
	size_t size = strlen(version->pre) + strlen(version->meta) + 68;
	char *text = diag_xalloc(size);

	snprintf(text, size, "%llu.%llu.%llu%s%s%s%s", (unsigned long long)version->major,
		 (unsigned long long)version->minor, (unsigned long long)version->patch,
		 *version->pre ? "-" : "", version->pre, *version->meta ? "+" : "", version->meta);
	return text;
}
