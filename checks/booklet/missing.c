/* F01: the world names a Booklet that is not in its namespace. */
#include <stdlib.h>

#include "base/str.h"
#include "text/json.h"

#include "checks/support.h"

/* A Booklet of that name elsewhere explains the mistake: references never cross namespaces. */
static const char *namespace_with(const struct diag_check_ctx *ctx, const char *name)
{
	const json_t *booklet;
	size_t i;

	json_array_foreach(diag_snapshot_list(ctx->snapshot, "booklets.bindery.platform"), i,
			   booklet) {
		if (diag_str_eq(diag_ref_of(booklet).name, name))
			return diag_ref_of(booklet).namespace_;
	}
	return NULL;
}

static void suggest(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		    const struct bindery_world *world)
{
	const char *elsewhere = namespace_with(ctx, world->booklet_name);
	const char **names;
	size_t count = names_in(ctx, "booklets.bindery.platform", world->namespace_, &names);
	const char *nearest = nearest_name(ctx, "booklets.bindery.platform", world->namespace_,
					   world->booklet_name);

	if (elsewhere)
		diag_finding_note(
			finding,
			"namespace %s has a Booklet of that name; a world uses only its own "
			"namespace",
			elsewhere);
	if (nearest)
		diag_finding_edit(finding, "set spec.gameRef.name of WorldInstance %s to %s",
				  world->name, nearest);
	else if (count == 1)
		diag_finding_edit(
			finding,
			"set spec.gameRef.name of WorldInstance %s to %s, the only Booklet "
			"of the namespace, or create Booklet %s",
			world->name, names[0], world->booklet_name);
	else
		diag_finding_edit(finding, "create Booklet %s in namespace %s", world->booklet_name,
				  world->namespace_);
	free(names);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world)
{
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_world(world),
		"world %s cannot be resolved: there is no Booklet %s in namespace %s", world->name,
		world->booklet_name, world->namespace_);

	finding_about_world(finding, world);
	diag_finding_needs(finding, "world", world->namespace_, world->name);
	diag_finding_needs(finding, "booklet", world->namespace_, world->booklet_name);
	diag_finding_related(finding, bindery_ref_booklet(world));
	diag_finding_field(finding, bindery_ref_world(world), "spec.gameRef.name", "%s",
			   world->booklet_name);
	finding_at_spec(ctx, finding, world->object, "gameRef");
	suggest(ctx, finding, world);
	diag_finding_command(finding, "kubectl", "-n", world->namespace_, "get", "booklets", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p)
		foreach_world(p, world)
			if (!world->booklet && !bindery_is_deleting(world->object))
				report(ctx, world);
	return DIAG_OK;
}

DIAG_CHECK(booklet_missing) = {
	.id = "booklet.missing",
	.title = "Worlds name a Booklet of their namespace",
	.fault = "F01",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Nothing of the world is created.",
	.hint = "Create the Booklet in the world's namespace; the world follows by itself.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform"),
	.run = run,
};
