/* F21: the world names a Realm that is not there; only a debug line of the operator says so. */
#include "bindery/names.h"

#include "checks/support.h"

/* Without anything unresolved the missing Realm is a mistake that does no harm yet. */
static bool does_harm(const struct bindery_world *world)
{
	for (size_t i = 0; world->resolution && i < world->resolution->requirement_count; i++) {
		const struct bindery_requirement *r = &world->resolution->requirements[i];

		if (!r->resolved && !r->optional && bindery_scope_is_global(r->scope))
			return true;
	}
	return false;
}

static void suggest(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		    const struct bindery_world *world)
{
	const char *nearest =
		nearest_name(ctx, "realms.bindery.platform", world->namespace_, world->realm_name);

	if (nearest)
		diag_finding_edit(finding, "set spec.realmRef.name of WorldInstance %s to %s",
				  world->name, nearest);
	else
		diag_finding_edit(finding,
				  "create Realm %s in namespace %s; the world does not notice "
				  "by itself:",
				  world->realm_name, world->namespace_);
	finding_poke(finding, "world", world->namespace_, world->name);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world)
{
	struct diag_finding *finding =
		diag_check_find(ctx, bindery_ref_world(world),
				"world %s names realm %s, which does not exist in "
				"namespace %s",
				world->name, world->realm_name, world->namespace_);

	if (!does_harm(world))
		finding->severity = DIAG_SEVERITY_WARNING;
	finding_about_world(finding, world);
	diag_finding_at(finding, "realm", world->namespace_, world->realm_name);
	diag_finding_related(finding, diag_ref_make("Realm", world->namespace_, world->realm_name));
	diag_finding_field(finding, bindery_ref_world(world), "spec.realmRef.name", "%s",
			   world->realm_name);
	finding_at_spec(ctx, finding, world->object, "realmRef");
	suggest(ctx, finding, world);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p)
		foreach_world(p, world)
			if (world->realm_name && !world->realm &&
			    !bindery_is_deleting(world->object))
				report(ctx, world);
	return DIAG_OK;
}

DIAG_CHECK(realm_missing) = {
	.id = "realm.missing",
	.title = "Worlds name a Realm that exists",
	.fault = "F21",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Realm-scoped requirements stay unresolved, with no hint at the realm.",
	.hint = "Create the Realm, then annotate the world so that it is looked at again.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "realms.bindery.platform"),
	.enriches = DIAG_RESOURCES("booklets.bindery.platform", "modulemanifests.bindery.platform"),
	.run = run,
};
