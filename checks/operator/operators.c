#include "checks/operator/operators.h"

#include <stdarg.h>
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "bindery/operator.h"
#include "text/json.h"

struct diag_finding *find_operator_fault(const struct diag_check_ctx *ctx, const json_t *deployment,
					 const char *format, ...)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	const struct bindery_prediction *p;
	const struct bindery_world *world;
	struct diag_finding *finding;
	va_list args;

	va_start(args, format);
	finding = diag_check_find(ctx, diag_ref_of(deployment), "%s",
				  diag_arena_vprintf(arena, format, args));
	va_end(args);
	diag_finding_at(finding, "operator", NULL, "operator");
	diag_finding_needs(finding, "operator", NULL, "operator");
	foreach_prediction(ctx, p)
		foreach_world(p, world)
			diag_finding_at(finding, "world", world->namespace_, world->name);
	return finding;
}

const json_t *operator_pod(const struct diag_check_ctx *ctx)
{
	struct diag_ref ref = diag_ref_of(bindery_operator(ctx->snapshot));
	const struct diag_workload *workload =
		diag_workloads_get(view_of(ctx)->workloads, ref.namespace_, ref.name);

	if (!workload)
		return NULL;
	return workload->pod_count ? workload->pods[0] : NULL;
}

/* The last line that contains the text. */
static const char *last_with(const char *log, const char *text, size_t *ret_length)
{
	const char *found = NULL, *at = log;
	const char *start;

	while (at && (at = strstr(at, text)))
		found = at++;
	if (!found)
		return NULL;
	for (start = found; start > log && start[-1] != '\n'; start--)
		;
	*ret_length = strcspn(start, "\n");
	return skip_stamp(start, ret_length);
}

bool finding_operator_log(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			  const char *text)
{
	const json_t *pod = operator_pod(ctx);
	struct diag_ref ref = diag_ref_of(pod);

	for (int previous = 0; pod && previous < 2; previous++) {
		size_t length;
		const char *line = last_with(diag_snapshot_log(ctx->snapshot, ref.namespace_,
							       ref.name, "manager", previous),
					     text, &length);

		if (!line)
			continue;
		if (finding)
			diag_finding_log(finding, ref, "manager", line,
					 DIAG_MIN(length, (size_t)1000));
		return true;
	}
	return false;
}
