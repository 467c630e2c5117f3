/* One list of the API server, page by page into the sink, and what is known of it at the end. */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "source/live_internal.h"
#include "text/json.h"

/* "v1" is served below /api, "group/version" below /apis. */
const char *diag_live_path(struct diag_arena *arena, const struct diag_resource *resource,
			   const char *namespace_)
{
	int plural = (int)strcspn(resource->name, ".");

	return diag_arena_printf(arena, "%s/%s%s%s/%.*s",
				 strchr(resource->api_version, '/') ? "/apis" : "/api",
				 resource->api_version, namespace_ ? "/namespaces/" : "",
				 namespace_ ? namespace_ : "", plural, resource->name);
}

bool diag_live_is_domain(const struct live *live, const struct diag_resource *resource)
{
	const char *group = live->options.domain->group;

	return diag_str_starts(resource->api_version, group) &&
	       resource->api_version[strlen(group)] == '/';
}

enum diag_availability diag_live_state(int code)
{
	return code == DIAG_E_FORBIDDEN ? DIAG_FORBIDDEN : DIAG_FAILED;
}

static void set_state(const struct live_list *list, enum diag_availability state,
		      const char *reason)
{
	diag_sink_state(list->loading->sink, list->resource->name, list->namespace_, state, reason);
}

/*
 * A gateway may answer 200 with anything, and anything that is no list would read as an empty one.
 * The API server writes compact JSON, custom resources with the kind behind the items.
 */
static bool is_list_of(const struct diag_resource *resource, const char *bytes, size_t length)
{
	for (int spaced = 0; spaced < 2; spaced++) {
		struct diag_buf wanted diag_buf_auto = { 0 };

		diag_buf_init(&wanted, DIAG_MAX_MESSAGE);
		diag_buf_printf(&wanted, "\"kind\":%s\"%sList\"", spaced ? " " : "",
				resource->kind);
		if (memmem(bytes, length, diag_buf_str(&wanted), wanted.length))
			return true;
	}
	return false;
}

static void page_came(void *context, const char *bytes, size_t length)
{
	struct live_list *list = context;
	const struct diag_page page = {
		.resource = list->resource->name,
		.namespace_ = list->namespace_,
		.file = list->path,
		.bytes = bytes,
		.length = length,
		.format = DIAG_PAGE_JSON,
	};

	if (list->broken.code)
		return;
	if (!is_list_of(list->resource, bytes, length))
		diag_error_set(&list->broken, DIAG_E_PARSE, "the answer is no %sList",
			       list->resource->kind);
	else if (diag_sink_page(list->loading->sink, &page, &list->broken) == 0)
		list->pages++;
}

static void begin_again(void *context)
{
	struct live_list *list = context;

	list->restarted = true;
	list->pages = 0;
}

/* Not found: what that means depends on whether the group is there. */
static void decide_absent(const struct live_list *list)
{
	const struct live_loading *loading = list->loading;
	const struct diag_resource *resource = list->resource;

	if (loading->group == LIVE_GROUP_OTHER)
		set_state(list, DIAG_FAILED,
			  diag_arena_printf(loading->arena,
					    "the cluster serves %s in %s, not in the version %s",
					    loading->live->options.domain->group,
					    loading->group_says, resource->api_version));
	else if (loading->group == LIVE_GROUP_UNKNOWN)
		set_state(list, DIAG_FAILED,
			  diag_arena_printf(loading->arena,
					    "not found, and whether the group is served cannot be "
					    "told: %s",
					    loading->group_says));
	else
		set_state(list, DIAG_EMPTY,
			  diag_arena_printf(loading->arena, "no CRD named %s", resource->name));
}

