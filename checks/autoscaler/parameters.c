/* F92: the autoscaler writes the whole world with a type that does not know spec.parameters. */
#include "text/json.h"

#include "checks/autoscaler/autoscalers.h"

static void report(const struct diag_check_ctx *ctx, const json_t *autoscaler, const json_t *world)
{
	struct diag_ref subject = diag_ref_of(world);
	json_t *parameters = diag_json_object(world, "spec", "parameters");
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"the parameters of world %s go the first time that autoscaler %s changes its shards",
		subject.name, diag_ref_of(autoscaler).name);

	diag_finding_discriminate(finding, diag_ref_of(autoscaler).name);
	finding_about_target(finding, autoscaler);
	diag_finding_related(finding, diag_ref_of(autoscaler));
	diag_finding_field(finding, subject, "spec.parameters", "%zu set, %s and so on",
			   json_object_size(parameters),
			   json_object_iter_key(json_object_iter(parameters)));
	finding_at_spec(ctx, finding, world, "parameters");
	diag_finding_edit(finding,
			  "remove spec.parameters from world %s (nothing reads them), or delete "
			  "ShardAutoscaler %s",
			  subject.name, diag_ref_of(autoscaler).name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *autoscaler;

	diag_snapshot_foreach(ctx->snapshot, "shardautoscalers.bindery.platform", autoscaler) {
		const json_t *world = autoscaler_target(ctx, autoscaler);

		if (json_object_size(diag_json_object(world, "spec", "parameters")))
			report(ctx, autoscaler, world);
	}
	return DIAG_OK;
}

DIAG_CHECK(autoscaler_parameters) = {
	.id = "autoscaler.parameters",
	.title = "Worlds with an autoscaler have no parameters to lose",
	.fault = "F92",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The parameters vanish from the world.",
	.hint = "Do not combine parameters with an autoscaler.",
	.requires = DIAG_RESOURCES("shardautoscalers.bindery.platform",
				   "worldinstances.bindery.platform"),
	.run = run,
};
