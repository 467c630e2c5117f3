/* F07: desiredState Stopped, which no controller reads. */
#include "base/str.h"
#include "text/json.h"

#include "checks/support.h"

/* On a cluster it matters only while something of the world runs; in manifests it always will. */
static const json_t *running_deployment(const struct diag_check_ctx *ctx,
					const struct bindery_world *world)
{
	const struct bindery_runtime *runtime;

	foreach_runtime(ctx, runtime) {
		const json_t *deployment = runtime->real->deployment;

		if (diag_str_eq(runtime->namespace_, world->namespace_) &&
		    diag_str_eq(
			    diag_json_str(deployment, "metadata", "labels", BINDERY_LABEL "world"),
			    world->name))
			return deployment;
	}
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world)
{
	const json_t *deployment = running_deployment(ctx, world);
	struct diag_finding *finding;

	if (!deployment && !diag_snapshot_is_predicted(ctx->snapshot))
		return;
	finding =
		diag_check_find(ctx, bindery_ref_world(world),
				"world %s is to be Stopped, but no controller reads desiredState: "
				"it %s",
				world->name, deployment ? "runs" : "would run");
	finding_about_world(finding, world);
	diag_finding_field(finding, bindery_ref_world(world), "spec.desiredState", "Stopped");
	if (deployment)
		diag_finding_related(finding, diag_ref_of(deployment));
	finding_at_spec(ctx, finding, world->object, "desiredState");
	diag_finding_edit(finding,
			  "set spec.desiredState to Running, or delete the world: that also "
			  "deletes the volumes of its claims, and what is on them is lost");
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p)
		foreach_world(p, world)
			if (diag_str_eq(diag_json_str(world->object, "spec", "desiredState"),
					"Stopped"))
				report(ctx, world);
	return DIAG_OK;
}

DIAG_CHECK(world_stopped) = {
	.id = "world.stopped",
	.title = "Worlds that are to be stopped do not run",
	.fault = "F07",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The world keeps running and using resources.",
	.hint = "Delete the world when it must not run, knowing that its data goes with it.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.enriches = DIAG_RESOURCES("deployments.apps"),
	.run = run,
};
