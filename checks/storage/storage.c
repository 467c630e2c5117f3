#include "checks/storage/storage.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/arena.h"
#include "text/json.h"

struct diag_finding *find_storage_fault(const struct diag_check_ctx *ctx,
					const struct bindery_workload *workload, const char *format,
					...)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	const struct bindery_member *member = workload->storage.member;
	struct diag_finding *finding;
	va_list args;

	va_start(args, format);
	finding = diag_check_find(ctx, bindery_ref_manifest(workload->namespace_, member->module),
				  "%s", diag_arena_vprintf(arena, format, args));
	va_end(args);
	finding_about_workload(finding, workload);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	if (workload->world) {
		diag_finding_discriminate(finding, workload->world->name);
		diag_finding_related(finding, bindery_ref_world(workload->world));
	}
	if (workload->storage.mounted)
		diag_finding_at(finding, "pvc", workload->namespace_, workload->storage.mounted);
	return finding;
}

void finding_about_all_shards(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			      const struct bindery_workload *workload)
{
	const struct bindery_prediction *p =
		bindery_view_prediction(view_of(ctx), workload->namespace_);
	const json_t *manifest = workload->storage.member->manifest;
	const struct bindery_workload *other;

	foreach_workload(p, other)
		if (other->world == workload->world && other->storage.effective &&
		    other->storage.member->manifest == manifest)
			diag_finding_at(finding, "pvc", other->namespace_, other->storage.mounted);
}

bool is_first_shard(const struct bindery_workload *workload)
{
	return workload->shard <= 0;
}

void finding_at_annotation(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			   const struct bindery_member *member, const char *name)
{
	const json_t *annotations = diag_json_object(member->manifest, "metadata", "annotations");
	char key[128];

	snprintf(key, sizeof(key), "bindery.dev/%s", name);
	if (annotations)
		diag_finding_at_line(finding,
				     diag_snapshot_position_key(ctx->snapshot, annotations, key));
	finding_at_spec(ctx, finding, member->manifest, NULL);
}
