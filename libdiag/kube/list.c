#include "kube/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "text/json.h"

enum { PAGE = 500 };

struct list {
	struct diag_transport *transport;
	struct diag_list_request request; /* strings are copies */
	char *path, *selector, *fields;
	struct diag_map *seen; /* continue tokens that were followed */
	size_t pages;
	bool restarted;
};

static void list_free(struct list *list)
{
	free(list->path);
	free(list->selector);
	free(list->fields);
	diag_map_free(list->seen);
	free(list);
}

static void end(struct list *list, int code, int status, const char *reason)
{
	list->request.done(list->request.context,
			   &(struct diag_list_end){
				   .code = code,
				   .status = status,
				   .truncated = code != DIAG_OK && list->pages > 0,
				   .reason = reason,
				   .pages = list->pages,
			   });
	list_free(list);
}

static void add_parameter(struct diag_buf *out, const char *name, const char *value)
{
	static const char hex[] = "0123456789ABCDEF";

	diag_buf_printf(out, "&%s=", name);
	for (const unsigned char *p = (const unsigned char *)value; *p; p++) {
		if (strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~",
			   *p)) {
			diag_buf_putc(out, (char)*p);
		} else {
			diag_buf_putc(out, '%');
			diag_buf_putc(out, hex[*p >> 4]);
			diag_buf_putc(out, hex[*p & 15]);
		}
	}
}

static void on_answer(void *context, const struct diag_response *response);

static void ask(struct list *list, const char *token)
{
	const struct diag_list_request *request = &list->request;
	struct diag_buf path diag_buf_auto = { 0 };

	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	diag_buf_printf(&path, "%s?limit=%zu", list->path, request->limit);
	if (list->selector)
		add_parameter(&path, "labelSelector", list->selector);
	if (list->fields)
		add_parameter(&path, "fieldSelector", list->fields);
	if (token)
		add_parameter(&path, "continue", token);
	diag_transport_queue(list->transport, &(struct diag_request){
						      .path = diag_buf_str(&path),
						      .priority = request->priority,
						      .done = on_answer,
						      .context = list,
					      });
}

/* metadata.continue, the caller's; NULL when this was the last page. */
static char *continue_token(struct diag_slice metadata)
{
	json_auto_t *documents = NULL;
	const char *token;

	if (!metadata.bytes || metadata.length > DIAG_MAX_MESSAGE ||
	    diag_json_load(metadata.bytes, metadata.length, NULL, NULL, 0, &documents, NULL) < 0)
		return NULL;
	token = diag_json_str(json_array_get(documents, 0), "continue");
	return token && *token ? diag_xstrdup(token) : NULL;
}

static void on_page(struct list *list, const struct diag_response *response)
{
	diag_autofree char *token = continue_token(response->toplevel.metadata);
	const struct diag_list_request *request = &list->request;

	/* A token that comes twice would never end; the last page is a good one all the same. */
	bool again = token && diag_map_get(list->seen, token);

	list->pages++;
	if (token && !again) {
		diag_map_set(list->seen, token, list);
		ask(list, token);
	}
	request->page(request->context, response->body, response->length);
	if (again)
		end(list, DIAG_E_INVALID, response->status,
		    "the server hands out the same page again and again");
	else if (!token)
		end(list, DIAG_OK, response->status, NULL);
}

/* The token is too old (410): from the start, once. What its Status offers instead would go on with
 * another state of the cluster in the same list. */
static bool restart(struct list *list, const struct diag_response *response)
{
	if (response->status != 410 || list->restarted)
		return false;
	list->restarted = true;
	list->pages = 0;
	diag_map_free(list->seen);
	list->seen = diag_map_new();
	if (list->request.restart)
		list->request.restart(list->request.context);
	ask(list, NULL);
	return true;
}

static void on_answer(void *context, const struct diag_response *response)
{
	struct list *list = context;

	if (response->code == DIAG_OK && !response->toplevel.items.bytes)
		end(list, DIAG_E_PARSE, response->status, "the answer is no list");
	else if (response->code == DIAG_OK)
		on_page(list, response);
	else if (!restart(list, response))
		end(list, response->code, response->status, response->reason);
}

void diag_list_queue(struct diag_transport *transport, const struct diag_list_request *request)
{
	struct list *list = diag_xcalloc(1, sizeof(*list));

	list->transport = transport;
	list->request = *request;
	list->request.limit = request->limit ? request->limit : PAGE;
	list->path = diag_xstrdup(request->path);
	list->selector = diag_xstrdup(request->selector);
	list->fields = diag_xstrdup(request->fields);
	list->seen = diag_map_new();
	ask(list, NULL);
}
