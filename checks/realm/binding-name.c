/* F84: a realm binding's name is realm and module in lower case, neither cleaned nor cut. */
#include <string.h>

#include "checks/support.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_refusal *refusal)
{
	const struct bindery_realm *realm = refusal->binding->realm;
	const struct bindery_entry *entry = refusal->binding->realm_entry;
	struct diag_ref subject = diag_ref_make("Realm", p->namespace_, realm->name);
	const char *why = !*entry->name                 ? "the entry has no name"
			  : strlen(refusal->name) > 253 ? "it has more than 253 characters"
							: "it is no object name";
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"the binding of realm %s for module '%.70s' is not made, nor are those after it: its "
		"name would be '%.80s', and %s",
		realm->name, entry->name, refusal->name, why);
	const struct bindery_world *world;

	diag_finding_discriminate(finding, entry->name);
	diag_finding_at(finding, "realm", p->namespace_, realm->name);
	diag_finding_at(finding, "binding", p->namespace_, refusal->name);
	if (*entry->name)
		diag_finding_related(finding, bindery_ref_manifest(p->namespace_, entry->name));
	foreach_world(p, world)
		if (world->realm == realm)
			finding_about_world(finding, world);
	diag_finding_field(finding, subject, "spec.modules", "%s", entry->name);
	diag_finding_at_line(finding,
			     diag_snapshot_position_key(ctx->snapshot, entry->object, "name"));
	finding_at_spec(ctx, finding, realm->object, "modules");
	diag_finding_edit(
		finding,
		"name the ModuleManifest, and spec.modules[%zu].name of Realm %s, in lower "
		"case letters, digits, hyphens and dots",
		entry->index, realm->name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p)
		for (size_t i = 0; i < p->refusal_count; i++)
			if (p->refusals[i].rule == BINDERY_REFUSED_BINDING_NAME)
				report(ctx, p, &p->refusals[i]);
	return DIAG_OK;
}

DIAG_CHECK(realm_binding_name) = {
	.id = "realm.binding-name",
	.title = "Modules of realms have names that bindings may have",
	.fault = "F84",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The shared service does not run; the Realm shows nothing.",
	.hint = "Rename the module in the Realm.",
	.requires = DIAG_RESOURCES("realms.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.run = run,
};
