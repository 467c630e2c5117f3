/*
 * F26: modules that provide for nobody hang on the world by a root binding, whose name does not
 * hold the provider: two of one scope in one world overwrite each other without end.
 */
#include <string.h>

#include "base/alloc.h"
#include "text/json.h"

#include "checks/requirement/unresolved.h"
#include "checks/support.h"

/* The roots of one scope in one world. */
struct roots {
	const struct bindery_desired **items;
	size_t count;
};

static struct roots roots_of(const struct bindery_world *world, const char *scope,
			     const struct bindery_desired **room)
{
	struct roots roots = { room, 0 };

	for (size_t i = 0; i < world->resolution->desired_count; i++) {
		const struct bindery_desired *desired = &world->resolution->desired[i];

		if (desired->requirement || strcmp(desired->scope, scope) != 0)
			continue;
		/* A module listed twice is one root twice: the same object, no fight. */
		if (roots.count &&
		    strcmp(roots.items[roots.count - 1]->provider, desired->provider) == 0)
			continue;
		roots.items[roots.count++] = desired;
	}
	return roots;
}

/* A root only because a requirement that is meant for it is not resolved. */
static bool is_unclaimed(const struct bindery_world *world, const char *module)
{
	for (size_t i = 0; i < world->resolution->requirement_count; i++) {
		const struct bindery_requirement *r = &world->resolution->requirements[i];

		if (!r->resolved && requirement_is_meant_for(world, r, module))
			return true;
	}
	return false;
}

/* When at most one root would be left, the unresolved requirement is the cause of the collision. */
static void link_to_requirement(struct diag_finding *finding, const struct bindery_world *world,
				const struct roots *roots)
{
	size_t left = 0;

	for (size_t i = 0; i < roots->count; i++)
		left += !is_unclaimed(world, roots->items[i]->provider);
	for (size_t i = 0; left <= 1 && i < roots->count; i++)
		diag_finding_needs(finding, "unclaimed", world->namespace_,
				   roots->items[i]->provider);
}

static const char *binding_name(const struct bindery_prediction *p,
				const struct bindery_desired *desired)
{
	const struct bindery_binding *binding;

	foreach_binding(p, binding)
		if (binding->desired == desired)
			return binding->name;
	return "";
}

static void add_evidence(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			 const struct bindery_world *world, const char *name)
{
	const json_t *real = diag_snapshot_get(ctx->snapshot, "capabilitybindings.bindery.platform",
					       world->namespace_, name);
	int64_t generation = diag_json_int(real, 0, "metadata", "generation");

	diag_finding_related(finding, diag_ref_make("CapabilityBinding", world->namespace_, name));
	if (real)
		diag_finding_field(finding, diag_ref_of(real), "metadata.generation",
				   "%lld: rewritten that often", (long long)generation);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_world *world, const struct roots *roots)
{
	const char *scope = roots->items[0]->scope;
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_booklet(world),
		"%s and %s%s of world %s have no consumer in scope %s: they fight over one root "
		"binding",
		roots->items[0]->provider, roots->items[1]->provider,
		roots->count > 2 ? " and others" : "", world->name, scope);

	diag_finding_discriminate(finding, scope);
	finding_about_world(finding, world);
	add_evidence(ctx, finding, world, binding_name(p, roots->items[0]));
	for (size_t i = 0; i < roots->count; i++)
		diag_finding_related(finding, bindery_ref_manifest(world->namespace_,
								   roots->items[i]->provider));
	finding_at_spec(ctx, finding, world->booklet->object, "modules");
	link_to_requirement(finding, world, roots);
	diag_finding_edit(finding,
			  "let one of them require a capability of each other one, so that at most "
			  "one stays without consumer in scope %s, or give them different "
			  "spec.scaling.defaultScope",
			  scope);
}

static bool was_seen(const struct bindery_resolution *resolution, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (!resolution->desired[i].requirement &&
		    strcmp(resolution->desired[i].scope, resolution->desired[index].scope) == 0)
			return true;
	return false;
}

static void check_world(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			const struct bindery_world *world)
{
	const struct bindery_resolution *resolution = world->resolution;
	diag_autofree const struct bindery_desired **room =
		diag_xcalloc(resolution->desired_count, sizeof(*room));

	for (size_t i = 0; i < resolution->desired_count; i++) {
		struct roots roots;

		if (resolution->desired[i].requirement || was_seen(resolution, i))
			continue;
		roots = roots_of(world, resolution->desired[i].scope, room);
		if (roots.count > 1)
			report(ctx, p, world, &roots);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_resolved_world(ctx, check_world);
	return DIAG_OK;
}

DIAG_CHECK(binding_root_collision) = {
	.id = "binding.root-collision",
	.title = "At most one module of each scope has no consumer",
	.fault = "F26",
	.severity = DIAG_SEVERITY_ERROR,
	.impact =
		"The modules start at random or never, and the operator rewrites the binding without "
		"end.",
	.hint = "Give the modules a consumer relation, or different default scopes.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("capabilitybindings.bindery.platform",
				   "realms.bindery.platform"),
	.run = run,
};
