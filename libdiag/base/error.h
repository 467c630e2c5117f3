/*
 * Errors travel with the call: a `struct diag_error` on the caller's stack, so that reporting one
 * cannot fail. Whoever detects a failure calls diag_error_set() once; each level that knows more
 * (which file, which request) adds a prefix, outermost first. NULL means "don't care".
 */
#pragma once

#include <stdarg.h>

#include "base/macros.h"

/* Code branches on these; people read the message. Returned as negative numbers. */
enum diag_code {
	DIAG_OK = 0,
	DIAG_E_INVALID = -1,      /* the caller's or user's input is wrong */
	DIAG_E_NOT_FOUND = -2,    /* the named thing does not exist */
	DIAG_E_FORBIDDEN = -3,    /* exists perhaps, but may not be read */
	DIAG_E_UNAUTHORIZED = -4, /* credentials missing or refused */
	DIAG_E_UNREACHABLE = -5,  /* no connection */
	DIAG_E_TIMEOUT = -6,      /* a deadline passed */
	DIAG_E_PARSE = -7,        /* bytes that do not have the expected form */
	DIAG_E_LIMIT = -8,        /* larger, deeper or more than base/limits.h allows */
	DIAG_E_IO = -9,           /* the operating system refused */
	DIAG_E_UNSUPPORTED = -10, /* understood, but not done here */
	DIAG_E_CANCELLED = -11,   /* interrupted by the user */
};

struct diag_error {
	int code;   /* enum diag_code */
	int errnum; /* errno, or 0 */
	int line;   /* 1-based line of the input, or 0 */
	int column; /* 1-based column, or 0 */
	char message[512];
};

#define DIAG_ERROR_INIT                                                                            \
	{                                                                                          \
		.code = DIAG_OK                                                                    \
	}

/** Record a failure; returns `code` so that it can be returned at once. Long text is cut. */
int diag_error_set(struct diag_error *err, int code, const char *format, ...) DIAG_PRINTF(3, 4);

/** As diag_error_set() with errno's text appended and kept. Code is DIAG_E_IO, or NOT_FOUND for
 * ENOENT. */
int diag_error_errno(struct diag_error *err, int errnum, const char *format, ...) DIAG_PRINTF(3, 4);

/** Put "PREFIX: " before the message; returns `code`. */
int diag_error_prefix(struct diag_error *err, int code, const char *format, ...) DIAG_PRINTF(3, 4);

/** A name for the code as users see it in machine output, e.g. "parse", "limit". Never NULL. */
const char *diag_code_name(int code);
