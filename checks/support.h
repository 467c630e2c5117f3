/* What several checks of this folder share; nothing here finds anything. */
#pragma once

#include "bindery/view.h"
#include "check/check.h"

/* The view that the check set prepared. */
static inline const struct bindery_view *view_of(const struct diag_check_ctx *ctx)
{
	return ctx->domain;
}

/* Iterate over the predictions of all subject namespaces, and over their worlds. */
#define foreach_prediction(ctx, p)                                                                 \
	for (size_t p_i_ = 0; p_i_ < view_of(ctx)->prediction_count &&                             \
			      ((p) = view_of(ctx)->predictions[p_i_], true);                       \
	     p_i_++)

/* `item` walks over an array that may be empty, NULL then. */
#define foreach_item(item, items, count)                                                           \
	for (size_t item##_i_ = 0; item##_i_ < (count) && ((item) = &(items)[item##_i_], true);    \
	     item##_i_++)

#define foreach_world(p, world)       foreach_item(world, (p)->worlds, (p)->world_count)
#define foreach_binding(p, binding)   foreach_item(binding, (p)->bindings, (p)->binding_count)
#define foreach_workload(p, workload) foreach_item(workload, (p)->workloads, (p)->workload_count)
#define foreach_runtime(ctx, runtime)                                                              \
	foreach_item(runtime, view_of(ctx)->runtimes, view_of(ctx)->runtime_count)

/** Call `check` for every world that the resolver gets to the end of and that is not being deleted.
 */
void each_resolved_world(const struct diag_check_ctx *ctx,
			 void (*check)(const struct diag_check_ctx *ctx,
				       const struct bindery_prediction *p,
				       const struct bindery_world *world));

/** The finding is about this world, and names it as related. */
void finding_about_world(struct diag_finding *finding, const struct bindery_world *world);

/** The finding is about this workload, its Services and its world. */
void finding_about_workload(struct diag_finding *finding, const struct bindery_workload *workload);

/** Command: give an annotation a new value, so that the operator looks at the object again. */
void finding_poke(struct diag_finding *finding, const char *resource, const char *namespace_,
		  const char *name);

/** File and line of `object.spec[key]`, or of the object itself. */
void finding_at_spec(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		     const json_t *object, const char *key);

/** Names of objects of a resource in one namespace; `ret_names` is the caller's to free, names
 * borrowed. */
size_t names_in(const struct diag_check_ctx *ctx, const char *resource, const char *namespace_,
		const char ***ret_names);

/** The name among those that is most like `name`, or NULL; borrowed. */
const char *nearest_name(const struct diag_check_ctx *ctx, const char *resource,
			 const char *namespace_, const char *name);

/** The newest event about an object with one of these reasons and, if given, this text; or NULL. */
const json_t *newest_event(const struct diag_check_ctx *ctx, struct diag_ref about,
			   const char *reason, const char *text);

/** The last line of a log that is not blank, and its length; NULL when there is none. */
const char *last_line(const char *log, size_t *ret_length);

/** Skip the RFC 3339 stamp that the kubelet puts before a line when asked for timestamps. */
const char *skip_stamp(const char *line, size_t *length);
