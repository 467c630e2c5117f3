/* F42: a published Service or its Deployment was deleted; only objects owned by a binding come
 * back. */
#include "base/str.h"
#include "text/json.h"

#include "checks/actor.h"

static bool is_missing(const struct diag_check_ctx *ctx, const char *resource,
		       const char *namespace_, const char *name)
{
	return diag_snapshot_has(ctx->snapshot, resource, namespace_) &&
	       !diag_snapshot_get(ctx->snapshot, resource, namespace_, name);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *member, const char *kind, const char *name,
		   const json_t *binding)
{
	struct diag_finding *finding = diag_check_find(
		ctx, diag_ref_make(kind, workload->namespace_, name),
		"%s %s is gone, but its address is still published; nothing makes it again by itself",
		kind, name);

	finding_about_workload(finding, workload);
	diag_finding_needs(finding, "ungrouped", workload->namespace_, member->module);
	diag_finding_related(finding, diag_ref_of(binding));
	diag_finding_related(finding, bindery_ref_manifest(workload->namespace_, member->module));
	diag_finding_field(finding, diag_ref_of(binding), "status.provider.endpoint", "%s",
			   member->service);
	finding_actor(ctx, finding, diag_ref_make(kind, workload->namespace_, name));
	finding_poke(finding, "capbind", workload->namespace_, diag_ref_of(binding).name);
}

/* The real binding that made the member and has published its address. */
static const json_t *publisher(const struct diag_check_ctx *ctx,
			       const struct bindery_member *member)
{
	for (size_t i = 0; i < member->binding_count; i++) {
		const json_t *real = bindery_view_binding(view_of(ctx), member->bindings[i]);

		if (real && !bindery_is_deleting(real) &&
		    diag_str_eq(bindery_binding_endpoint(real), member->service) &&
		    diag_str_eq(diag_json_str(real, "spec", "provider", "moduleManifestName"),
				member->module))
			return real;
	}
	return NULL;
}

static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload)
{
	for (size_t i = 0; i < workload->member_count; i++) {
		const struct bindery_member *member = &workload->members[i];
		const json_t *binding = publisher(ctx, member);

		if (!binding)
			continue;
		if (is_missing(ctx, "services", workload->namespace_, member->service))
			report(ctx, workload, member, "Service", member->service, binding);
		if (i == 0 &&
		    is_missing(ctx, "deployments.apps", workload->namespace_, workload->name))
			report(ctx, workload, member, "Deployment", workload->name, binding);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			if (!workload->world || !bindery_is_deleting(workload->world->object))
				check(ctx, workload);
	return DIAG_OK;
}

DIAG_CHECK(workload_missing) = {
	.id = "workload.missing",
	.title = "Published Services and their Deployments exist",
	.fault = "F42",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Connections to the published address fail.",
	.hint = "Annotate the binding: the operator then makes the object again.",
	.requires = DIAG_RESOURCES("services", "deployments.apps",
				   "capabilitybindings.bindery.platform",
				   "worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES(ACTOR_RESOURCES),
	.run = run,
};
