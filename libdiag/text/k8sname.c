#include "text/k8sname.h"

#include <string.h>

#include "text/semver.h"

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

bool diag_k8s_is_strict_version(const char *text)
{
	struct diag_semver version diag_semver_auto = { 0 };
	int dots = 0;

	for (const char *p = text; *p && *p != '-' && *p != '+'; p++)
		dots += *p == '.';
	/* The pattern lets numeric prerelease identifiers with leading zeros pass; nothing of ours
	 * has them. */
	return *text != 'v' && dots == 2 && diag_semver_parse(text, &version, NULL) == 0;
}
