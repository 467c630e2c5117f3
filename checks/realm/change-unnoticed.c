/*
 * F24: today's Realm and manifests resolve everything, but the world's status still says
 * unresolved: Realms, and modules that only a realm uses, do not trigger the resolver.
 */
#include "base/str.h"
#include "base/timestamp.h"
#include "model/condition.h"
#include "text/json.h"

#include "checks/actor.h"

static bool all_resolved(const struct bindery_world *world)
{
	for (size_t i = 0; i < world->resolution->requirement_count; i++) {
		const struct bindery_requirement *r = &world->resolution->requirements[i];

		if (!r->resolved && !r->optional)
			return false;
	}
	return true;
}

/* The Realm or one of its modules that was changed last. */
static const json_t *latest_change(const struct bindery_world *world)
{
	const json_t *latest = world->realm->object;

	for (size_t i = 0; i < world->realm->entries.count; i++) {
		const json_t *manifest = world->realm->entries.items[i].manifest;

		if (manifest && diag_changed_at(manifest) > diag_changed_at(latest))
			latest = manifest;
	}
	return latest;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   const json_t *condition)
{
	const json_t *change = latest_change(world);
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_world(world),
		"world %s still counts as unresolved, although its realm %s now has what it needs: a "
		"changed realm is not noticed",
		world->name, world->realm_name);
	char time[32];

	finding_about_world(finding, world);
	diag_finding_at(finding, "realm", world->namespace_, world->realm_name);
	diag_finding_related(finding, diag_ref_of(change));
	diag_finding_field(finding, bindery_ref_world(world), "status.conditions[BindingsResolved]",
			   "False since %s: %s", diag_json_str(condition, "lastTransitionTime"),
			   diag_json_str(condition, "message"));
	diag_finding_field(finding, diag_ref_of(change), "metadata", "changed at %s",
			   diag_time_format(diag_changed_at(change), time, sizeof(time)));
	finding_actor(ctx, finding, bindery_ref_world(world));
	finding_poke(finding, "world", world->namespace_, world->name);
}

static void check_world(const struct diag_check_ctx *ctx,
			const struct bindery_prediction *p DIAG_UNUSED,
			const struct bindery_world *world)
{
	const json_t *condition = diag_condition(world->object, "BindingsResolved");

	if (!world->realm || !diag_str_eq(diag_json_str(condition, "status"), "False") ||
	    !diag_str_eq(diag_json_str(condition, "reason"), "UnresolvedRequired") ||
	    diag_json_int(condition, 0, "observedGeneration") <
		    diag_json_int(world->object, 0, "metadata", "generation"))
		return;
	if (all_resolved(world))
		report(ctx, world, condition);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_resolved_world(ctx, check_world);
	return DIAG_OK;
}

DIAG_CHECK(realm_change_unnoticed) = {
	.id = "realm.change-unnoticed",
	.title = "Worlds have noticed their realm's latest state",
	.fault = "F24",
	.severity = DIAG_SEVERITY_ERROR,
	.impact =
		"The world stays in phase Error until something touches it, at the latest after ten "
		"hours.",
	.hint = "Annotate the world, so that the resolver looks at it again.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform", "realms.bindery.platform"),
	.enriches = DIAG_RESOURCES(ACTOR_RESOURCES),
	.run = run,
};
