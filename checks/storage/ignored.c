/* F79: only two tiers, and only workloads that are not shared, get a claim. */
#include "base/str.h"
#include "text/json.h"

#include "checks/storage/storage.h"

/* Annotations that mean nothing without a tier. */
static const char *lone_annotation(const json_t *manifest)
{
	static const char *const names[] = { "storage-size", "storage-scope",
					     "storage-access-modes", "storage-mount-path" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(names); i++)
		if (bindery_manifest_annotation(manifest, names[i]))
			return names[i];
	return NULL;
}

static struct diag_finding *find(const struct diag_check_ctx *ctx,
				 const struct bindery_workload *workload,
				 const struct bindery_member *member, const char *annotation)
{
	struct diag_ref subject = bindery_ref_manifest(workload->namespace_, member->module);
	const char *tier = member->storage.tier;

	if (!tier)
		return diag_check_find(
			ctx, subject,
			"%s sets bindery.dev/%s, but no bindery.dev/storage-tier: it "
			"gets no volume",
			member->module, annotation);
	if (!diag_str_in(tier, "server-low-latency", "server-high-latency", "client-low-latency",
			 NULL))
		return diag_check_find(ctx, subject,
				       "%s asks for storage of tier '%s', which does not exist: it "
				       "gets no volume",
				       member->module, tier);
	if (workload->global)
		return diag_check_find(
			ctx, subject,
			"%s asks for storage, but is shared by all worlds: it gets no "
			"volume",
			member->module);
	return diag_check_find(
		ctx, subject,
		"%s asks for storage of tier %s, which modules do not get: it gets no "
		"volume",
		member->module, tier);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *member, const char *annotation)
{
	static const char *const tiers[] = { "server-low-latency", "server-high-latency" };
	struct diag_finding *finding = find(ctx, workload, member, annotation);
	const char *tier = member->storage.tier;
	const char *nearest = tier ? diag_str_nearest(tier, tiers, DIAG_ARRAY_SIZE(tiers)) : NULL;

	diag_finding_discriminate(finding, workload->name);
	if (workload->world)
		finding_about_world(finding, workload->world);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	diag_finding_field(finding, bindery_ref_manifest(workload->namespace_, member->module),
			   "metadata.annotations", "bindery.dev/%s: %s", annotation,
			   bindery_manifest_annotation(member->manifest, annotation));
	finding_at_annotation(ctx, finding, member, annotation);
	if (workload->global)
		diag_finding_edit(finding,
				  "let %s provide in scope world or world-shard, or drop its "
				  "storage annotations",
				  member->module);
	else
		diag_finding_edit(finding,
				  "set bindery.dev/storage-tier of %s to %s, or drop its storage "
				  "annotations",
				  member->module,
				  nearest ? nearest : "server-low-latency or server-high-latency");
}

static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		  const struct bindery_member *member)
{
	const char *annotation =
		member->storage.tier ? "storage-tier" : lone_annotation(member->manifest);

	if (annotation && !member->storage.effective)
		report(ctx, workload, member, annotation);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			for (size_t i = 0; is_first_shard(workload) && i < workload->member_count;
			     i++)
				check(ctx, workload, &workload->members[i]);
	return DIAG_OK;
}

DIAG_CHECK(storage_ignored) = {
	.id = "storage.ignored",
	.title = "Modules that ask for storage get it",
	.fault = "F79",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module has no volume: what it writes is gone with its pod.",
	.hint = "Use a server tier, on a module that runs per world or per shard.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
