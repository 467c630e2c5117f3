/* F72: the size of a module's storage is no quantity. */
#include "text/quantity.h"

#include "checks/storage/storage.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload)
{
	const struct bindery_storage *storage = &workload->storage;
	const struct bindery_member *member = workload->storage.member;
	struct diag_finding *finding = find_storage_fault(
		ctx, workload,
		"%s asks for storage of size '%s', which is no quantity: no volume is made",
		member->module, storage->size);

	finding_about_all_shards(ctx, finding, workload);
	diag_finding_related(
		finding, diag_ref_make("WorldStorageClaim", workload->namespace_, storage->claim));
	diag_finding_field(finding, finding->subject, "metadata.annotations",
			   "bindery.dev/storage-size: %s", storage->size);
	finding_at_annotation(ctx, finding, member, "storage-size");
	diag_finding_edit(finding,
			  "write bindery.dev/storage-size of ModuleManifest %s as a quantity "
			  "such as 10Gi; then:",
			  member->module);
	finding_poke(finding, "capbind", workload->namespace_, member->bindings[0]->name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			if (workload->storage.effective && is_first_shard(workload) &&
			    !diag_quantity_is_valid(workload->storage.size))
				report(ctx, workload);
	return DIAG_OK;
}

DIAG_CHECK(storage_size_invalid) = {
	.id = "storage.size-invalid",
	.title = "Sizes of storage are quantities",
	.fault = "F72",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "No volume is made, and the pod cannot be scheduled.",
	.hint = "Write a Kubernetes quantity.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.run = run,
};
