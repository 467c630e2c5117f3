/* The loop: which request is sent when, what its answer means, and whether it is sent again. */
#include "kube/transport.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "kube/status.h"
#include "kube/transport_internal.h"

enum {
	REQUEST_TIMEOUT_MS = 30 * 1000,
	PARALLEL = 6,
	SLICE_MS = 200, /* how long the cancel flag may go unseen */
};

int diag_transport_new(const struct diag_kube_config *config,
		       const struct diag_transport_options *options, struct diag_transport **ret,
		       struct diag_error *err)
{
	struct diag_transport *transport = diag_xcalloc(1, sizeof(*transport));
	struct diag_transport_options *o = &transport->options;
	int r;

	*o = *options;
	o->request_timeout_ms = o->request_timeout_ms ? o->request_timeout_ms : REQUEST_TIMEOUT_MS;
	o->max_parallel = o->max_parallel ? o->max_parallel : PARALLEL;
	transport->config = config;
	transport->deadline_ms = o->deadline_ms ? diag_clock_ms() + o->deadline_ms : INT64_MAX;
	transport->flying = diag_xcalloc(o->max_parallel, sizeof(*transport->flying));
	r = transport_prepare(transport, err);
	if (r < 0) {
		diag_transport_free(transport);
		return r;
	}
	transport->credentials = diag_credentials_new(config, o->cancel);
	curl_global_init(CURL_GLOBAL_DEFAULT);
	transport->multi = curl_multi_init();
	if (!transport->multi)
		abort();
	curl_multi_setopt(transport->multi, CURLMOPT_MAX_HOST_CONNECTIONS, (long)o->max_parallel);
	curl_multi_setopt(transport->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
	*ret = transport;
	return DIAG_OK;
}

/* ---- the end of a request ---- */

static void transfer_free(struct transfer *transfer)
{
	transfer_reset(transfer);
	free(transfer->path);
	free(transfer->accept);
	free(transfer->post);
	free(transfer);
}

/* The only way out: the request is told its end and forgotten. */
static void end(struct transfer *transfer, const struct diag_response *response)
{
	transfer->done(transfer->context, response);
	transfer_free(transfer);
}

static void end_without_answer(struct transfer *transfer, int code, const char *reason)
{
	end(transfer, &(struct diag_response){
			      .code = code,
			      .reason = reason,
			      .body = "",
			      .date_ms = DIAG_TIME_NONE,
		      });
}

static void end_queued(struct diag_transport *transport, int code, const char *reason)
{
	struct transfer *transfer;

	while ((transfer = transfer_queue_take_any(&transport->queue)))
		end_without_answer(transfer, code, reason);
}

/* ---- sending ---- */

static void lose(struct diag_transport *transport, int code, const char *reason)
{
	if (transport->lost_code)
		return;
	transport->lost_code = code;
	transport->lost_reason = diag_xstrdup(reason);
}

/* Without credentials nobody is asked; the request goes back and shares the others' fate. */
static bool start(struct diag_transport *transport, struct transfer *transfer)
{
	struct diag_error err = DIAG_ERROR_INIT;
	int r = transfer_prepare(transport, transfer, &err);

	if (r < 0) {
		transfer_reset(transfer);
		transfer_queue_put(&transport->queue, transfer, INT64_MAX);
		lose(transport, r, err.message);
		return false;
	}
	curl_multi_add_handle(transport->multi, transfer->easy);
	transport->flying[transport->flying_count++] = transfer;
	transport->sent++;
	return true;
}

static bool start_ready(struct diag_transport *transport)
{
	int64_t now_ms = diag_clock_ms();
	bool started = false;
	struct transfer *transfer;

	while (!transport->lost_code && now_ms >= transport->hold_until_ms &&
	       transport->flying_count < transport->options.max_parallel &&
	       (transfer = transfer_queue_take(&transport->queue, now_ms)) &&
	       start(transport, transfer))
		started = true;
	return started;
}

static void perform(struct diag_transport *transport)
{
	int ignored;

	curl_multi_perform(transport->multi, &ignored);
}

void diag_transport_queue(struct diag_transport *transport, const struct diag_request *request)
{
	struct transfer *transfer = diag_xcalloc(1, sizeof(*transfer));

	transfer->path = diag_xstrdup(request->path);
	transfer->accept = diag_xstrdup(request->accept ? request->accept : "application/json");
	transfer->post = diag_xstrdup(request->body);
	transfer->max_bytes = request->max_bytes ? request->max_bytes : DIAG_MAX_ENTRY_BYTES;
	transfer->cut = request->cut;
	transfer->priority = request->priority;
	transfer->timeout_ms =
		request->timeout_ms ? request->timeout_ms : transport->options.request_timeout_ms;
	transfer->done = request->done;
	transfer->context = request->context;
	transfer->order = transport->queued++;
	diag_buf_init(&transfer->answer, transfer->max_bytes);
	transfer_queue_put(&transport->queue, transfer, 0);
	/* From a `done`: on its way before the caller begins to work on what it has got. */
	if (transport->running && start_ready(transport))
		perform(transport);
}

static void land(struct diag_transport *transport, const struct transfer *transfer)
{
	curl_multi_remove_handle(transport->multi, transfer->easy);
	for (size_t i = 0; i < transport->flying_count; i++)
		if (transport->flying[i] == transfer) {
			transport->flying[i] = transport->flying[--transport->flying_count];
			return;
		}
}

/* ---- answers ---- */

static int64_t header_date_ms(const struct transfer *transfer, const char *name)
{
	const char *text = transfer_header(transfer, name);
	time_t seconds = text ? curl_getdate(text, NULL) : -1;

	return seconds < 0 ? DIAG_TIME_NONE : (int64_t)seconds * DIAG_SECOND_MS;
}

/* Seconds, or a date, which is compared with the server's own clock. */
static int64_t retry_after_ms(const struct transfer *transfer)
{
	const char *text = transfer_header(transfer, "Retry-After");
	int64_t then_ms, now_ms;

	if (!text)
		return -1;
	if (diag_retry_seconds(text) >= 0)
		return diag_retry_seconds(text);
	then_ms = header_date_ms(transfer, "Retry-After");
	now_ms = header_date_ms(transfer, "Date");
	if (now_ms == DIAG_TIME_NONE)
		now_ms = diag_time_now();
	return then_ms == DIAG_TIME_NONE ? -1 : DIAG_MAX(then_ms - now_ms, INT64_C(0));
}

/* Put it back for another attempt, unless the run would be over before. */
static bool again(struct diag_transport *transport, struct transfer *transfer, int64_t wait_ms)
{
	int64_t now_ms = diag_clock_ms();

	if (wait_ms < 0 || wait_ms >= transport->deadline_ms - now_ms)
		return false;
	transfer_reset(transfer);
	transfer->not_before_ms = now_ms + wait_ms;
	transfer_queue_put(&transport->queue, transfer, now_ms);
	return true;
}

/* The credentials were refused. Others in flight were sent with the same ones: they are fetched
 * anew once, and each request is sent once more. */
static bool again_authorized(struct diag_transport *transport, struct transfer *transfer)
{
	if (transfer->retry.unauthorized)
		return false;
	if (!transport->expired_generation ||
	    transfer->generation > transport->expired_generation) {
		if (!diag_credentials_expire(transport->credentials))
			return false;
		transport->expired_generation = transfer->generation;
	}
	transfer->retry.unauthorized = true;
	return again(transport, transfer, 0);
}

static bool again_later(struct diag_transport *transport, struct transfer *transfer, int status,
			const struct diag_status *said)
{
	struct diag_retry_answer answer = {
		.status = status,
		.retry_after_ms = retry_after_ms(transfer),
		.server_timeout = diag_str_eq(said->reason, "ServerTimeout"),
	};
	int64_t wait_ms;
	bool shared;

	if (answer.retry_after_ms < 0)
		answer.retry_after_ms = said->retry_after_ms;
	wait_ms = diag_retry_throttled(&transfer->retry, &answer, &shared);
	if (!again(transport, transfer, wait_ms))
		return false;
	if (shared)
		transport->hold_until_ms =
			DIAG_MAX(transport->hold_until_ms, diag_clock_ms() + wait_ms);
	return true;
}

static void refused(struct diag_transport *transport, struct transfer *transfer,
		    struct diag_response *response)
{
	struct diag_status said;

