/* F83: a realm entry's version is copied into a field that takes only strict versions. */
#include "checks/support.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_refusal *refusal)
{
	const struct bindery_realm *realm = refusal->binding->realm;
	const struct bindery_entry *entry = refusal->binding->realm_entry;
	struct diag_ref subject = diag_ref_make("Realm", p->namespace_, realm->name);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"realm %s lists %s with version '%s', which is no strict version: its binding "
		"and those after it are not made",
		realm->name, entry->name, refusal->value);
	const struct bindery_world *world;

	diag_finding_discriminate(finding, entry->name);
	diag_finding_related(finding,
			     diag_ref_make("CapabilityBinding", p->namespace_, refusal->name));
	diag_finding_related(finding, bindery_ref_manifest(p->namespace_, entry->name));
	foreach_world(p, world)
		if (world->realm == realm)
			finding_about_world(finding, world);
	diag_finding_field(finding, subject, "spec.modules", "%s: %s", entry->name, refusal->value);
	diag_finding_at_line(finding,
			     diag_snapshot_position_key(ctx->snapshot, entry->object, "version"));
	diag_finding_edit(finding,
			  "in Realm %s, write spec.modules[%zu].version as X.Y.Z, or leave it out: "
			  "nothing else reads it",
			  realm->name, entry->index);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p)
		for (size_t i = 0; i < p->refusal_count; i++)
			if (p->refusals[i].rule == BINDERY_REFUSED_VERSION)
				report(ctx, p, &p->refusals[i]);
	return DIAG_OK;
}

DIAG_CHECK(realm_version_invalid) = {
	.id = "realm.version-invalid",
	.title = "Versions in realms are strict or left out",
	.fault = "F83",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The shared service does not run; the Realm shows nothing.",
	.hint = "Write X.Y.Z or leave the version out.",
	.requires = DIAG_RESOURCES("realms.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.run = run,
};
