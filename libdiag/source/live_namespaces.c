/*
 * Reading a few namespaces instead of all: each of them, whether it exists, and the operator's.
 * What may not be seen there takes nothing from the answer for the others.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "source/live_internal.h"
#include "text/json.h"

struct one_namespace {
	struct live_loading *loading;
	const char *name;
	bool subject; /* asked for by the user */
};

static const struct diag_resource *namespaces(void)
{
	return diag_resource_by_name("namespaces");
}

static bool is_subject(const struct live *live, const char *name)
{
	for (const char *const *asked = live->options.namespaces; *asked; asked++)
		if (strcmp(*asked, name) == 0)
			return true;
	return false;
}

/* A namespace that does not exist ends the load; which one was meant, the list may tell. */
static void names_done(void *context, const struct diag_response *response)
{
	const struct one_namespace *asked = context;
	json_auto_t *documents = NULL;
	const json_t *items;
	size_t count;

	if (response->code != DIAG_OK ||
	    diag_json_load(response->body, response->length, NULL, "", 1, &documents, NULL) < 0)
		return;
	items = diag_json_array(json_array_get(documents, 0), "items");
	count = json_array_size(items);
	diag_autofree const char **names = diag_xcalloc(count, sizeof(*names));
	for (size_t i = 0; i < count; i++)
		names[i] = diag_json_str(json_array_get(items, i), "metadata", "name");
	const char *nearest = diag_str_nearest(asked->name, names, count);
	if (nearest)
		diag_error_set(&asked->loading->err, DIAG_E_NOT_FOUND,
			       "namespace '%s' does not exist; did you mean '%s'?", asked->name,
			       nearest);
}

static void no_such_namespace(struct one_namespace *asked)
{
	const struct diag_request request = {
		.path = "/api/v1/namespaces",
		.priority = 1,
		.done = names_done,
		.context = asked,
	};

	if (asked->loading->err.code)
		return;
	diag_error_set(&asked->loading->err, DIAG_E_NOT_FOUND, "namespace '%s' does not exist",
		       asked->name);
	diag_transport_queue(asked->loading->live->transport, &request);
}

static void push_namespace(const struct one_namespace *asked, const struct diag_response *response)
{
	struct diag_error err = DIAG_ERROR_INIT;
	const struct diag_page page = {
		.resource = namespaces()->name,
		.file = diag_arena_printf(asked->loading->arena, "/api/v1/namespaces/%s",
					  asked->name),
		.bytes = response->body,
		.length = response->length,
	};

	if (diag_sink_page(asked->loading->sink, &page, &err) < 0)
		diag_sink_state(asked->loading->sink, namespaces()->name, NULL, DIAG_FAILED,
				err.message);
}

/* The state is told for the namespace, which says what right is missing, and for the kind, unless
 * another namespace could be read. */
static void namespace_done(void *context, const struct diag_response *response)
{
	struct one_namespace *asked = context;
	struct diag_sink *sink = asked->loading->sink;

	if (response->code == DIAG_OK) {
		if (diag_sink_wants(sink, namespaces()->name))
			push_namespace(asked, response);
		return;
	}
	if (!asked->subject)
		return;
	if (response->status == 404) {
		no_such_namespace(asked);
		return;
	}
	diag_sink_state(sink, namespaces()->name, NULL, diag_live_state(response->code),
			response->reason);
	diag_sink_state(sink, namespaces()->name, asked->name, diag_live_state(response->code),
			response->reason);
}

static void get_namespace(struct live_loading *loading, const char *name, bool subject)
{
	struct one_namespace *asked = diag_arena_alloc(loading->arena, sizeof(*asked));
	const struct diag_request request = {
		.path = diag_arena_printf(loading->arena, "/api/v1/namespaces/%s", name),
		.priority = 1,
		.done = namespace_done,
		.context = asked,
	};

	*asked =
		(struct one_namespace){ loading, diag_arena_strdup(loading->arena, name), subject };
	diag_transport_queue(loading->live->transport, &request);
}

static void list_subject(struct live_loading *loading, const char *name)
{
	size_t count;
	const struct diag_resource *all = diag_resources(&count);

	get_namespace(loading, name, true);
	for (size_t i = 0; i < count; i++)
		if (all[i].namespaced && diag_sink_wants(loading->sink, all[i].name))
			diag_live_list(loading, &all[i], name);
}

/* The platform's own objects that stand there are nobody's subject. */
static void list_operator(struct live_loading *loading, const char *name)
{
	size_t count;
	const struct diag_resource *all = diag_resources(&count);

	diag_sink_fact(loading->sink, "operator-namespace", name);
	if (is_subject(loading->live, name))
		return;
	name = diag_arena_strdup(loading->arena, name);
	get_namespace(loading, name, false);
	for (size_t i = 0; i < count; i++)
		if (all[i].namespaced && !diag_live_is_domain(loading->live, &all[i]) &&
		    diag_sink_wants(loading->sink, all[i].name))
			diag_live_list(loading, &all[i], name);
}

static const char *namespace_of_operator(const struct live *live, const json_t *list)
{
	json_t *deployment;
	size_t i;

	json_array_foreach(diag_json_array(list, "items"), i, deployment) {
		const char *namespace_ = diag_json_str(deployment, "metadata", "namespace");

		if (namespace_ && live->options.domain->is_operator(deployment))
			return namespace_;
	}
	return NULL;
}

/* A search only: who may not search looks where the chart puts it. */
static void search_done(void *context, const struct diag_response *response)
{
	struct live_loading *loading = context;
	const char *found = NULL;
	json_auto_t *documents = NULL;

	if (response->code == DIAG_OK &&
	    diag_json_load(response->body, response->length, NULL, "", 1, &documents, NULL) == 0)
		found = namespace_of_operator(loading->live, json_array_get(documents, 0));
	if (response->code != DIAG_E_CANCELLED)
		list_operator(loading,
			      found ? found : loading->live->options.domain->operator_namespace);
}

/* '=' and ',' are the only characters of our selectors that a query cannot hold as they are. */
static const char *query_of(struct diag_arena *arena, const char *selector)
{
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	for (; *selector; selector++) {
		if (strchr("=,", *selector))
			diag_buf_printf(&text, "%%%02X", (unsigned char)*selector);
		else
			diag_buf_putc(&text, *selector);
	}
	return diag_arena_strdup(arena, diag_buf_str(&text));
}

static void find_operator(struct live_loading *loading)
{
	const struct live *live = loading->live;
	const struct diag_request request = {
		.path = diag_arena_printf(
			loading->arena, "/apis/apps/v1/deployments?labelSelector=%s&limit=500",
			query_of(loading->arena, live->options.domain->operator_selector)),
		.priority = 1,
		.done = search_done,
		.context = loading,
	};

	if (live->options.operator_namespace)
		list_operator(loading, live->options.operator_namespace);
	else
		diag_transport_queue(live->transport, &request);
}

void diag_live_namespaces(struct live_loading *loading)
{
	find_operator(loading);
	for (const char *const *name = loading->live->options.namespaces; *name; name++)
		list_subject(loading, *name);
}
