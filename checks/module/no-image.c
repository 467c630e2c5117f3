/* F35: without an image no workload is made; by convention the module then runs at the client. */
#include <string.h>

#include "checks/support.h"

/* A binding in which somebody with a workload of its own depends on the module, or NULL. */
static const struct bindery_binding *server_side_use(const struct bindery_prediction *p,
						     const char *module)
{
	const struct bindery_binding *binding;

	foreach_binding(p, binding) {
		const json_t *consumer;

		if (binding->root || strcmp(binding->provider, module) != 0 ||
		    strcmp(binding->consumer, module) == 0)
			continue;
		consumer = bindery_prediction_manifest(p, binding->consumer);
		if (bindery_manifest_image(consumer))
			return binding;
	}
	return NULL;
}

static const struct bindery_world *world_of(const struct bindery_prediction *p, const char *module)
{
	const struct bindery_world *world;

	foreach_world(p, world)
		for (size_t i = 0; i < world->module_count; i++)
			if (strcmp(world->modules[i].name, module) == 0)
				return world;
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_world *world, const json_t *manifest)
{
	const char *module = diag_ref_of(manifest).name;
	const struct bindery_binding *use = server_side_use(p, module);
	struct diag_finding *finding = diag_check_find(
		ctx, diag_ref_of(manifest), "module %s has no image, so no server runs for it%s%s",
		module, use ? ", although it serves " : "", use ? use->consumer : "");

	if (!use)
		finding->severity = DIAG_SEVERITY_INFO;
	finding_about_world(finding, world);
	diag_finding_at(finding, "module", p->namespace_, module);
	diag_finding_needs(finding, "module", p->namespace_, module);
	if (use) {
		diag_finding_related(finding,
				     diag_ref_make("CapabilityBinding", p->namespace_, use->name));
		diag_finding_related(finding, bindery_ref_manifest(p->namespace_, use->consumer));
	}
	diag_finding_note(finding, "neither spec.runtime.image nor the annotation "
				   "bindery.dev/runtime-image is set");
	finding_at_spec(ctx, finding, manifest, "runtime");
	diag_finding_edit(finding, "set spec.runtime.image of ModuleManifest %s; then:", module);
	if (use)
		finding_poke(finding, "capbind", p->namespace_, use->name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *manifest;

	diag_snapshot_foreach(ctx->snapshot, "modulemanifests.bindery.platform", manifest) {
		struct diag_ref ref = diag_ref_of(manifest);
		const struct bindery_prediction *p =
			bindery_view_prediction(view_of(ctx), ref.namespace_);
		const struct bindery_world *world = p ? world_of(p, ref.name) : NULL;

		if (world && !bindery_manifest_image(manifest))
			report(ctx, p, world, manifest);
	}
	return DIAG_OK;
}

DIAG_CHECK(module_no_image) = {
	.id = "module.no-image",
	.title = "Modules that serve others have an image",
	.fault = "F35",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "No Deployment and no address: consumers start without it.",
	.hint = "Set the image, unless the module is meant for the client.",
	.requires = DIAG_RESOURCES("modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "realms.bindery.platform"),
	.run = run,
};
