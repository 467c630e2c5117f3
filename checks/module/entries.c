#include "checks/module/entries.h"

#include "checks/support.h"

static void suggest(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		    const struct bindery_prediction *p, const struct bindery_booklet *booklet,
		    const struct bindery_entry *entry)
{
	const char *nearest =
		nearest_name(ctx, "modulemanifests.bindery.platform", p->namespace_, entry->name);

	if (nearest)
		diag_finding_edit(finding, "in Booklet %s, spec.modules[%zu].name: %s (not %s)",
				  booklet->name, entry->index, nearest, entry->name);
	else if (entry->required)
		diag_finding_edit(finding,
				  "apply ModuleManifest %s, or set required: false on "
				  "spec.modules[%zu] of Booklet %s",
				  entry->name, entry->index, booklet->name);
	else
		diag_finding_edit(finding, "apply ModuleManifest %s, or drop it from Booklet %s",
				  entry->name, booklet->name);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_booklet *booklet, const struct bindery_entry *entry)
{
	struct diag_ref subject = diag_ref_make("Booklet", p->namespace_, booklet->name);
	struct diag_finding *finding = diag_check_find(
		ctx, subject, "Booklet %s lists %s module %s, which has no ModuleManifest",
		booklet->name, entry->required ? "the required" : "the optional", entry->name);
	const struct bindery_world *world;

	diag_finding_discriminate(finding, entry->name);
	diag_finding_at(finding, "module", p->namespace_, entry->name);
	diag_finding_needs(finding, "module", p->namespace_, entry->name);
	diag_finding_related(finding, bindery_ref_manifest(p->namespace_, entry->name));
	foreach_world(p, world)
		if (world->booklet == booklet)
			finding_about_world(finding, world);
	diag_finding_field(finding, subject, "spec.modules", "%s, required: %s", entry->name,
			   entry->required ? "true" : "false");
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, entry->object));
	suggest(ctx, finding, p, booklet, entry);
	diag_finding_command(finding, "kubectl", "-n", p->namespace_, "get", "modulemanifests",
			     NULL);
}

void report_missing_modules(const struct diag_check_ctx *ctx, bool required)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p) {
		for (size_t b = 0; b < p->booklet_count; b++) {
			const struct bindery_entries *entries = &p->booklets[b].entries;

			for (size_t i = 0; i < entries->count; i++)
				if (!entries->items[i].manifest &&
				    entries->items[i].required == required)
					report(ctx, p, &p->booklets[b], &entries->items[i]);
		}
	}
}
