/* What the files of the transport share. */
#pragma once

#include <curl/curl.h>

#include "base/buf.h"
#include "kube/credentials.h"
#include "kube/proxy.h"
#include "kube/retry.h"
#include "kube/transport.h"
#include "kube/transport_queue.h"
#include "kube/url.h"

/* One request, from the queue to its `done`, over all its attempts. */
struct transfer {
	char *path, *accept, *post; /* post: the JSON body, or NULL */
	size_t max_bytes;
	bool cut;
	int priority;
	int64_t timeout_ms;
	diag_response_fn *done;
	void *context;
	uint64_t order;        /* of queueing */
	int64_t not_before_ms; /* monotonic; 0: at once */
	struct diag_retry retry;

	/* the attempt that is on the wire or has just ended */
	CURL *easy;
	struct curl_slist *headers;
	unsigned generation; /* of the credentials it was sent with */
	int64_t started_ms;
	struct diag_buf answer;
	size_t header_bytes;
	bool was_cut, too_long, flooded;
	char error[CURL_ERROR_SIZE];
};

struct diag_transport {
	const struct diag_kube_config *config;
	struct diag_transport_options options; /* defaults filled in */
	struct diag_credentials *credentials;
	struct diag_url server;
	struct diag_proxy proxy;
	char *base_url; /* what paths are appended to */
	struct curl_slist *connect_to, *fixed_headers;
	CURLM *multi;
	struct transfer_queue queue;
	struct transfer **flying; /* max_parallel slots */
	size_t flying_count;
	uint64_t queued;
	size_t sent;
	int64_t deadline_ms;   /* monotonic, INT64_MAX: none */
	int64_t hold_until_ms; /* the server asked all to wait */
	bool running;
	bool reached;                /* some answer has come */
	unsigned expired_generation; /* credentials that were refused and fetched anew; 0: none */
	/* Why nobody can be answered, when that is known: no credentials, no such server. */
	int lost_code;
	char *lost_reason;
};

/** Prepare what is the same for all requests: URL, proxy, fixed headers. INVALID for what can
 * never be sent. */
int transport_prepare(struct diag_transport *transport, struct diag_error *err);

/** Make the curl handle of an attempt; freed by transfer_reset(). */
int transfer_prepare(struct diag_transport *transport, struct transfer *transfer,
		     struct diag_error *err);

/** Forget the attempt, keep the request. */
void transfer_reset(struct transfer *transfer);

/** A header of the answer, or NULL. Borrowed from the attempt. */
const char *transfer_header(const struct transfer *transfer, const char *name);

/**
 * Say in a sentence why an attempt did not bring a whole answer.
 *
 * @result what curl says, not CURLE_OK
 *
 * Returns the enum diag_code.
 */
int transfer_explain(struct diag_transport *transport, const struct transfer *transfer,
		     CURLcode result, struct diag_buf *out);

/** Whether trying again on a new connection may help. */
bool transfer_broke(const struct transfer *transfer, CURLcode result);
