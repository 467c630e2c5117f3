/* F77: the module is not part of a claim's name: two of one tier in one world write into one
 * volume. */
#include <string.h>

#include "base/str.h"

#include "checks/storage/storage.h"

/* An earlier workload of the same world and shard with the same claim and another module. */
static const struct bindery_workload *sharer(const struct bindery_prediction *p,
					     const struct bindery_workload *workload)
{
	const struct bindery_workload *other;

	foreach_workload(p, other) {
		if (other == workload)
			return NULL;
		if (other->storage.effective && other->world == workload->world &&
		    diag_str_eq(other->storage.claim, workload->storage.claim))
			return other;
	}
	return NULL;
}

static const char *modes(const struct bindery_workload *workload)
{
	const char *text = bindery_manifest_annotation(workload->storage.member->manifest,
						       "storage-access-modes");

	return text ? text : "ReadWriteOnce";
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *a,
		   const struct bindery_workload *b)
{
	const struct bindery_storage *storage = &b->storage;
	bool differ =
		strcmp(a->storage.size, b->storage.size) != 0 || strcmp(modes(a), modes(b)) != 0;
	struct diag_finding *finding = find_storage_fault(
		ctx, a,
		"%s and %s share one claim, %s: a claim's name holds the tier, not the module%s",
		a->storage.member->module, b->storage.member->module, storage->pvc,
		differ ? "; their sizes or access modes flip" : "");

	if (!differ)
		finding->severity = DIAG_SEVERITY_WARNING;
	finding_about_workload(finding, b);
	diag_finding_related(finding,
			     bindery_ref_manifest(b->namespace_, b->storage.member->module));
	diag_finding_related(finding,
			     diag_ref_make("WorldStorageClaim", b->namespace_, storage->claim));
	diag_finding_related(finding,
			     diag_ref_make("PersistentVolumeClaim", b->namespace_, storage->pvc));
	diag_finding_field(finding, bindery_ref_manifest(a->namespace_, a->storage.member->module),
			   "metadata.annotations", "%s, %s, %s", a->storage.tier, a->storage.size,
			   modes(a));
	diag_finding_field(finding, bindery_ref_manifest(b->namespace_, b->storage.member->module),
			   "metadata.annotations", "%s, %s, %s", b->storage.tier, b->storage.size,
			   modes(b));
	finding_at_annotation(ctx, finding, a->storage.member, "storage-tier");
	diag_finding_edit(finding,
			  "give one of the two the other server tier, or accept sharing and make "
			  "their storage annotations equal");
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p) {
		foreach_workload(p, workload) {
			const struct bindery_workload *other =
				workload->storage.effective && is_first_shard(workload)
					? sharer(p, workload)
					: NULL;

			if (other)
				report(ctx, other, workload);
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(storage_claim_shared) = {
	.id = "storage.claim-shared",
	.title = "No two modules share a claim",
	.fault = "F77",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Two modules write into one volume, or one of them cannot attach it.",
	.hint = "Use different tiers, or share on purpose with equal annotations.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.run = run,
};
