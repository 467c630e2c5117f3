#include "checks/support.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "model/event.h"
#include "text/json.h"

void each_resolved_world(const struct diag_check_ctx *ctx,
			 void (*check)(const struct diag_check_ctx *ctx,
				       const struct bindery_prediction *p,
				       const struct bindery_world *world))
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p)
		foreach_world(p, world)
			if (world->resolution && !bindery_is_deleting(world->object))
				check(ctx, p, world);
}

void finding_about_world(struct diag_finding *finding, const struct bindery_world *world)
{
	diag_finding_at(finding, "world", world->namespace_, world->name);
	diag_finding_related(finding, bindery_ref_world(world));
}

void finding_about_workload(struct diag_finding *finding, const struct bindery_workload *workload)
{
	diag_finding_at(finding, "workload", workload->namespace_, workload->name);
	for (size_t i = 0; i < workload->member_count; i++)
		diag_finding_at(finding, "service", workload->namespace_,
				workload->members[i].service);
	if (workload->world)
		diag_finding_at(finding, "world", workload->namespace_, workload->world->name);
}

void finding_poke(struct diag_finding *finding, const char *resource, const char *namespace_,
		  const char *name)
{
	diag_finding_command(finding, "kubectl", "-n", namespace_, "annotate", resource, name,
			     diag_finding_new_poke, "--overwrite", NULL);
}

void finding_at_spec(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		     const json_t *object, const char *key)
{
	const json_t *spec = json_object_get(object, "spec");

	if (spec && key)
		diag_finding_at_line(finding, diag_snapshot_position_key(ctx->snapshot, spec, key));
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, object));
}

size_t names_in(const struct diag_check_ctx *ctx, const char *resource, const char *namespace_,
		const char ***ret_names)
{
	const json_t *list = diag_snapshot_list(ctx->snapshot, resource), *object;
	const char **names = diag_xcalloc(json_array_size(list), sizeof(*names));
	size_t count = 0, i;

	json_array_foreach(list, i, object) {
		if (diag_str_eq(diag_json_str(object, "metadata", "namespace"), namespace_))
			names[count++] = diag_ref_of(object).name;
	}
	*ret_names = names;
	return count;
}

const char *nearest_name(const struct diag_check_ctx *ctx, const char *resource,
			 const char *namespace_, const char *name)
{
	const char **names;
	size_t count = names_in(ctx, resource, namespace_, &names);
	const char *nearest = diag_str_nearest(name, names, count);

	free(names);
	return nearest;
}

const json_t *newest_event(const struct diag_check_ctx *ctx, struct diag_ref about,
			   const char *reason, const char *text)
{
	const json_t *event, *newest = NULL;
	size_t i;

	json_array_foreach(bindery_view_events(view_of(ctx), about), i, event) {
		if (!diag_str_eq(diag_event_reason(event), reason) ||
		    (text && !strstr(diag_event_message(event), text)))
			continue;
		if (!newest || diag_event_time(event) > diag_event_time(newest))
			newest = event;
	}
	return newest;
}

const char *last_line(const char *log, size_t *ret_length)
{
	size_t end = log ? strlen(log) : 0, start;

	while (end && strchr("\n\r\t ", log[end - 1]))
		end--;
	if (!end)
		return NULL;
	for (start = end; start && log[start - 1] != '\n'; start--)
		;
	*ret_length = end - start;
	return skip_stamp(log + start, ret_length);
}

const char *skip_stamp(const char *line, size_t *length)
{
	const char *space = memchr(line, ' ', *length);
	size_t stamp = space ? (size_t)(space - line) : 0;
	char text[64];

	if (stamp < 20 || stamp >= sizeof(text))
		return line;
	memcpy(text, line, stamp);
	text[stamp] = '\0';
	if (diag_time_parse(text) == DIAG_TIME_NONE)
		return line;
	*length -= stamp + 1;
	return space + 1;
}
