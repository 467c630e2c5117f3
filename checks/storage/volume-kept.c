/* F80: a pod has one volume, known by its name bindery-state only: it is added once and never
 * changed. */
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "text/json.h"

#include "checks/storage/storage.h"

/* The claim behind the real Deployment's volume, or NULL. */
static const char *mounted_claim(const json_t *deployment)
{
	const json_t *volume;
	size_t i;

	json_array_foreach(diag_json_array(deployment, "spec", "template", "spec", "volumes"), i,
			   volume) {
		if (diag_str_eq(diag_json_str(volume, "name"), "bindery-state"))
			return diag_json_str(volume, "persistentVolumeClaim", "claimName");
	}
	return NULL;
}

/* The shards of a world repeat it: one finding names them all. */
struct kept {
	const struct diag_check_ctx *ctx;
	struct diag_map *told; /* world and module -> struct diag_finding */
};

static struct diag_finding *report_kept(const struct diag_check_ctx *ctx,
					const struct bindery_runtime *runtime, const char *claim)
{
	const struct bindery_storage *storage = &runtime->predicted->storage;
	struct diag_ref subject = diag_ref_make("Deployment", runtime->namespace_, runtime->name);
	struct diag_finding *finding =
		diag_check_find(ctx, subject, "%s still mounts %s, although %s asks for %s",
				runtime->name, claim, storage->member->module, storage->mounted);

	if (runtime->predicted->world)
		finding_about_world(finding, runtime->predicted->world);
	diag_finding_related(finding,
			     diag_ref_make("PersistentVolumeClaim", runtime->namespace_, claim));
	diag_finding_related(finding,
			     bindery_ref_manifest(runtime->namespace_, storage->member->module));
	diag_finding_field(finding, subject, "spec.template.spec.volumes", "bindery-state: %s",
			   claim);
	diag_finding_edit(
		finding,
		"delete Deployment %s (its pods stop until it is made again; the claims and "
		"their data stay), then:",
		runtime->name);
	if (storage->member->binding_count)
		finding_poke(finding, "capbind", runtime->namespace_,
			     storage->member->bindings[0]->name);
	return finding;
}

static void add_kept(struct kept *kept, const struct bindery_runtime *runtime, const char *claim)
{
	const struct bindery_workload *predicted = runtime->predicted;
	struct diag_buf key diag_buf_auto = { 0 };
	struct diag_finding *finding;

	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	diag_buf_printf(&key, "%s/%s/%s", runtime->namespace_,
			predicted->world ? predicted->world->name : "",
			predicted->storage.member->module);
	finding = diag_map_get(kept->told, diag_buf_str(&key));
	if (!finding) {
		finding = report_kept(kept->ctx, runtime, claim);
		diag_map_set(kept->told, diag_buf_str(&key), finding);
	}
	diag_finding_at(finding, "workload", runtime->namespace_, runtime->name);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", runtime->namespace_, runtime->name));
}

static void check_runtime(struct kept *kept, const struct bindery_runtime *runtime)
{
	const struct bindery_workload *predicted = runtime->predicted;
	const char *claim = mounted_claim(runtime->real->deployment);

	/* With F77 two modules agree on one claim, with F43 two worlds on one Deployment. */
	if (predicted && !predicted->contested && predicted->storage.effective && claim &&
	    !diag_str_eq(claim, predicted->storage.mounted))
		add_kept(kept, runtime, claim);
}

static void report_group(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
			 const struct bindery_member *first, const struct bindery_member *member)
{
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_booklet(workload->world),
		"%s and %s ask for storage and share a pod (group %s), which has one volume: both see "
		"%s",
		first->module, member->module, workload->group, workload->storage.mounted);

	diag_finding_discriminate(finding, workload->group);
	finding_about_world(finding, workload->world);
	diag_finding_related(finding, bindery_ref_manifest(workload->namespace_, first->module));
	diag_finding_related(finding, bindery_ref_manifest(workload->namespace_, member->module));
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	diag_finding_note(finding, "%s: tier %s; %s: tier %s", first->module, first->storage.tier,
			  member->module, member->storage.tier);
	finding_at_annotation(ctx, finding, member, "storage-tier");
	diag_finding_edit(finding, "take one of the two out of group %s", workload->group);
}

/* The first two members with storage. */
static void check_group(const struct diag_check_ctx *ctx, const struct bindery_workload *workload)
{
	const struct bindery_member *first = NULL;

	for (size_t i = 0; i < workload->member_count; i++) {
		const struct bindery_member *member = &workload->members[i];

		if (!member->storage.effective)
			continue;
		if (first) {
			report_group(ctx, workload, first, member);
			return;
		}
		first = member;
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;
	const struct bindery_runtime *runtime;
	diag_map_auto struct diag_map *told = diag_map_new();
	struct kept kept = { ctx, told };

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			if (workload->strategy == BINDERY_GROUP_POD && is_first_shard(workload))
				check_group(ctx, workload);
	foreach_runtime(ctx, runtime)
		check_runtime(&kept, runtime);
	return DIAG_OK;
}

DIAG_CHECK(storage_volume_kept) = {
	.id = "storage.volume-kept",
	.title = "Pods mount the volume of their own module",
	.fault = "F80",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module sees another module's data, or its old one.",
	.hint = "Delete the Deployment and annotate its binding; keep one module with storage in a Pod "
		"group.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("deployments.apps", "realms.bindery.platform"),
	.run = run,
};
