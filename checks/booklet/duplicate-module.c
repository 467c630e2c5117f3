/* F08: a module listed twice counts twice as a provider. */
#include <string.h>

#include "checks/support.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_booklet *booklet, const struct bindery_entry *entry,
		   const struct bindery_world *world, const char *where)
{
	struct diag_ref subject = diag_ref_make("Booklet", p->namespace_, booklet->name);
	struct diag_finding *finding =
		diag_check_find(ctx, subject, "module %s is listed twice: in Booklet %s and %s",
				entry->name, booklet->name, where);
	const struct bindery_world *other;

	diag_finding_discriminate(finding, entry->name);
	diag_finding_related(finding, bindery_ref_manifest(p->namespace_, entry->name));
	foreach_world(p, other)
		if (world ? other == world : other->booklet == booklet)
			finding_about_world(finding, other);
	if (world) {
		diag_finding_related(finding,
				     diag_ref_make("Realm", p->namespace_, world->realm_name));
	}
	diag_finding_field(finding, subject, "spec.modules", "%s", entry->name);
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, entry->object));
	diag_finding_edit(finding, "remove one of the two entries of %s", entry->name);
}

static bool is_listed(const struct bindery_entries *entries, const char *name, size_t before)
{
	for (size_t i = 0; i < before; i++)
		if (strcmp(entries->items[i].name, name) == 0)
			return true;
	return false;
}

static void check_booklet(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			  const struct bindery_booklet *booklet)
{
	const struct bindery_entries *entries = &booklet->entries;

	for (size_t i = 1; i < entries->count; i++)
		if (is_listed(entries, entries->items[i].name, i))
			report(ctx, p, booklet, &entries->items[i], NULL, "there again");
}

/* The world's realm lists what its Booklet lists; each Booklet and realm are told once. */
static void check_world(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			const struct bindery_world *world)
{
	const struct bindery_world *earlier;

	if (!world->booklet || !world->realm)
		return;
	for (earlier = p->worlds; earlier < world; earlier++)
		if (earlier->booklet == world->booklet && earlier->realm == world->realm)
			return;
	for (size_t i = 0; i < world->realm->entries.count; i++) {
		const struct bindery_entry *entry = &world->realm->entries.items[i];

		if (is_listed(&world->booklet->entries, entry->name, world->booklet->entries.count))
			report(ctx, p, world->booklet, entry, world, "in the world's Realm");
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p) {
		for (size_t i = 0; i < p->booklet_count; i++)
			check_booklet(ctx, p, &p->booklets[i]);
		foreach_world(p, world)
			check_world(ctx, p, world);
	}
	return DIAG_OK;
}

DIAG_CHECK(booklet_duplicate_module) = {
	.id = "booklet.duplicate-module",
	.title = "No module is listed twice",
	.fault = "F08",
	.severity = DIAG_SEVERITY_WARNING,
	.impact =
		"The module counts twice as a provider; a requirement for many then makes two bindings "
		"of one name.",
	.hint = "Remove one of the entries.",
	.requires = DIAG_RESOURCES("booklets.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform", "realms.bindery.platform"),
	.run = run,
};
