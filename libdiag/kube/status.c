#include "kube/status.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "text/clean.h"
#include "text/json.h"

enum {
	SENTENCE = 300, /* columns of a foreign message that are shown */
	TITLE = 60,
	MOST_READ = 64 * 1024, /* bytes of an answer in which a message is looked for */
};

static const struct {
	int http, code;
	const char *phrase;
} codes[] = {
	{ 400, DIAG_E_INVALID, "Bad Request" },
	{ 401, DIAG_E_UNAUTHORIZED, "Unauthorized" },
	{ 403, DIAG_E_FORBIDDEN, "Forbidden" },
	{ 404, DIAG_E_NOT_FOUND, "Not Found" },
	{ 405, DIAG_E_UNSUPPORTED, "Method Not Allowed" },
	{ 406, DIAG_E_UNSUPPORTED, "Not Acceptable" },
	{ 407, DIAG_E_UNAUTHORIZED, "Proxy Authentication Required" },
	{ 408, DIAG_E_TIMEOUT, "Request Timeout" },
	{ 410, DIAG_E_NOT_FOUND, "Gone" },
	{ 413, DIAG_E_LIMIT, "Content Too Large" },
	{ 415, DIAG_E_UNSUPPORTED, "Unsupported Media Type" },
	{ 422, DIAG_E_INVALID, "Unprocessable Content" },
	{ 429, DIAG_E_UNREACHABLE, "Too Many Requests" },
	{ 500, DIAG_E_UNREACHABLE, "Internal Server Error" },
	{ 502, DIAG_E_UNREACHABLE, "Bad Gateway" },
	{ 503, DIAG_E_UNREACHABLE, "Service Unavailable" },
	{ 504, DIAG_E_TIMEOUT, "Gateway Timeout" },
};

int diag_status_code(int http_status)
{
	if (http_status >= 200 && http_status < 300)
		return DIAG_OK;
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(codes); i++)
		if (codes[i].http == http_status)
			return codes[i].code;
	return http_status >= 400 && http_status < 500 ? DIAG_E_INVALID : DIAG_E_UNREACHABLE;
}

static const char *phrase(int http_status)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(codes); i++)
		if (codes[i].http == http_status)
			return codes[i].phrase;
	return NULL;
}

static void add_number(struct diag_buf *out, int http_status)
{
	const char *known = phrase(http_status);

	diag_buf_printf(out, "HTTP %d", http_status);
	if (known)
		diag_buf_printf(out, " %s", known);
}

static bool is_page(const char *content_type, const char *body, size_t length)
{
	size_t at = 0;

	if (content_type && strcasestr(content_type, "html"))
		return true;
	while (at < length && strchr(" \t\r\n", body[at]))
		at++;
	return at < length && body[at] == '<';
}

/* The text of the first of these elements; NULL without. */
static char *page_title(const char *body, size_t length)
{
	static const char *const elements[][2] = {
		{ "<title", "</title" },
		{ "<h1", "</h1" },
	};
	diag_autofree char *text = diag_xstrndup(body, DIAG_MIN(length, (size_t)MOST_READ));

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(elements); i++) {
		char *start = strcasestr(text, elements[i][0]), *end;

		start = start ? strchr(start, '>') : NULL;
		end = start ? strcasestr(start, elements[i][1]) : NULL;
		if (end && end > start + 1)
			return diag_xstrndup(start + 1, (size_t)(end - start - 1));
	}
	return NULL;
}

void diag_status_page(struct diag_buf *out, int http_status, const char *body, size_t length)
{
	diag_autofree char *title = page_title(body, length);

	add_number(out, http_status);
	diag_buf_puts(out, " with a web page");
	if (title) {
		diag_buf_puts(out, " ('");
		diag_clean_cut(out, title, TITLE, true);
		diag_buf_puts(out, "')");
	}
}

/* The answer of something that is no API server: a line of text, or nothing. */
static void add_text(struct diag_buf *out, int http_status, const char *body, size_t length)
{
	diag_autofree char *text = diag_xstrndup(body, DIAG_MIN(length, (size_t)MOST_READ));
	size_t trimmed;
	const char *start = diag_str_trim(text, &trimmed);

	add_number(out, http_status);
	text[start - text + (ptrdiff_t)trimmed] = '\0';
	text[start - text + (ptrdiff_t)strcspn(start, "\r\n")] = '\0';
	if (!*start)
		return;
	diag_buf_puts(out, ": ");
	diag_clean_cut(out, start, SENTENCE, true);
}

static bool read_object(const char *body, size_t length, struct diag_buf *out,
			struct diag_status *ret)
{
	json_auto_t *documents = NULL;
	const json_t *object;
	const char *message, *reason;
	int64_t seconds;

	if (length > MOST_READ || diag_json_load(body, length, NULL, NULL, 0, &documents, NULL) < 0)
		return false;
	object = json_array_get(documents, 0);
	message = diag_json_str(object, "message");
	if (!diag_str_eq(diag_json_str(object, "kind"), "Status") || diag_str_empty(message))
		return false;
	diag_clean_cut(out, message, SENTENCE, true);
	reason = diag_json_str(object, "reason");
	if (!diag_str_empty(reason)) {
		struct diag_buf clean diag_buf_auto = { 0 };

		diag_buf_init(&clean, DIAG_MAX_MESSAGE);
		diag_clean_cut(&clean, reason, TITLE, true);
		ret->reason = diag_buf_steal(&clean);
	}
	seconds = diag_json_int(object, -1, "details", "retryAfterSeconds");
	if (seconds > 0 && seconds < INT32_MAX)
		ret->retry_after_ms = seconds * DIAG_SECOND_MS;
	return true;
}

void diag_status_read(int http_status, const char *content_type, const char *body, size_t length,
		      const char *where, struct diag_status *ret)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, DIAG_MAX_MESSAGE);
	*ret = (struct diag_status){ .code = diag_status_code(http_status), .retry_after_ms = -1 };
	if (!read_object(body, length, &out, ret)) {
		diag_buf_printf(&out, "%s answers ", where);
		if (is_page(content_type, body, length)) {
			diag_status_page(&out, http_status, body, length);
			diag_buf_puts(&out,
				      ": that is a proxy or load balancer, not the API server");
		} else {
			add_text(&out, http_status, body, length);
		}
	}
	ret->message = diag_buf_steal(&out);
}

void diag_status_done(struct diag_status *status)
{
	free(status->message);
	free(status->reason);
	*status = (struct diag_status){ 0 };
}
