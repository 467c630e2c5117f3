#include "text/k8sname.h"

#include <string.h>

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_alnum(char c)
{
	return is_lower(c) || is_digit(c) || (c >= 'A' && c <= 'Z');
}

static bool is_label_part(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!is_lower(text[i]) && !is_digit(text[i]) && text[i] != '-')
			return false;
	return length && text[0] != '-' && text[length - 1] != '-';
}

bool diag_k8s_is_label(const char *text)
{
	size_t length = strlen(text);

	return length <= 63 && is_label_part(text, length);
}

bool diag_k8s_is_service_name(const char *text)
{
	return diag_k8s_is_label(text) && is_lower(*text);
}

bool diag_k8s_is_subdomain(const char *text)
{
	if (strlen(text) > 253)
		return false;
	for (;;) {
		size_t length = strcspn(text, ".");

		if (!is_label_part(text, length))
			return false;
		if (!text[length])
			return true;
		text += length + 1;
	}
}

bool diag_k8s_is_label_value(const char *text)
{
	size_t length = strlen(text);

	if (!length)
		return true;
	for (size_t i = 0; i < length; i++)
		if (!is_alnum(text[i]) && !strchr("-_.", text[i]))
			return false;
	return length <= 63 && is_alnum(text[0]) && is_alnum(text[length - 1]);
}

bool diag_k8s_is_env_name(const char *text)
{
	if (strcmp(text, ".") == 0 || strncmp(text, "..", 2) == 0 || is_digit(*text))
		return false;
	for (const char *p = text; *p; p++)
		if (!is_alnum(*p) && !strchr("-_.", *p))
			return false;
	return *text;
}

bool diag_k8s_is_env_name_relaxed(const char *text)
{
	for (const char *p = text; *p; p++)
		if (*p < ' ' || *p > '~' || *p == '=')
			return false;
	return *text;
}

/* 0, or digits of which the first is not 0; returns what follows, NULL when there is no number. */
static const char *skip_number(const char *text)
{
	size_t length = strspn(text, "0123456789");

	return !length || (length > 1 && *text == '0') ? NULL : text + length;
}

/* Dot-separated runs of letters, digits and hyphens; returns what follows, NULL when one is empty.
 */
static const char *skip_identifiers(const char *text)
{
	for (;;) {
		const char *start = text;

		while (is_alnum(*text) || *text == '-')
			text++;
		if (text == start)
			return NULL;
		if (*text != '.')
			return text;
		text++;
	}
}

bool diag_k8s_is_strict_version(const char *text)
{
	for (int i = 0; i < 3; i++) {
		if (i && *text++ != '.')
			return false;
		text = skip_number(text);
		if (!text)
			return false;
	}
	if (*text == '-')
		text = skip_identifiers(text + 1);
	if (text && *text == '+')
		text = skip_identifiers(text + 1);
	return text && !*text;
}
