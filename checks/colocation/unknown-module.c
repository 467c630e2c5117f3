/* F09: a colocation group names a module that is not in the Booklet. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "text/json.h"

#include "checks/support.h"

static const char *nearest_entry(const struct bindery_booklet *booklet, const char *module)
{
	size_t count = booklet->entries.count;
	diag_autofree const char **names = diag_xcalloc(count, sizeof(*names));

	for (size_t i = 0; i < count; i++)
		names[i] = booklet->entries.items[i].name;
	return diag_str_nearest(module, names, count);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_booklet *booklet, const json_t *group, size_t index)
{
	const json_t *modules = diag_json_array(group, "modules");
	const char *module = json_string_value(json_array_get(modules, index));
	const char *group_name = diag_json_str(group, "name");
	struct diag_ref subject = diag_ref_make("Booklet", p->namespace_, booklet->name);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"colocation group %s of Booklet %s names module %s, which the Booklet "
		"does not list",
		group_name ? group_name : "", booklet->name, module);
	const char *nearest = nearest_entry(booklet, module);
	const struct bindery_world *world;

	diag_finding_discriminate(finding, module);
	/* The one that was meant runs outside of the group now, where nothing has made it yet. */
	if (nearest)
		diag_finding_at(finding, "ungrouped", p->namespace_, nearest);
	foreach_world(p, world)
		if (world->booklet == booklet)
			finding_about_world(finding, world);
	diag_finding_field(finding, subject, "spec.colocation", "%s: %s",
			   group_name ? group_name : "", module);
	diag_finding_at_line(finding, diag_snapshot_position_index(ctx->snapshot, modules, index));
	if (nearest)
		diag_finding_edit(finding, "in group %s write %s instead of %s",
				  group_name ? group_name : "", nearest, module);
	else
		diag_finding_edit(finding,
				  "list module %s in spec.modules, or drop it from the group",
				  module);
}

static bool lists(const struct bindery_booklet *booklet, const char *module)
{
	for (size_t i = 0; i < booklet->entries.count; i++)
		if (strcmp(booklet->entries.items[i].name, module) == 0)
			return true;
	return false;
}

static void check_booklet(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			  const struct bindery_booklet *booklet)
{
	const json_t *group, *entry;
	size_t i, j;

	json_array_foreach(diag_json_array(booklet->object, "spec", "colocation"), i, group) {
		json_array_foreach(diag_json_array(group, "modules"), j, entry) {
			const char *module = json_string_value(entry);

			if (module && !lists(booklet, module))
				report(ctx, p, booklet, group, j);
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

DIAG_CHECK(colocation_unknown_module) = {
	.id = "colocation.unknown-module",
	.title = "Colocation groups name modules of the Booklet",
	.fault = "F09",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module runs in a pod of its own although a group was meant.",
	.hint = "Fix the name in spec.colocation[].modules.",
	.requires = DIAG_RESOURCES("booklets.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.run = run,
};