	diag_status_read(response->status, response->content_type, response->body, response->length,
			 transport->server.where, &said);
	if (!(response->status == 401
		      ? again_authorized(transport, transfer)
		      : again_later(transport, transfer, response->status, &said))) {
		response->code = said.code;
		response->reason = said.message;
		response->status_reason = said.reason;
		end(transfer, response);
	}
	diag_status_done(&said);
}

static bool is_json(const struct diag_response *response)
{
	return response->content_type && strcasestr(response->content_type, "json");
}

/* A 2xx: what remains to be seen is whether it is all there, and is what was asked for. */
static void succeeded(struct diag_transport *transport, struct transfer *transfer,
		      struct diag_response *response)
{
	struct diag_buf reason diag_buf_auto = { 0 };

	diag_buf_init(&reason, DIAG_MAX_MESSAGE);
	if (is_json(response) && !transfer->was_cut &&
	    !diag_toplevel_scan(response->body, response->length, &response->toplevel)) {
		if (again(transport, transfer, diag_retry_broken(&transfer->retry)))
			return;
		diag_buf_printf(&reason, "%s sent JSON that does not end (%zu bytes)",
				transport->server.where, response->length);
		response->code = DIAG_E_UNREACHABLE;
		response->reason = diag_buf_str(&reason);
	}
	end(transfer, response);
}

static void answered(struct diag_transport *transport, struct transfer *transfer)
{
	struct diag_response response = {
		.body = diag_buf_str(&transfer->answer),
		.length = transfer->answer.length,
		.content_type = transfer_header(transfer, "Content-Type"),
		.date_ms = header_date_ms(transfer, "Date"),
	};
	long status = 0;

	curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	response.status = (int)status;
	transport->reached = true;
	if (diag_status_code(response.status) == DIAG_OK)
		succeeded(transport, transfer, &response);
	else
		refused(transport, transfer, &response);
}

static void failed(struct diag_transport *transport, struct transfer *transfer, CURLcode result)
{
	struct diag_buf reason diag_buf_auto = { 0 };
	int code;

	if (!transfer->post && transfer_broke(transfer, result) &&
	    again(transport, transfer, diag_retry_broken(&transfer->retry)))
		return;
	diag_buf_init(&reason, DIAG_MAX_MESSAGE);
	code = transfer_explain(transport, transfer, result, &reason);
	end_without_answer(transfer, code, diag_buf_str(&reason));
}

static void trace(const struct diag_transport *transport, const struct transfer *transfer)
{
	long status = 0;

	if (!transport->options.trace)
		return;
	curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status);
	transport->options.trace(transport->options.trace_context,
				 &(struct diag_request_trace){
					 .method = transfer->post ? "POST" : "GET",
					 .path = transfer->path,
					 .status = (int)status,
					 .bytes = transfer->answer.length,
					 .duration_ms = diag_clock_ms() - transfer->started_ms,
				 });
}

