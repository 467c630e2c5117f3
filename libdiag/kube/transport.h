/*
 * Requests to one API server: curl's multi interface, one thread, connections shared, several
 * requests in flight. A request ends exactly once, through its `done`, which may queue more.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "kube/config.h"
#include "kube/toplevel.h"

struct diag_transport;

/* A request that came back, for --verbose: nothing in it is a credential. */
struct diag_request_trace {
	const char *method, *path;
	int status; /* HTTP, 0 when there was no answer */
	size_t bytes;
	int64_t duration_ms;
};

struct diag_transport_options {
	int64_t request_timeout_ms; /* one request, retries apart; 0: 30 s */
	int64_t deadline_ms;        /* of all, from diag_transport_new() on; 0: none */
	size_t max_parallel;        /* 0: 6 */
	const struct diag_cancel *cancel;
	/* Called for every attempt, or NULL. */
	void (*trace)(void *context, const struct diag_request_trace *request);
	void *trace_context;
};

/* How a request ended. Everything is borrowed, valid during the call. */
struct diag_response {
	int code;           /* DIAG_OK: a 2xx with its whole body; else as in diag_error */
	int status;         /* HTTP status, 0 when there was none */
	const char *reason; /* one cleaned sentence when code is not DIAG_OK: the Status message of
			     * the API server, or what happened to the connection */
	const char *status_reason; /* "Expired", "Forbidden", … of the Status object, or NULL */
	const char *body;          /* terminated */
	size_t length;
	const char *content_type;
	int64_t date_ms; /* the Date header, DIAG_TIME_NONE without */
	/* Of a JSON object: where its metadata and items are in `body`. It was walked over once to
	 * see that it is whole. */
	struct diag_toplevel toplevel;
};
typedef void diag_response_fn(void *context, const struct diag_response *response);

/** The configuration is borrowed and outlives it. Fails with INVALID for what can never be sent
 * (control characters in impersonation headers, an unusable proxy URL). */
int diag_transport_new(const struct diag_kube_config *config,
		       const struct diag_transport_options *options, struct diag_transport **ret,
		       struct diag_error *err);
void diag_transport_free(struct diag_transport *transport);

struct diag_request {
	const char *path;   /* "/api/v1/pods?limit=500", copied */
	const char *accept; /* NULL: application/json */
	const char
		*body; /* POST this JSON (access reviews only, nothing is ever changed), or NULL */
	size_t max_bytes;   /* of the body of the answer; 0: DIAG_MAX_ENTRY_BYTES */
	bool cut;           /* past max_bytes the answer is cut and OK (logs), else it is LIMIT */
	int priority;       /* higher first, same in order of queueing */
	int64_t timeout_ms; /* 0: the transport's */
	diag_response_fn *done;
	void *context;
};
/** Queue a GET (or access review). May be called from a `done`. */
void diag_transport_queue(struct diag_transport *transport, const struct diag_request *request);

/**
 * Send everything that is queued until nothing is left, the deadline has passed or the user
 * cancels; then every request that has not ended gets its `done` with TIMEOUT or CANCELLED.
 *
 * Returns DIAG_OK, TIMEOUT or CANCELLED.
 */
int diag_transport_run(struct diag_transport *transport, struct diag_error *err);

/** Requests sent so far, for --verbose and tests. */
size_t diag_transport_requests(const struct diag_transport *transport);