/* The versions of an APIGroup, as text; `wanted` is one of them or not. */
static const char *read_versions(struct diag_arena *arena, const json_t *group, const char *wanted,
				 bool *ret_has)
{
	struct diag_buf text diag_buf_auto = { 0 };
	json_t *version;
	size_t i;

	*ret_has = false;
	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	json_array_foreach(diag_json_array(group, "versions"), i, version) {
		const char *name = diag_json_str(version, "groupVersion");

		if (!name)
			continue;
		diag_buf_printf(&text, "%s%s", text.length ? ", " : "", name);
		*ret_has |= strcmp(name, wanted) == 0;
	}
	return text.length ? diag_arena_strdup(arena, diag_buf_str(&text)) : NULL;
}

static void judge_group(struct live_loading *loading, const struct diag_response *response,
			const char *wanted)
{
	json_auto_t *documents = NULL;
	bool has = false;

	loading->group = LIVE_GROUP_UNKNOWN;
	loading->group_says = diag_arena_strdup(loading->arena, response->reason);
	if (response->status == 404) {
		loading->group = LIVE_GROUP_ABSENT;
	} else if (response->code == DIAG_OK &&
		   diag_json_load(response->body, response->length, NULL, "/apis", 1, &documents,
				  NULL) == 0) {
		loading->group_says =
			read_versions(loading->arena, json_array_get(documents, 0), wanted, &has);
		if (loading->group_says)
			loading->group = has ? LIVE_GROUP_SERVED : LIVE_GROUP_OTHER;
	}
	if (!loading->group_says)
		loading->group_says = "no answer that can be read";
}

static void group_done(void *context, const struct diag_response *response)
{
	struct live_loading *loading = context;

	judge_group(loading, response, loading->waiting->resource->api_version);
	for (const struct live_list *list = loading->waiting; list; list = list->next)
		decide_absent(list);
	loading->waiting = NULL;
}

static void ask_group(struct live_loading *loading)
{
	const struct diag_request request = {
		.path = diag_arena_printf(loading->arena, "/apis/%s",
					  loading->live->options.domain->group),
		.max_bytes = DIAG_MIB,
		.done = group_done,
		.context = loading,
	};

	loading->group = LIVE_GROUP_ASKED;
	diag_transport_queue(loading->live->transport, &request);
}

static void not_served(struct live_list *list)
{
	struct live_loading *loading = list->loading;

	if (!diag_live_is_domain(loading->live, list->resource)) {
		set_state(list, DIAG_EMPTY,
			  diag_arena_printf(loading->arena, "the cluster does not serve %s",
					    list->resource->name));
		return;
	}
	if (loading->group > LIVE_GROUP_ASKED) {
		decide_absent(list);
		return;
	}
	list->next = loading->waiting;
	loading->waiting = list;
	if (loading->group == LIVE_GROUP_UNASKED)
		ask_group(loading);
}

/* The pages have set the state of a list that came whole. */
static void list_done(void *context, const struct diag_list_end *end)
{
	struct live_list *list = context;
	const char *reason = list->broken.code ? list->broken.message : end->reason;

	if (end->code == DIAG_OK && !list->broken.code && list->pages) {
		if (list->restarted)
			set_state(list, DIAG_AVAILABLE,
				  "the list had to begin again while it changed; it may hold what "
				  "was deleted meanwhile");
		return;
	}
	if (end->status == 404 && !list->pages && !list->restarted)
		not_served(list);
	else
		set_state(list,
			  list->pages || end->truncated ? DIAG_TRUNCATED
							: diag_live_state(end->code),
			  reason ? reason : "no list came");
}

void diag_live_list(struct live_loading *loading, const struct diag_resource *resource,
		    const char *namespace_)
{
	struct live_list *list = diag_arena_alloc(loading->arena, sizeof(*list));
	const struct diag_list_request request = {
		.path = diag_live_path(loading->arena, resource, namespace_),
		.limit = loading->live->options.page,
		.page = page_came,
		.restart = begin_again,
		.done = list_done,
		.context = list,
	};

	*list = (struct live_list){
		.loading = loading,
		.resource = resource,
		.namespace_ = namespace_,
		.path = request.path,
		.broken = DIAG_ERROR_INIT,
	};
	diag_list_queue(loading->live->transport, &request);
}
