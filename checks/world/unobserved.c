/* F30: the resolver writes a world's status at the end of each pass; when it does not, no pass came
 * to its end since the world was changed. */
#include <inttypes.h>

#include "base/timestamp.h"
#include "text/json.h"

#include "checks/actor.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   int64_t generation, int64_t observed)
{
	struct diag_ref subject = bindery_ref_world(world);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"the operator has not acted on the latest change of world %s: it has seen "
		"generation %" PRId64 " of %" PRId64,
		world->name, observed, generation);
	char time[32];

	finding_about_world(finding, world);
	diag_finding_field(finding, subject, "status.observedGeneration", "%" PRId64, observed);
	diag_finding_field(finding, subject, "metadata", "changed at %s",
			   diag_time_format(diag_changed_at(world->object), time, sizeof(time)));
	finding_actor(ctx, finding, subject);
	finding_poke(finding, "world", world->namespace_, world->name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p) {
		foreach_world(p, world) {
			int64_t generation =
				diag_json_int(world->object, 0, "metadata", "generation");
			int64_t observed =
				diag_json_int(world->object, 0, "status", "observedGeneration");

			if (observed >= generation || bindery_is_deleting(world->object))
				continue;
			if (diag_check_age(ctx, diag_changed_at(world->object)) <
			    ctx->grace_ms + DIAG_MINUTE_MS)
				diag_check_progress(ctx, bindery_ref_world(world),
						    "its latest change was not looked at yet");
			else
				report(ctx, world, generation, observed);
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(world_unobserved) = {
	.id = "world.unobserved",
	.title = "The operator has acted on the latest change of every world",
	.fault = "F30",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "What was changed has no effect; bindings may be missing or old.",
	.hint = "Read the operator's log for the error that stops its pass.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.enriches = DIAG_RESOURCES("booklets.bindery.platform", "modulemanifests.bindery.platform",
				   "capabilitybindings.bindery.platform", ACTOR_RESOURCES),
	.run = run,
};
