#include "checks/environment/dependencies.h"

#include <stdarg.h>

#include "base/arena.h"

bool is_injected(const struct bindery_binding *dependency)
{
	return dependency->member && !dependency->refused && !dependency->member->refused;
}

void each_consumer(const struct diag_check_ctx *ctx,
		   void (*check)(const struct diag_check_ctx *ctx,
				 const struct bindery_workload *workload,
				 const struct bindery_member *member))
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			for (size_t i = 0; workload->shard <= 0 && i < workload->member_count; i++)
				check(ctx, workload, &workload->members[i]);
}

struct diag_finding *find_environment_fault(const struct diag_check_ctx *ctx,
					    const struct bindery_workload *workload,
					    const struct bindery_member *member,
					    const struct bindery_binding *dependency,
					    const char *format, ...)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	struct diag_finding *finding;
	va_list args;

	va_start(args, format);
	finding = diag_check_find(ctx, bindery_ref_manifest(workload->namespace_, member->module),
				  "%s", diag_arena_vprintf(arena, format, args));
	va_end(args);
	diag_finding_discriminate(
		finding, diag_arena_printf(arena, "%s/%s", workload->name, dependency->capability));
	if (workload->world)
		finding_about_world(finding, workload->world);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	if (dependency->desired && dependency->desired->requirement)
		diag_finding_at_line(
			finding, diag_snapshot_position_self(
					 ctx->snapshot, dependency->desired->requirement->entry));
	finding_at_spec(ctx, finding, member->manifest, "requires");
	return finding;
}
