/* F46: a workload that nothing asks for any more: nothing but an owner's deletion removes one. */
#include "text/json.h"

#include "checks/support.h"

static const struct bindery_world *world_of(const struct diag_check_ctx *ctx,
					    const struct bindery_runtime *runtime)
{
	const char *name = diag_json_str(runtime->real->deployment, "metadata", "labels",
					 BINDERY_LABEL "world");
	const struct bindery_prediction *p =
		bindery_view_prediction(view_of(ctx), runtime->namespace_);

	return p ? bindery_prediction_world(p, name) : NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		   const struct bindery_world *world)
{
	struct diag_ref deployment =
		diag_ref_make("Deployment", runtime->namespace_, runtime->name);
	const char *module = diag_json_str(runtime->real->deployment, "metadata", "labels",
					   BINDERY_LABEL "module");
	struct diag_finding *finding = diag_check_find(
		ctx, deployment, "%s still runs, but nothing of world %s asks for %s any more",
		runtime->name, world->name, module ? module : "it");

	diag_finding_related(finding, bindery_ref_world(world));
	diag_finding_related(finding, bindery_ref_booklet(world));
	if (diag_snapshot_get(ctx->snapshot, "services", runtime->namespace_, runtime->name))
		diag_finding_related(finding,
				     diag_ref_make("Service", runtime->namespace_, runtime->name));
	diag_finding_at(finding, "workload", runtime->namespace_, runtime->name);
	diag_finding_note(finding, "deleting it stops the module; claims that it mounts stay");
	diag_finding_command(finding, "kubectl", "-n", runtime->namespace_, "delete",
			     "deployment,service", runtime->name, NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_runtime *runtime;

	foreach_runtime(ctx, runtime) {
		const struct bindery_world *world = world_of(ctx, runtime);

		/* While the resolver stops early, old workloads stay on purpose (F23). */
		if (!runtime->predicted && world && world->resolution &&
		    !bindery_is_deleting(world->object) &&
		    !bindery_is_deleting(runtime->real->deployment))
			report(ctx, runtime, world);
	}
	return DIAG_OK;
}

DIAG_CHECK(workload_orphan) = {
	.id = "workload.orphan",
	.title = "Every workload is asked for",
	.fault = "F46",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "A module that was taken out still runs and uses resources.",
	.hint = "Delete it.",
	.requires = DIAG_RESOURCES("deployments.apps", "worldinstances.bindery.platform",
				   "booklets.bindery.platform", "modulemanifests.bindery.platform",
				   "realms.bindery.platform"),
	.run = run,
};
