/*
 * F53: a pod whose init container waits for its own Service. A module that is bound to itself is
 * binding.self (F25); here it is the name: the world is the consumer of its root bindings, so a
 * module of the world's name depends on each of them, on its own as well.
 */
#include <string.h>

#include "checks/support.h"

static bool runs_all_the_same(const struct diag_check_ctx *ctx,
			      const struct bindery_workload *workload)
{
	const struct bindery_runtime *runtime =
		bindery_view_runtime(view_of(ctx), workload->namespace_, workload->name);

	return runtime && diag_workload_is_healthy(runtime->real);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_wait *wait)
{
	const char *module = workload->members[0].module;
	struct diag_ref subject = bindery_ref_manifest(workload->namespace_, module);
	bool latent = runs_all_the_same(ctx, workload);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"module %s has the name of its world, so its pod waits for its own Service, %s%s",
		module, wait->address, latent ? "; it runs now, and will not after a restart" : "");

	if (latent)
		finding->severity = DIAG_SEVERITY_WARNING;
	finding_about_workload(finding, workload);
	finding_about_world(finding, workload->world);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	diag_finding_related(finding, diag_ref_make("CapabilityBinding", workload->namespace_,
						    wait->binding->name));
	diag_finding_note(finding, "root binding %s: consumer %s (the world), provider %s",
			  wait->binding->name, wait->binding->consumer, wait->binding->provider);
	finding_at_spec(ctx, finding, workload->members[0].manifest, NULL);
	diag_finding_edit(finding, "rename ModuleManifest %s or world %s", module,
			  workload->world->name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p) {
		foreach_workload(p, workload) {
			const struct bindery_wait *wait =
				workload->shard <= 0 ? bindery_wait_between(workload, workload)
						     : NULL;

			if (wait && wait->binding->root && workload->world)
				report(ctx, workload, wait);
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(wait_self) = {
	.id = "wait.self",
	.title = "No pod waits for its own Service",
	.fault = "F53",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The pod stays in its init container for ever.",
	.hint = "Rename the module or the world.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("deployments.apps", "realms.bindery.platform"),
	.run = run,
};
