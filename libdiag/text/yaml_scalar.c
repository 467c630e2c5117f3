#include "text/yaml_scalar.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/macros.h"
#include "base/str.h"

#define TAG "tag:yaml.org,2002:"

static const char *const true_words[] = { "y",    "Y",    "yes", "Yes", "YES", "true",
					  "True", "TRUE", "on",  "On",  "ON" };
static const char *const false_words[] = { "n",     "N",     "no",  "No",  "NO", "false",
					   "False", "FALSE", "off", "Off", "OFF" };
static const char *const null_words[] = { "", "~", "null", "Null", "NULL" };

static bool in_list(const char *text, const char *const *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(text, list[i]) == 0)
			return true;
	return false;
}

#define IN_LIST(text, list) in_list(text, list, DIAG_ARRAY_SIZE(list))

/* Digits of a base only, at least one. */
static bool all_digits(const char *text, int base)
{
	if (!*text)
		return false;
	for (; *text; text++) {
		int digit = isdigit((unsigned char)*text) ? *text - '0'
			    : isalpha((unsigned char)*text)
				    ? tolower((unsigned char)*text) - 'a' + 10
				    : 99;

		if (digit >= base)
			return false;
	}
	return true;
}

/* strconv.ParseInt(text, 0, 64): 0x, 0o, 0b and a leading 0 choose the base. */
static json_t *parse_integer(const char *text)
{
	bool negative = *text == '-';
	const char *digits = text + (*text == '-' || *text == '+');
	int base = 10;
	unsigned long long value;

	if (digits[0] == '0' && digits[1]) {
		switch (tolower((unsigned char)digits[1])) {
		case 'x':
			base = 16;
			break;
		case 'o':
			base = 8;
			break;
		case 'b':
			base = 2;
			break;
		default:
			base = 8;
			digits -= 1; /* only the 0 is prefix */
		}
		digits += 2;
	}
	if (!all_digits(digits, base))
		return NULL;
	errno = 0;
	value = strtoull(digits, NULL, base);
	if (errno == 0 && value <= (unsigned long long)INT64_MAX)
		return json_integer(negative ? -(json_int_t)value : (json_int_t)value);
	if (base != 10)
		return json_real(negative ? -(double)value : (double)value);
	return json_real(
		strtod(text, NULL)); /* beyond 64 bits: JSON has the number, we its magnitude */
}

static const char *skip_digits(const char *p)
{
	while (isdigit((unsigned char)*p))
		p++;
	return p;
}

/* [-+]? ( .digits | digits [ . digits? ] ) [ (e|E) [-+]? digits ] */
static bool is_float(const char *text)
{
	const char *p = text + (*text == '-' || *text == '+');
	const char *start = p;

	p = skip_digits(p);
	if (p == start) {
		if (*p != '.' || !isdigit((unsigned char)p[1]))
			return false;
		p = skip_digits(p + 1);
	} else if (*p == '.') {
		p = skip_digits(p + 1);
	}
	if (*p == 'e' || *p == 'E') {
		p += 1 + (p[1] == '-' || p[1] == '+');
		if (!isdigit((unsigned char)*p))
			return false;
		p = skip_digits(p);
	}
	return *p == '\0';
}

static char *without_underscores(const char *text)
{
	char *plain = diag_xstrdup(text), *to = plain;

	for (; *text; text++)
		if (*text != '_')
			*to++ = *text;
	*to = '\0';
	return plain;
}

static json_t *parse_number(const char *text)
{
	diag_autofree char *plain = without_underscores(text);
	json_t *value;

	if (!isdigit((unsigned char)*text) && !strchr("+-.", *text))
		return NULL;
	value = *text == '.' ? NULL : parse_integer(plain);
	if (!value && is_float(plain) && isfinite(strtod(plain, NULL)))
		value = json_real(strtod(plain, NULL));
	return value;
}

static json_t *string(const char *text)
{
	json_t *value = json_string(text);

	return value ? value : json_string("\xef\xbf\xbd");
}

static json_t *resolve_plain(const char *text)
{
	json_t *number;

	if (IN_LIST(text, null_words))
		return json_null();
	if (IN_LIST(text, true_words))
		return json_true();
	if (IN_LIST(text, false_words))
		return json_false();
	number = parse_number(text);
	return number ? number : string(text);
}

json_t *diag_yaml_scalar(const char *text, bool plain, const char *tag)
{
	json_t *value;
	bool fits;

	if (!tag)
		return plain ? resolve_plain(text) : string(text);
	if (strcmp(tag, TAG "str") == 0 || !diag_str_starts(tag, TAG) ||
	    strcmp(tag, TAG "binary") == 0 || strcmp(tag, TAG "timestamp") == 0)
		return string(text);
	value = resolve_plain(text);
	fits = (strcmp(tag, TAG "bool") == 0 && json_is_boolean(value)) ||
	       (strcmp(tag, TAG "int") == 0 && json_is_integer(value)) ||
	       (strcmp(tag, TAG "float") == 0 && json_is_number(value)) ||
	       (strcmp(tag, TAG "null") == 0 && json_is_null(value));
	if (fits)
		return value;
	json_decref(value);
	return NULL;
}

char *diag_yaml_key(const char *text, bool plain, const char *tag)
{
	json_t *value = diag_yaml_scalar(text, plain, tag);
	char number[64];
	char *key = NULL;

	if (json_is_string(value))
		key = diag_xstrdup(json_string_value(value));
	else if (json_is_boolean(value))
		key = diag_xstrdup(json_is_true(value) ? "true" : "false");
	else if (json_is_integer(value))
		snprintf(number, sizeof(number), "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		snprintf(number, sizeof(number), "%g", json_real_value(value));
	if (json_is_number(value))
		key = diag_xstrdup(number);
	json_decref(value);
	return key;
}
