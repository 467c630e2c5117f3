/* What the parts of reading a cluster share during one load. */
#pragma once

#include "base/arena.h"
#include "kube/list.h"
#include "kube/transport.h"
#include "model/resource.h"
#include "source/live.h"

struct live {
	struct diag_source source; /* first */
	struct diag_live_options options;
	struct diag_transport *transport; /* lives as long as the source: so do its connections */
};

/* Whether the API server knows the domain's group; asked when a kind of it is not found. */
enum live_group {
	LIVE_GROUP_UNASKED,
	LIVE_GROUP_ASKED,
	LIVE_GROUP_ABSENT,  /* no definition at all */
	LIVE_GROUP_SERVED,  /* in the version we read: only this kind is not there */
	LIVE_GROUP_OTHER,   /* in other versions only */
	LIVE_GROUP_UNKNOWN, /* no answer */
};

struct live_list {
	struct live_loading *loading;
	const struct diag_resource *resource;
	const char *namespace_;
	const char *path;
	size_t pages;
	bool restarted;
	struct diag_error broken; /* a page that is none */
	struct live_list *next;   /* of those that wait for the group */
};

struct live_loading {
	struct live *live;
	struct diag_sink *sink;
	struct diag_arena *arena;
	struct diag_error err; /* what ends the load */
	enum live_group group;
	const char *group_says; /* the versions, or why there is no answer */
	struct live_list *waiting;
};

/** The path of a list; `namespace_` NULL for all. In the arena. */
const char *diag_live_path(struct diag_arena *arena, const struct diag_resource *resource,
			   const char *namespace_);

/** Whether a resource is of the domain's group. */
bool diag_live_is_domain(const struct live *live, const struct diag_resource *resource);

/** Queue one list. Its pages and its state go to the sink. */
void diag_live_list(struct live_loading *loading, const struct diag_resource *resource,
		    const char *namespace_);

/** Ask for the server's version and time; pushes both as facts, or sets `loading->err`. */
void diag_live_version(struct live_loading *loading);

/** Queue whatever belongs to the namespaces asked for: they themselves, their lists, the
 * operator's. */
void diag_live_namespaces(struct live_loading *loading);

/** The state of an answer that is not a list. */
enum diag_availability diag_live_state(int code);

/** As diag_source_logs(). */
int diag_live_logs(struct diag_source *source, const struct diag_snapshot *snapshot,
		   struct diag_sink *sink, struct diag_error *err);
