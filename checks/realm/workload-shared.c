/* F51: the realm is not part of a shared workload's name: two realms of one namespace share it. */
#include "base/map.h"
#include "bindery/names.h"

#include "checks/support.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_realm *first, const struct bindery_realm *realm,
		   const struct bindery_entry *entry)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	const char *workload = bindery_name_runtime(arena, "global", NULL, entry->name);
	struct diag_finding *finding =
		diag_check_find(ctx, diag_ref_make("Realm", p->namespace_, realm->name),
				"realms %s and %s both list %s and share one workload, %s",
				first->name, realm->name, entry->name, workload);
	const struct bindery_world *world;

	diag_finding_discriminate(finding, entry->name);
	diag_finding_related(finding, diag_ref_make("Realm", p->namespace_, first->name));
	diag_finding_related(finding, bindery_ref_manifest(p->namespace_, entry->name));
	diag_finding_related(finding, diag_ref_make("Deployment", p->namespace_, workload));
	foreach_world(p, world)
		if (world->realm == realm || world->realm == first)
			diag_finding_at(finding, "world", p->namespace_, world->name);
	diag_finding_note(finding, "deleting the realm whose binding owns %s removes it for both",
			  workload);
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, entry->object));
	diag_finding_edit(finding,
			  "give each realm a namespace or a module name of its own, or drop "
			  "spec.modules[%zu] from Realm %s",
			  entry->index, realm->name);
}

static void check_realm(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			struct bindery_realm *realm, struct diag_map *listed)
{
	for (size_t i = 0; i < realm->entries.count; i++) {
		const struct bindery_entry *entry = &realm->entries.items[i];
		struct bindery_realm *first = diag_map_get(listed, entry->name);

		if (!entry->manifest || !bindery_manifest_image(entry->manifest))
			continue;
		if (!first)
			diag_map_set(listed, entry->name, realm);
		else if (first != realm)
			report(ctx, p, first, realm, entry);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p) {
		diag_map_auto struct diag_map *listed = diag_map_new();

		for (size_t i = 0; i < p->realm_count; i++)
			check_realm(ctx, p, &p->realms[i], listed);
	}
	return DIAG_OK;
}

DIAG_CHECK(realm_workload_shared) = {
	.id = "realm.workload-shared",
	.title = "No two realms of a namespace list one module",
	.fault = "F51",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The realms influence each other, and deleting one may stop the other's service.",
	.hint = "Use a namespace for each realm, or different modules.",
	.requires = DIAG_RESOURCES("realms.bindery.platform", "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.run = run,
};
