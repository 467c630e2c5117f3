/*
 * What an answer that is no success says, in one sentence: the Status object of an API server, or
 * the page of whatever stands in front of it. Source: meta/v1 Status.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct diag_status {
	int code;               /* enum diag_code */
	char *message;          /* cleaned, one line */
	char *reason;           /* "Expired", "Forbidden", …, cleaned, or NULL */
	int64_t retry_after_ms; /* details.retryAfterSeconds, -1 without */
};

/**
 * Read an answer.
 *
 * @http_status  not a 2xx
 * @content_type or NULL
 * @where        "host:port" of the server, for messages
 * @ret          the caller's, ended with diag_status_done()
 */
void diag_status_read(int http_status, const char *content_type, const char *body, size_t length,
		      const char *where, struct diag_status *ret);
void diag_status_done(struct diag_status *status);

/** The enum diag_code of an HTTP status; OK for a 2xx. */
int diag_status_code(int http_status);

/** Append `HTTP 502 Bad Gateway with a web page ('Sorry')`, for a page where JSON was asked for. */
void diag_status_page(struct diag_buf *out, int http_status, const char *body, size_t length);
