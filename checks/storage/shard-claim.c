/* F76: storage-scope world-shard on a module that runs once: the claim names an empty shard and is
 * refused. */
#include "checks/storage/storage.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload)
{
	const struct bindery_member *member = workload->storage.member;
	struct diag_finding *finding = find_storage_fault(
		ctx, workload,
		"%s runs once for the world with storage-scope world-shard: its claim is "
		"refused, and no Service or Deployment is made",
		member->module);

	diag_finding_field(finding, finding->subject, "metadata.annotations",
			   "bindery.dev/storage-scope: world-shard");
	finding_at_annotation(ctx, finding, member, "storage-scope");
	diag_finding_edit(finding,
			  "set bindery.dev/storage-scope of ModuleManifest %s to world; then:",
			  member->module);
	finding_poke(finding, "capbind", workload->namespace_, member->bindings[0]->name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p)
		for (size_t i = 0; i < p->refusal_count; i++)
			if (p->refusals[i].rule == BINDERY_REFUSED_CLAIM)
				report(ctx, p->refusals[i].workload);
	return DIAG_OK;
}

DIAG_CHECK(storage_shard_claim) = {
	.id = "storage.shard-claim",
	.title = "Only modules that run per shard ask for storage per shard",
	.fault = "F76",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module gets neither Service nor Deployment.",
	.hint = "Use storage-scope world.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.run = run,
};
