/* F75: storage-scope world on a sharded module: the pod mounts one name, the volume gets another.
 */
#include "base/str.h"

#include "checks/storage/storage.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload)
{
	const struct bindery_storage *storage = &workload->storage;
	const struct bindery_member *member = workload->storage.member;
	struct diag_finding *finding = find_storage_fault(
		ctx, workload,
		"%s runs per shard with storage-scope %s: its pods mount %s, but the claim "
		"is made as %s",
		member->module, storage->scope, storage->mounted, storage->pvc);

	finding_about_all_shards(ctx, finding, workload);
	diag_finding_related(finding, diag_ref_make("PersistentVolumeClaim", workload->namespace_,
						    storage->pvc));
	diag_finding_field(finding, finding->subject, "metadata.annotations",
			   "bindery.dev/storage-scope: %s", storage->scope);
	finding_at_annotation(ctx, finding, member, "storage-scope");
	diag_finding_edit(finding,
			  "set bindery.dev/storage-scope of ModuleManifest %s to world-shard; "
			  "then:",
			  member->module);
	finding_poke(finding, "capbind", workload->namespace_, member->bindings[0]->name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			if (workload->storage.effective && workload->shard == 0 &&
			    !diag_str_eq(workload->storage.pvc, workload->storage.mounted))
				report(ctx, workload);
	return DIAG_OK;
}

DIAG_CHECK(storage_name_mismatch) = {
	.id = "storage.name-mismatch",
	.title = "Pods mount the claim that is made",
	.fault = "F75",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The pods of the shards cannot be scheduled: their claim does not exist.",
	.hint = "Use storage-scope world-shard on a module that runs per shard.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.run = run,
};
