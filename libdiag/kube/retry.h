/*
 * Whether a request is sent again, and when. Bounded in number and in time, so that a server in
 * trouble ends a run rather than hangs it. Sources: RFC 9110 10.2.3 (Retry-After); Kubernetes API
 * concepts and client-go's rest/with_retry.go.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* What has become of one request so far. */
struct diag_retry {
	unsigned throttled; /* times that the server asked to come again later */
	unsigned broken;    /* connections that broke, answers that were cut */
	bool unauthorized;  /* was sent again with fresh credentials */
	int64_t waited_ms;  /* because of Retry-After */
};

/* An answer as far as it matters here. */
struct diag_retry_answer {
	int status;
	int64_t retry_after_ms; /* from the header or the Status object, -1 without */
	bool server_timeout;    /* Status reason ServerTimeout */
};

/**
 * The server says that it cannot answer now.
 *
 * @ret_shared whether all requests to this server should wait (it named a time), not only this
 *
 * Returns how long to wait in milliseconds, with jitter; -1: this answer is final.
 */
int64_t diag_retry_throttled(struct diag_retry *retry, const struct diag_retry_answer *answer,
			     bool *ret_shared);

/** The connection broke or the answer was cut. Returns as diag_retry_throttled(). */
int64_t diag_retry_broken(struct diag_retry *retry);

/** What a Retry-After header that is no number of seconds or date says: -1. Whole seconds only. */
int64_t diag_retry_seconds(const char *header);