/* Returns whether anything has come back. */
static bool collect(struct diag_transport *transport)
{
	bool any = false;
	CURLMsg *message;
	int ignored;

	while ((message = curl_multi_info_read(transport->multi, &ignored))) {
		CURLcode result = message->data.result;
		void *private;

		if (message->msg != CURLMSG_DONE)
			continue;
		any = true;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &private);
		land(transport, private);
		trace(transport, private);
		if (result == CURLE_OK || ((struct transfer *)private)->was_cut)
			answered(transport, private);
		else
			failed(transport, private, result);
	}
	return any;
}

/* ---- the loop ---- */

static int wait_ms(const struct diag_transport *transport)
{
	int64_t now_ms = diag_clock_ms(), next_ms;

	next_ms = DIAG_MIN(transport->deadline_ms, now_ms + SLICE_MS);
	if (transport->flying_count < transport->options.max_parallel)
		next_ms = DIAG_MIN(next_ms,
				   DIAG_MAX(transport->hold_until_ms,
					    transfer_queue_next_ms(&transport->queue, now_ms)));
	return (int)DIAG_MAX(next_ms - now_ms, INT64_C(0));
}

static int loop(struct diag_transport *transport)
{
	bool queued;

	for (;;) {
		if (diag_cancelled(transport->options.cancel))
			return DIAG_E_CANCELLED;
		if (diag_clock_ms() >= transport->deadline_ms)
			return DIAG_E_TIMEOUT;
		if (transport->lost_code)
			end_queued(transport, transport->lost_code, transport->lost_reason);
		start_ready(transport);
		perform(transport);
		if (collect(transport))
			continue;
		queued = transfer_queue_next_ms(&transport->queue, 0) != INT64_MAX;
		if (!transport->flying_count && !queued)
			return DIAG_OK;
		if (transport->lost_code && queued)
			continue; /* they end at once, see above */
		curl_multi_poll(transport->multi, NULL, 0, wait_ms(transport), NULL);
	}
}

static void end_all(struct diag_transport *transport, int code, const char *reason)
{
	while (transport->flying_count) {
		struct transfer *transfer = transport->flying[0];

		land(transport, transfer);
		end_without_answer(transfer, code, reason);
	}
	end_queued(transport, code, reason);
}

int diag_transport_run(struct diag_transport *transport, struct diag_error *err)
{
	const char *reason;
	int r;

	assert(!transport->running);
	transport->running = true;
	r = loop(transport);
	transport->running = false;
	if (r == DIAG_OK)
		return DIAG_OK;
	reason = r == DIAG_E_CANCELLED ? "interrupted" : "the time for the whole run was over";
	end_all(transport, r, reason);
	return diag_error_set(err, r, "%s: %s", transport->server.where, reason);
}

size_t diag_transport_requests(const struct diag_transport *transport)
{
	return transport->sent;
}

void diag_transport_free(struct diag_transport *transport)
{
	if (!transport)
		return;
	if (transport->multi) {
		end_all(transport, DIAG_E_CANCELLED, "never sent");
		curl_multi_cleanup(transport->multi);
		curl_global_cleanup();
	}
	diag_credentials_free(transport->credentials);
	transfer_queue_done(&transport->queue);
	curl_slist_free_all(transport->connect_to);
	curl_slist_free_all(transport->fixed_headers);
	diag_proxy_done(&transport->proxy);
	diag_url_done(&transport->server);
	free(transport->base_url);
	free(transport->lost_reason);
	free(transport->flying);
	free(transport);
}
