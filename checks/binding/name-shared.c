/*
 * F29: parts of a binding's name are joined by hyphens, and dots become hyphens: two worlds or
 * realms may compute one name. Whoever made the binding keeps it; the other's pass fails there each
 * time, before it writes its status.
 */
#include <string.h>

#include "base/arena.h"
#include "base/str.h"
#include "bindery/names.h"
#include "text/json.h"

#include "checks/operator/operators.h"

static struct diag_ref owner_of(const struct bindery_binding *binding)
{
	return binding->world ? bindery_ref_world(binding->world)
			      : diag_ref_make("Realm", binding->namespace_, binding->realm->name);
}

static const json_t *object_of(const struct bindery_binding *binding)
{
	return binding->world ? binding->world->object : binding->realm->object;
}

/* The first contender that another world or realm wants, or that differs by spelling. */
static const struct bindery_binding *contender(const struct bindery_collision *collision)
{
	const struct bindery_binding *first = collision->bindings;

	for (size_t i = 1; i < collision->count; i++) {
		const struct bindery_binding *other = &collision->bindings[i];

		if (other->world != first->world || other->realm != first->realm)
			return other;
	}
	return collision->count > 1 ? &collision->bindings[1] : NULL;
}

/* Whose controller reference the real binding carries. */
static const char *real_owner(const json_t *real)
{
	const json_t *owner;
	size_t i;

	json_array_foreach(diag_json_array(real, "metadata", "ownerReferences"), i, owner) {
		if (diag_json_true_at(owner, DIAG_PATH("controller")))
			return diag_json_str(owner, "name");
	}
	return NULL;
}

/* Both consumers compute one workload name, too: one renaming mends both. */
static void link_workloads(struct diag_finding *finding, const struct bindery_binding *a,
			   const struct bindery_binding *b)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	const char *one, *other;

	if (!a->world || !b->world)
		return;
	one = bindery_name_runtime(arena, a->world->name, NULL, a->consumer);
	other = bindery_name_runtime(arena, b->world->name, NULL, b->consumer);
	if (strcmp(one, other) == 0)
		diag_finding_at(finding, "name", a->namespace_, one);
}

static void add_evidence(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			 const struct bindery_binding *a, const struct bindery_binding *b)
{
	const struct bindery_binding *both[] = { a, b };
	const json_t *real = bindery_view_binding(view_of(ctx), a);
	const char *owner = real_owner(real);

	for (size_t i = 0; i < 2; i++)
		diag_finding_note(finding, "%s %s: %s requires %s from %s", owner_of(both[i]).kind,
				  owner_of(both[i]).name, both[i]->consumer, both[i]->capability,
				  both[i]->provider);
	if (owner)
		diag_finding_field(finding, diag_ref_of(real), "metadata.ownerReferences", "%s",
				   owner);
	finding_operator_log(ctx, finding, "is already owned by another");
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_collision *collision,
		   const struct bindery_binding *a, const struct bindery_binding *b)
{
	const char *owner = real_owner(bindery_view_binding(view_of(ctx), a));
	/* Who cannot have it: not the one that owns it already. */
	const struct bindery_binding *loser =
		diag_str_eq(owner, owner_of(b).name) && !diag_str_eq(owner, owner_of(a).name) ? a
											      : b;
	const struct bindery_binding *holder = loser == b ? a : b;
	struct diag_finding *finding = diag_check_find(
		ctx, owner_of(loser), "%s %s and %s %s compute one binding name: %s",
		owner_of(holder).kind, owner_of(holder).name, owner_of(loser).kind,
		owner_of(loser).name, collision->name);

	diag_finding_discriminate(finding, owner_of(holder).name);
	diag_finding_related(finding, owner_of(holder));
	diag_finding_related(finding,
			     diag_ref_make("CapabilityBinding", a->namespace_, collision->name));
	diag_finding_at(finding, "binding", a->namespace_, collision->name);
	if (loser->world)
		finding_about_world(finding, loser->world);
	link_workloads(finding, a, b);
	diag_finding_related(finding, bindery_ref_manifest(a->namespace_, a->consumer));
	diag_finding_related(finding, bindery_ref_manifest(b->namespace_, b->consumer));
	add_evidence(ctx, finding, a, b);
	finding_at_spec(ctx, finding, object_of(loser), NULL);
	diag_finding_edit(finding, "rename %s %s, or one of the modules %s and %s",
			  owner_of(loser).kind, owner_of(loser).name, a->consumer, b->consumer);
}

/* Of one world: two consumers whose names differ in what the rule drops. */
static void report_spelling(const struct diag_check_ctx *ctx,
			    const struct bindery_collision *collision,
			    const struct bindery_binding *a, const struct bindery_binding *b)
{
	struct diag_finding *finding = diag_check_find(
		ctx, owner_of(a),
		"%s and %s compute one binding name in %s: %s requires %s, %s requires %s",
		a->consumer, b->consumer, owner_of(a).name, a->consumer, a->capability, b->consumer,
		b->capability);

	diag_finding_discriminate(finding, collision->name);
	if (a->world)
		finding_about_world(finding, a->world);
	diag_finding_at(finding, "binding", a->namespace_, collision->name);
	diag_finding_related(finding,
			     diag_ref_make("CapabilityBinding", a->namespace_, collision->name));
	finding_at_spec(ctx, finding, object_of(a), NULL);
	diag_finding_edit(finding, "rename module %s or module %s", a->consumer, b->consumer);
}

/* Two worlds whose names are alike share many names: the first tells of them. */
static bool was_told(const struct bindery_prediction *p, const struct bindery_collision *collision,
		     const struct bindery_binding *a, const struct bindery_binding *b)
{
	for (const struct bindery_collision *c = p->collisions; c < collision; c++) {
		const struct bindery_binding *other = contender(c);

		if (c->kind == BINDERY_COLLISION_OWNERS && other &&
		    c->bindings->world == a->world && c->bindings->realm == a->realm &&
		    other->world == b->world && other->realm == b->realm)
			return true;
	}
	return false;
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_collision *collision;

	foreach_prediction(ctx, p) {
		foreach_item(collision, p->collisions, p->collision_count) {
			const struct bindery_binding *a = collision->bindings;
			const struct bindery_binding *b = contender(collision);

			if (!b)
				continue;
			if (collision->kind == BINDERY_COLLISION_SPELLING)
				report_spelling(ctx, collision, a, b);
			else if (collision->kind == BINDERY_COLLISION_OWNERS &&
				 !was_told(p, collision, a, b))
				report(ctx, collision, a, b);
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(binding_name_shared) = {
	.id = "binding.name-shared",
	.title = "No two worlds or realms compute one binding name",
	.fault = "F29",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "One of the two cannot write the binding: its status stops following it.",
	.hint = "Rename one world, realm or module.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform", "capabilitybindings.bindery.platform",
				   "deployments.apps", "pods", "replicasets.apps", "logs"),
	.run = run,
};
