/* F25: the resolver does not exclude the consumer from its own candidates. */
#include <string.h>

#include "checks/support.h"

/* The workload that waits for itself because of this binding, or NULL. */
static const struct bindery_workload *waiting_workload(const struct bindery_binding *binding)
{
	const struct bindery_workload *workload = binding->workload;
	const struct bindery_wait *wait =
		workload ? bindery_wait_between(workload, workload) : NULL;

	return wait && wait->binding == binding ? workload : NULL;
}

/* Pods that got through before the wait was added keep it running until the next restart. */
static bool runs_all_the_same(const struct diag_check_ctx *ctx,
			      const struct bindery_workload *workload)
{
	const struct bindery_runtime *runtime =
		bindery_view_runtime(view_of(ctx), workload->namespace_, workload->name);

	return runtime && diag_workload_is_healthy(runtime->real);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_binding *binding,
		   const struct bindery_workload *workload)
{
	struct diag_ref subject = bindery_ref_manifest(binding->namespace_, binding->consumer);
	struct diag_finding *finding = diag_check_find(
		ctx, subject, "%s provides %s itself and is bound to itself%s", binding->consumer,
		binding->capability, workload ? ": its pod waits for its own Service" : "");
	const struct bindery_requirement *r = binding->desired->requirement;

	if (!workload || runs_all_the_same(ctx, workload))
		finding->severity = DIAG_SEVERITY_WARNING;
	diag_finding_discriminate(finding, binding->capability);
	finding_about_world(finding, binding->world);
	if (workload) {
		finding_about_workload(finding, workload);
		diag_finding_related(
			finding, diag_ref_make("Deployment", workload->namespace_, workload->name));
	}
	diag_finding_related(
		finding, diag_ref_make("CapabilityBinding", binding->namespace_, binding->name));
	diag_finding_field(finding, subject, "spec.requires", "%s %s", binding->capability,
			   binding->constraint);
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, r->entry));
	diag_finding_edit(finding,
			  "remove spec.requires[%zu] from ModuleManifest %s, or let another module "
			  "provide %s in a higher version",
			  r->index, binding->consumer, binding->capability);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_binding *binding;

	foreach_prediction(ctx, p) {
		foreach_binding(p, binding) {
			/* One finding a requirement: shards repeat it. */
			if (!binding->root && binding->shard <= 0 &&
			    strcmp(binding->consumer, binding->provider) == 0)
				report(ctx, binding, waiting_workload(binding));
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(binding_self) = {
	.id = "binding.self",
	.title = "No module is bound to itself",
	.fault = "F25",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The pod stays in its init container for ever.",
	.hint = "Drop the requirement, or provide the capability elsewhere.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("deployments.apps", "realms.bindery.platform"),
	.run = run,
};
