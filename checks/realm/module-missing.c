/* F22: a Realm lists a module without ModuleManifest; both controllers tolerate that in silence. */

#include "checks/support.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_realm *realm, const struct bindery_entry *entry)
{
	struct diag_ref subject = diag_ref_make("Realm", p->namespace_, realm->name);
	struct diag_finding *finding = diag_check_find(
		ctx, subject, "realm %s lists module %s, which has no ModuleManifest", realm->name,
		entry->name);
	const struct bindery_world *world;
	const char *nearest =
		nearest_name(ctx, "modulemanifests.bindery.platform", p->namespace_, entry->name);

	diag_finding_discriminate(finding, entry->name);
	diag_finding_at(finding, "realm", p->namespace_, realm->name);
	diag_finding_at(finding, "module", p->namespace_, entry->name);
	diag_finding_related(finding, bindery_ref_manifest(p->namespace_, entry->name));
	diag_finding_field(finding, subject, "spec.modules", "%s", entry->name);
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, entry->object));
	if (nearest)
		diag_finding_edit(finding, "in Realm %s, spec.modules[%zu].name: %s (not %s)",
				  realm->name, entry->index, nearest, entry->name);
	else
		diag_finding_edit(finding,
				  "apply ModuleManifest %s, or drop it from Realm %s; then:",
				  entry->name, realm->name);
	finding_poke(finding, "realm", p->namespace_, realm->name);
	foreach_world(p, world) {
		if (world->realm != realm)
			continue;
		finding_about_world(finding, world);
		finding_poke(finding, "world", p->namespace_, world->name);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p) {
		for (size_t r = 0; r < p->realm_count; r++) {
			const struct bindery_entries *entries = &p->realms[r].entries;

			for (size_t i = 0; i < entries->count; i++)
				if (!entries->items[i].manifest && *entries->items[i].name)
					report(ctx, p, &p->realms[r], &entries->items[i]);
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(realm_module_missing) = {
	.id = "realm.module-missing",
	.title = "Modules of realms have a ModuleManifest",
	.fault = "F22",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The shared service does not run, and realm-scoped requirements stay unresolved.",
	.hint = "Apply the ModuleManifest, then annotate the realm and its worlds.",
	.requires = DIAG_RESOURCES("realms.bindery.platform", "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.run = run,
};
