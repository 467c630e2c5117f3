#include "source/live.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "source/live_internal.h"
#include "text/json.h"

static void push_facts(const struct live_loading *loading)
{
	const struct diag_kube_config *config = loading->live->options.config;

	diag_sink_fact(loading->sink, "source", "live");
	diag_sink_fact(loading->sink, "origin", config->context ? config->context : config->server);
	diag_sink_fact(loading->sink, "cluster", config->server);
	if (config->context)
		diag_sink_fact(loading->sink, "context", config->context);
}

/* "context 'x' (https://…)" */
static const char *server_name(const struct live_loading *loading)
{
	const struct diag_kube_config *config = loading->live->options.config;

	if (!config->context)
		return diag_arena_printf(loading->arena, "the API server %s", config->server);
	return diag_arena_printf(loading->arena, "the API server %s (context '%s')", config->server,
				 config->context);
}

static void take_version(struct live_loading *loading, const struct diag_response *response)
{
	json_auto_t *documents = NULL;
	const char *version;

	if (diag_json_load(response->body, response->length, NULL, "/version", 1, &documents,
			   NULL) < 0)
		version = NULL;
	else
		version = diag_json_str(json_array_get(documents, 0), "gitVersion");
	if (version)
		diag_sink_fact(loading->sink, "server-version", version);
	else
		diag_error_set(&loading->err, DIAG_E_PARSE,
			       "%s answers /version with something else than a version; is it a "
			       "Kubernetes API server?",
			       server_name(loading));
}

/* Any answer of an API server has its time; a user who may not ask for the version still has a
 * cluster. */
static void version_done(void *context, const struct diag_response *response)
{
	struct live_loading *loading = context;
	char text[32];

	if (response->code == DIAG_OK)
		take_version(loading, response);
	else if (response->code != DIAG_E_FORBIDDEN)
		diag_error_set(&loading->err, response->code, "%s: %s", server_name(loading),
			       response->reason ? response->reason : "no answer");
	if (!loading->err.code && response->date_ms != DIAG_TIME_NONE)
		diag_sink_fact(loading->sink, "taken",
			       diag_time_format(response->date_ms, text, sizeof(text)));
}

void diag_live_version(struct live_loading *loading)
{
	const struct diag_request request = {
		.path = "/version",
		.max_bytes = DIAG_MIB,
		.done = version_done,
		.context = loading,
	};

	diag_transport_queue(loading->live->transport, &request);
	diag_transport_run(loading->live->transport, NULL);
}

/* Everything that is one list whatever the namespaces: all of it with -A, else cluster scope. */
static void list_cluster(struct live_loading *loading)
{
	bool everywhere = loading->live->options.namespaces == NULL;
	size_t count;
	const struct diag_resource *all = diag_resources(&count);

	for (size_t i = 0; i < count; i++) {
		if (!diag_sink_wants(loading->sink, all[i].name))
			continue;
		/* One namespace needs no list of them all. */
		if (!everywhere && strcmp(all[i].name, "namespaces") == 0)
			continue;
		if (everywhere || !all[i].namespaced)
			diag_live_list(loading, &all[i], NULL);
	}
}

static int load_all(struct live_loading *loading, struct diag_error *err)
{
	struct live *live = loading->live;

	push_facts(loading);
	diag_live_version(loading);
	if (!loading->err.code) {
		list_cluster(loading);
		if (live->options.namespaces)
			diag_live_namespaces(loading);
		diag_transport_run(live->transport, NULL);
	}
	if (!loading->err.code)
		return DIAG_OK;
	return diag_error_set(err, loading->err.code, "%s", loading->err.message);
}

static int load(struct diag_source *source, struct diag_sink *sink, struct diag_error *err)
{
	struct live *live = (struct live *)source;
	struct live_loading loading = { .live = live, .sink = sink, .err = DIAG_ERROR_INIT };
	char requests[32];
	int r;

	loading.arena = diag_arena_new();
	r = load_all(&loading, err);
	snprintf(requests, sizeof(requests), "%zu", diag_transport_requests(live->transport));
	diag_sink_fact(sink, "requests", requests);
	diag_arena_free(loading.arena);
	return r;
}

static void close_live(struct diag_source *source)
{
	struct live *live = (struct live *)source;

	diag_transport_free(live->transport);
	free(live);
}

static const struct diag_source_ops ops = {
	.name = "live",
	.load = load,
	.logs = diag_live_logs,
	.close = close_live,
};

int diag_live_open(const struct diag_live_options *options, struct diag_source **ret_source,
		   struct diag_error *err)
{
	const struct diag_transport_options transport = {
		.request_timeout_ms = options->request_timeout_ms,
		.cancel = options->cancel,
	};
	struct live *live = diag_xcalloc(1, sizeof(*live));
	int r = diag_transport_new(options->config, &transport, &live->transport, err);

	if (r < 0) {
		free(live);
		return r;
	}
	live->source.ops = &ops;
	live->source.cancel = options->cancel;
	live->options = *options;
	if (!live->options.max_logs)
		live->options.max_logs = 200;
	*ret_source = &live->source;
	return DIAG_OK;
}
