/*
 * F30, F95: a binding that the resolver has to make is not there. One finding for each world,
 * however many are missing: a deleted shard binding is not made again by itself.
 */
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/condition.h"
#include "text/json.h"

#include "checks/actor.h"

enum { MOST_NAMED = 3 };

/* The missing bindings of one world, by a pass over the prediction. */
struct missing {
	const struct bindery_binding *first;
	size_t count, there;
	struct diag_buf names;
};

static bool is_expected(const struct bindery_binding *binding)
{
	return !binding->refused && !binding->contested && binding->provider;
}

static void count_missing(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			  const struct bindery_world *world, struct missing *missing)
{
	const struct bindery_binding *binding;

	foreach_binding(p, binding) {
		if (binding->world != world || !is_expected(binding))
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

static void report(const struct diag_check_ctx *ctx, const struct bindery_world *world,
		   const struct missing *missing)
{
	const struct bindery_binding *first = missing->first;
	struct diag_ref binding =
		diag_ref_make("CapabilityBinding", first->namespace_, first->name);
	struct diag_finding *finding = diag_check_find(
		ctx, missing->count == 1 ? binding : bindery_ref_world(world),
		"WorldInstance %s lacks %zu of %zu bindings: %s%s", world->name, missing->count,
		missing->count + missing->there, diag_buf_str(&missing->names),
		missing->count > MOST_NAMED ? " and more" : "");

	if (first->shard >= 0 && missing->there)
		finding->fault = "F95";
	diag_finding_needs(finding, "shards", world->namespace_, world->name);
	diag_finding_needs(finding, "world", world->namespace_, world->name);
	if (first->workload)
		diag_finding_at(finding, "workload", first->namespace_, first->workload->name);
	finding_about_world(finding, world);
	diag_finding_related(finding, bindery_ref_manifest(first->namespace_, first->provider));
	finding_actor(ctx, finding, binding);
	finding_poke(finding, "world", world->namespace_, world->name);
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

static void check_world(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			const struct bindery_world *world)
{
	struct missing missing = { 0 };

	if (!is_settled(ctx, world))
		return;
	diag_buf_init(&missing.names, DIAG_MAX_MESSAGE);
	count_missing(ctx, p, world, &missing);
	if (missing.count)
		report(ctx, world, &missing);
	diag_buf_done(&missing.names);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_resolved_world(ctx, check_world);
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
