/*
 * F30, F82, F95: a binding that the resolver (or, for a realm's own, the realm controller) has to
 * make is not there. One finding for each world or Realm, however many are missing: a deleted
 * shard binding is not made again by itself.
 */
#include <inttypes.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/condition.h"
#include "text/json.h"

#include "checks/actor.h"

enum { MOST_NAMED = 3 };

/* The missing bindings of one owner, by a pass over the prediction. */
struct missing {
	const struct bindery_binding *first;
	size_t count, there;
	struct diag_buf names;
};

static bool is_expected(const struct bindery_binding *binding)
{
	return !binding->refused && !binding->contested && binding->provider;
}

static bool belongs(const struct bindery_binding *binding, const struct bindery_world *world,
		    const struct bindery_realm *realm)
{
	return world ? binding->world == world : binding->realm == realm;
}

static void count_missing(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			  const struct bindery_world *world, const struct bindery_realm *realm,
			  struct missing *missing)
{
	const struct bindery_binding *binding;

	foreach_binding(p, binding) {
		if (!belongs(binding, world, realm) || !is_expected(binding))
			continue;
		if (bindery_view_binding(view_of(ctx), binding)) {
			missing->there++;
			continue;
		}
		if (!missing->count++)
			missing->first = binding;
		if (missing->count <= MOST_NAMED)
			diag_buf_printf(&missing->names, "%s%s", missing->count > 1 ? ", " : "",
					binding->name);
	}
}

static const char *fault_of(const struct missing *missing)
{
	if (!missing->first->world)
		return "F82";
	return missing->first->shard >= 0 && missing->there ? "F95" : "F30";
}

static void report(const struct diag_check_ctx *ctx, const struct missing *missing,
		   struct diag_ref owner)
{
	const struct bindery_binding *first = missing->first;
	struct diag_ref binding =
		diag_ref_make("CapabilityBinding", first->namespace_, first->name);
	struct diag_finding *finding = diag_check_find(
		ctx, missing->count == 1 ? binding : owner, "%s %s lacks %zu of %zu bindings: %s%s",
		owner.kind, owner.name, missing->count, missing->count + missing->there,
		diag_buf_str(&missing->names), missing->count > MOST_NAMED ? " and more" : "");

	finding->fault = fault_of(missing);
	diag_finding_at(finding, "bindings", owner.namespace_, owner.name);
	diag_finding_needs(finding, "operator", NULL, "operator");
	diag_finding_needs(finding, "shards", owner.namespace_, owner.name);
	diag_finding_needs(finding, "world", owner.namespace_, owner.name);
	if (first->workload)
		diag_finding_at(finding, "workload", first->namespace_, first->workload->name);
	diag_finding_related(finding, owner);
	if (first->provider)
		diag_finding_related(finding,
				     bindery_ref_manifest(first->namespace_, first->provider));
	finding_actor(ctx, finding, binding);
	if (first->world) {
		diag_finding_at(finding, "world", owner.namespace_, owner.name);
		finding_poke(finding, "world", owner.namespace_, owner.name);
	} else {
		finding_poke(finding, "realm", owner.namespace_, owner.name);
	}
}

/* The resolver has seen the world as it is, and says that everything is resolved. */
static bool is_settled(const struct diag_check_ctx *ctx, const struct bindery_world *world)
{
	const json_t *condition = diag_condition(world->object, "BindingsResolved");

	return diag_str_eq(diag_json_str(condition, "status"), "True") &&
	       diag_json_int(world->object, 0, "status", "observedGeneration") >=
		       diag_json_int(world->object, 0, "metadata", "generation") &&
	       !diag_check_is_young(ctx, diag_changed_at(world->object));
}

static void check_owner(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			const struct bindery_world *world, const struct bindery_realm *realm,
			struct diag_ref owner)
{
	struct missing missing = { 0 };

	diag_buf_init(&missing.names, DIAG_MAX_MESSAGE);
	count_missing(ctx, p, world, realm, &missing);
	if (missing.count)
		report(ctx, &missing, owner);
	diag_buf_done(&missing.names);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p)
		foreach_world(p, world)
			if (world->resolution && !bindery_is_deleting(world->object) &&
			    is_settled(ctx, world))
				check_owner(ctx, p, world, NULL, bindery_ref_world(world));
	return DIAG_OK;
}

DIAG_CHECK(binding_missing) = {
	.id = "binding.missing",
	.title = "Every binding that resolved requirements ask for exists",
	.fault = "F30",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "A module does not run, or its consumers do not get its address.",
	.hint = "Annotate the world, so that the resolver makes them again.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform",
				   "capabilitybindings.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform", ACTOR_RESOURCES),
	.run = run,
};
