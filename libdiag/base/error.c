#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int diag_error_set(struct diag_error *err, int code, const char *format, ...)
{
	va_list args;

	if (!err)
		return code;
	*err = (struct diag_error){ .code = code };
	va_start(args, format);
	vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	return code;
}

int diag_error_errno(struct diag_error *err, int errnum, const char *format, ...)
{
	int code = errnum == ENOENT ? DIAG_E_NOT_FOUND : DIAG_E_IO;
	char text[sizeof(err->message)];
	char reason[128];
	va_list args;

	if (!err)
		return code;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	diag_error_set(err, code, "%s: %s", text, strerror_r(errnum, reason, sizeof(reason)));
	err->errnum = errnum;
	return code;
}

int diag_error_prefix(struct diag_error *err, int code, const char *format, ...)
{
	char old[sizeof(err->message)];
	va_list args;
	size_t used;
	int length;

	if (!err)
		return code;
	memcpy(old, err->message, sizeof(old));
	va_start(args, format);
	length = vsnprintf(err->message, sizeof(err->message), format, args);
	va_end(args);
	used = length < 0 ? 0 : DIAG_MIN((size_t)length, sizeof(err->message) - 1);
	snprintf(err->message + used, sizeof(err->message) - used, ": %s", old);
	return code;
}

const char *diag_code_name(int code)
{
	static const char *const names[] = {
		"ok",      "invalid", "not-found", "forbidden", "unauthorized", "unreachable",
		"timeout", "parse",   "limit",     "io",        "unsupported",  "cancelled",
	};
	size_t index = (size_t)-code;

	return code <= 0 && index < DIAG_ARRAY_SIZE(names) ? names[index] : "unknown";
}
