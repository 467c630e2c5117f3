/* F103: of the groups that list a module only the first counts. */
#include <string.h>

#include "base/map.h"

#include "checks/support.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_booklet *booklet, const struct bindery_group *first,
		   const struct bindery_group *group, size_t index)
{
	struct diag_ref subject = diag_ref_make("Booklet", p->namespace_, booklet->name);
	const char *module = group->modules[index];
	struct diag_finding *finding = diag_check_find(
		ctx, subject, "groups %s and %s of Booklet %s both list %s: only %s counts",
		first->name, group->name, booklet->name, module, first->name);
	const struct bindery_world *world;

	diag_finding_discriminate(finding, module);
	diag_finding_related(finding, bindery_ref_manifest(p->namespace_, module));
	foreach_world(p, world)
		if (world->booklet == booklet)
			finding_about_world(finding, world);
	diag_finding_field(finding, subject, "spec.colocation", "%s and %s: %s", first->name,
			   group->name, module);
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, group->object));
	finding_at_spec(ctx, finding, booklet->object, "colocation");
	diag_finding_edit(finding, "take %s out of group %s or of group %s of Booklet %s", module,
			  first->name, group->name, booklet->name);
}

static bool listed_before(const struct bindery_group *group, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (strcmp(group->modules[i], group->modules[index]) == 0)
			return true;
	return false;
}

static void check_booklet(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			  const struct bindery_booklet *booklet)
{
	for (size_t g = 0; g < booklet->group_count; g++) {
		const struct bindery_group *group = &booklet->groups[g];

		for (size_t i = 0; i < group->module_count; i++) {
			const struct bindery_group *first =
				diag_map_get(booklet->group_of, group->modules[i]);

			if (first && first != group && !listed_before(group, i))
				report(ctx, p, booklet, first, group, i);
		}
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p)
		for (size_t i = 0; i < p->booklet_count; i++)
			check_booklet(ctx, p, &p->booklets[i]);
	return DIAG_OK;
}

DIAG_CHECK(colocation_two_groups) = {
	.id = "colocation.two-groups",
	.title = "Each module is in one colocation group",
	.fault = "F103",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module is not in the pod where it is expected.",
	.hint = "List the module in one group.",
	.requires = DIAG_RESOURCES("booklets.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.run = run,
};
