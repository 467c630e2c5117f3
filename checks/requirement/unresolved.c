#include "checks/requirement/unresolved.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "bindery/names.h"
#include "text/json.h"

#include "checks/support.h"

/* The order in which a candidate is nearer to fitting: the resolver's order of tests, seen from the
 * end. */
static const struct {
	enum bindery_miss miss;
	enum unresolved_kind kind;
} nearness[] = {
	{ BINDERY_MISS_PRERELEASE, UNRESOLVED_PRERELEASE },
	{ BINDERY_MISS_UNPARSABLE, UNRESOLVED_PROVIDER_VERSION },
	{ BINDERY_MISS_VERSION, UNRESOLVED_VERSION },
	{ BINDERY_MISS_MULTIPLICITY, UNRESOLVED_MULTIPLICITY },
	{ BINDERY_MISS_SCOPE, UNRESOLVED_SCOPE },
};

/* A provider whose version does not parse is near only when the rest would fit. */
static bool counts(const struct bindery_requirement *requirement,
		   const struct bindery_candidate *candidate, enum bindery_miss miss, bool strict)
{
	const struct bindery_provided *provided = candidate->provided;

	if (candidate->miss != miss)
		return false;
	if (miss != BINDERY_MISS_UNPARSABLE || !strict)
		return true;
	return strcmp(provided->scope, requirement->scope) == 0 &&
	       (strcmp(requirement->multiplicity, "many") != 0 ||
		strcmp(provided->multiplicity, "many") == 0);
}

static const struct bindery_candidate *nearest(const struct bindery_requirement *requirement,
					       enum unresolved_kind *ret_kind, bool strict)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(nearness); i++) {
		for (size_t j = 0; j < requirement->candidate_count; j++) {
			const struct bindery_candidate *candidate = &requirement->candidates[j];

			if (!counts(requirement, candidate, nearness[i].miss, strict))
				continue;
			*ret_kind = nearness[i].kind;
			return candidate;
		}
	}
	return NULL;
}

static enum unresolved_kind classify(const struct bindery_requirement *requirement,
				     const struct bindery_candidate **ret_nearest)
{
	enum unresolved_kind kind = UNRESOLVED_NO_PROVIDER;

	*ret_nearest = nearest(requirement, &kind, true);
	if (!*ret_nearest)
		*ret_nearest = nearest(requirement, &kind, false);
	return requirement->invalid ? UNRESOLVED_INVALID_CONSTRAINT : kind;
}

/* What is said about the nearest provider, and the smallest edit that resolves the requirement. */
struct explanation {
	const struct bindery_world *world;
	const struct bindery_requirement *requirement;
	const struct bindery_provided *provider; /* NULL when there is none */
};

static void say_invalid(struct diag_finding *finding, const struct explanation *e)
{
	const struct bindery_requirement *r = e->requirement;
	diag_autofree char *meant = diag_constraint_suggest(r->constraint);

	diag_finding_message(finding,
			     "%s requires %s with a version constraint that does not parse: '%s'",
			     r->module->name, r->capability, r->constraint);
	diag_finding_note(finding, "%s", r->invalid_reason);
	diag_finding_edit(finding,
			  "in ModuleManifest %s, spec.requires[%zu].versionConstraint: \"%s\"",
			  r->module->name, r->index, meant ? meant : "^1.0.0");
}

/* A capability of almost the same name is a spelling mistake in one of the two. */
static const char *similar_capability(const struct bindery_world *world, const char *capability)
{
	const struct bindery_resolution *resolution = world->resolution;
	diag_autofree const char **names = diag_xcalloc(resolution->provided_count, sizeof(*names));

	for (size_t i = 0; i < resolution->provided_count; i++)
		names[i] = resolution->provided[i].capability;
	return diag_str_nearest(capability, names, resolution->provided_count);
}

bool requirement_is_meant_for(const struct bindery_world *world,
			      const struct bindery_requirement *requirement, const char *module)
{
	const char *similar;
	size_t i;

	for (i = 0; i < requirement->candidate_count; i++)
		if (strcmp(requirement->candidates[i].provided->module->name, module) == 0)
			return true;
	similar = requirement->candidate_count ? NULL
					       : similar_capability(world, requirement->capability);
	for (i = 0; similar && i < world->resolution->provided_count; i++) {
		const struct bindery_provided *provided = &world->resolution->provided[i];

		if (strcmp(provided->module->name, module) == 0 &&
		    strcmp(provided->capability, similar) == 0)
			return true;
	}
	return false;
}

/* A manifest of the namespace that provides it, but is in neither the Booklet nor the realm. */
static const char *unlisted_provider(const struct diag_check_ctx *ctx,
				     const struct bindery_world *world,
				     const struct bindery_requirement *r)
{
	const json_t *manifest, *entry;
	size_t i, j;

	json_array_foreach(
		diag_snapshot_subjects(ctx->snapshot, "modulemanifests.bindery.platform"), i,
		manifest) {
		if (!diag_str_eq(diag_ref_of(manifest).namespace_, world->namespace_))
			continue;
		json_array_foreach(diag_json_array(manifest, "spec", "provides"), j, entry) {
			if (diag_str_eq(diag_json_str(entry, "capabilityId"), r->capability))
				return diag_ref_of(manifest).name;
		}
	}
	return NULL;
}

static void say_no_provider(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			    const struct explanation *e)
{
	const struct bindery_requirement *r = e->requirement;
	const char *similar = similar_capability(e->world, r->capability);
	const char *unlisted = unlisted_provider(ctx, e->world, r);

	diag_finding_message(finding, "%s requires %s %s in scope %s, which nobody provides",
			     r->module->name, r->capability, r->constraint, r->scope);
	if (unlisted) {
		diag_finding_related(finding, bindery_ref_manifest(e->world->namespace_, unlisted));
		diag_finding_edit(finding, "add module %s, which provides it, to Booklet %s",
				  unlisted, e->world->booklet_name);
	} else if (similar) {
		diag_finding_edit(
			finding,
			"in ModuleManifest %s, spec.requires[%zu].capabilityId: %s (not %s)",
			r->module->name, r->index, similar, r->capability);
	} else {
		diag_finding_edit(finding,
				  "add a module that provides %s in scope %s to Booklet %s, or set "
				  "dependencyMode: optional on spec.requires[%zu] of %s",
				  r->capability, r->scope, e->world->booklet_name, r->index,
				  r->module->name);
	}
	if (bindery_scope_is_global(r->scope) && !e->world->realm_name)
		diag_finding_note(finding,
				  "world %s names no realm, where modules of scope %s usually "
				  "come from",
				  e->world->name, r->scope);
}

static void say_scope(struct diag_finding *finding, const struct explanation *e)
{
	const struct bindery_requirement *r = e->requirement;

	diag_finding_message(finding,
			     "%s requires %s in scope %s, but %s provides it in scope %s: scopes "
			     "must be equal",
			     r->module->name, r->capability, r->scope, e->provider->module->name,
			     e->provider->scope);
	diag_finding_edit(finding,
			  "in ModuleManifest %s, spec.requires[%zu].scope: %s; or in %s, "
			  "spec.provides[%zu].scope: %s",
			  r->module->name, r->index, e->provider->scope, e->provider->module->name,
			  e->provider->index, r->scope);
}

static void say_multiplicity(struct diag_finding *finding, const struct explanation *e)
{
	const struct bindery_requirement *r = e->requirement;

	diag_finding_message(
		finding,
		"%s requires many providers of %s, but %s provides it with multiplicity "
		"\"%s\"",
		r->module->name, r->capability, e->provider->module->name,
		*e->provider->multiplicity ? e->provider->multiplicity : "1");
	diag_finding_edit(finding,
			  "in ModuleManifest %s, spec.requires[%zu].multiplicity: \"1\"; or in %s, "
			  "spec.provides[%zu].multiplicity: many",
			  r->module->name, r->index, e->provider->module->name, e->provider->index);
}

static void say_version(struct diag_finding *finding, const struct explanation *e)
{
	const struct bindery_requirement *r = e->requirement;

	diag_finding_message(finding, "%s requires %s %s, but %s provides %s", r->module->name,
			     r->capability, r->constraint, e->provider->module->name,
			     e->provider->version);
	diag_finding_edit(finding,
			  "let %s provide a version that satisfies %s; or in ModuleManifest %s, "
			  "spec.requires[%zu].versionConstraint: \"^%s\"",
			  e->provider->module->name, r->constraint, r->module->name, r->index,
			  e->provider->version);
}

static void say_prerelease(struct diag_finding *finding, const struct explanation *e)
{
	const struct bindery_requirement *r = e->requirement;
	diag_constraint_auto struct diag_constraint *constraint = NULL;
	diag_autofree char *meant = NULL;

	diag_finding_message(finding,
			     "%s requires %s %s, but %s provides only the prerelease %s, which a "
			     "constraint without prerelease never accepts",
			     r->module->name, r->capability, r->constraint,
			     e->provider->module->name, e->provider->version);
	if (diag_constraint_parse_trimmed(r->constraint, &constraint, NULL) == 0)
		meant = diag_constraint_admit_prereleases(constraint);
	diag_finding_edit(finding,
			  "publish a release of %s; or in ModuleManifest %s, "
			  "spec.requires[%zu].versionConstraint: \"%s\"",
			  e->provider->module->name, r->module->name, r->index,
			  meant ? meant : e->provider->version);
}

static void say_provider_version(struct diag_finding *finding, const struct explanation *e)
{
	const struct bindery_requirement *r = e->requirement;
	struct diag_semver ignored diag_semver_auto = { 0 };
	struct diag_error why = DIAG_ERROR_INIT;

	diag_semver_parse(e->provider->version, &ignored, &why);
	diag_finding_message(
		finding,
		"%s requires %s, and %s provides it as version '%s', which the resolver "
		"cannot read and drops without a word",
		r->module->name, r->capability, e->provider->module->name, e->provider->version);
	diag_finding_note(finding, "%s", why.message);
	diag_finding_edit(finding, "in ModuleManifest %s, correct spec.provides[%zu].version",
			  e->provider->module->name, e->provider->index);
}

static void say(const struct diag_check_ctx *ctx, enum unresolved_kind kind,
		struct diag_finding *finding, const struct explanation *e)
{
	switch (kind) {
	case UNRESOLVED_INVALID_CONSTRAINT:
		say_invalid(finding, e);
		return;
	case UNRESOLVED_NO_PROVIDER:
		say_no_provider(ctx, finding, e);
		return;
	case UNRESOLVED_SCOPE:
		say_scope(finding, e);
		return;
	case UNRESOLVED_MULTIPLICITY:
		say_multiplicity(finding, e);
		return;
	case UNRESOLVED_VERSION:
		say_version(finding, e);
		return;
	case UNRESOLVED_PRERELEASE:
		say_prerelease(finding, e);
		return;
	case UNRESOLVED_PROVIDER_VERSION:
		say_provider_version(finding, e);
		return;
	}
	DIAG_UNREACHABLE();
}

static const char *miss_text(enum bindery_miss miss)
{
	static const char *const texts[] = {
		[BINDERY_FITS] = "would fit",
		[BINDERY_MISS_UNPARSABLE] = "its version cannot be read",
		[BINDERY_MISS_SCOPE] = "other scope",
		[BINDERY_MISS_MULTIPLICITY] = "multiplicity 1",
		[BINDERY_MISS_VERSION] = "version not accepted",
		[BINDERY_MISS_PRERELEASE] = "a prerelease",
	};

	return texts[miss];
}

/* Which providers exist, and what each fails on. */
static void list_candidates(struct diag_finding *finding, const struct bindery_world *world,
			    const struct bindery_requirement *r)
{
	for (size_t i = 0; i < r->candidate_count; i++) {
		const struct bindery_provided *provided = r->candidates[i].provided;
		struct diag_ref ref =
			bindery_ref_manifest(world->namespace_, provided->module->name);

		diag_finding_field(finding, ref, "spec.provides", "%s %s, scope %s: %s",
				   provided->capability, provided->version, provided->scope,
				   miss_text(r->candidates[i].miss));
		diag_finding_related(finding, ref);
	}
}

/* Modules that nobody is bound to now: they become root modules beside the consumer (F26). */
static void list_unclaimed(struct diag_finding *finding, const struct bindery_world *world,
			   const struct bindery_requirement *r)
{
	for (size_t i = 0; i < world->module_count; i++) {
		const char *module = world->modules[i].name;

		if (!requirement_is_meant_for(world, r, module))
			continue;
		diag_finding_at(finding, "unclaimed", world->namespace_, module);
		diag_finding_related(finding, bindery_ref_manifest(world->namespace_, module));
	}
}

/* Another world of the same Booklet and realm gives the same answer. */
static bool is_same(const struct bindery_world *a, const struct bindery_world *b)
{
	return a->booklet == b->booklet && a->realm == b->realm && a->realm_name == b->realm_name;
}

static bool was_reported(const struct bindery_prediction *p, const struct bindery_world *world)
{
	const struct bindery_world *earlier;

	for (earlier = p->worlds; earlier < world; earlier++)
		if (is_same(earlier, world) && !bindery_is_deleting(earlier->object))
			return true;
	return false;
}

static void locate(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		   const struct bindery_requirement *r, enum unresolved_kind kind)
{
	static const char *const keys[] = {
		[UNRESOLVED_INVALID_CONSTRAINT] = "versionConstraint",
		[UNRESOLVED_NO_PROVIDER] = "capabilityId",
		[UNRESOLVED_SCOPE] = "scope",
		[UNRESOLVED_MULTIPLICITY] = "multiplicity",
		[UNRESOLVED_VERSION] = "versionConstraint",
		[UNRESOLVED_PRERELEASE] = "versionConstraint",
		[UNRESOLVED_PROVIDER_VERSION] = "capabilityId",
	};

	diag_finding_at_line(finding,
			     diag_snapshot_position_key(ctx->snapshot, r->entry, keys[kind]));
	diag_finding_at_line(finding, diag_snapshot_position_self(ctx->snapshot, r->entry));
}

/* A manifest that is refused as it stands explains what does not fit to it. */
static void need_modules(struct diag_finding *finding, const struct bindery_world *world,
			 const struct bindery_requirement *r)
{
	diag_finding_needs(finding, "module", world->namespace_, r->module->name);
	for (size_t i = 0; i < r->candidate_count; i++)
		diag_finding_needs(finding, "module", world->namespace_,
				   r->candidates[i].provided->module->name);
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_world *world, const struct bindery_requirement *r,
		   const struct bindery_candidate *near, enum unresolved_kind kind)
{
	struct diag_ref subject = bindery_ref_manifest(world->namespace_, r->module->name);
	struct diag_finding *finding = diag_check_find(ctx, subject, "unresolved");
	struct explanation e = { world, r, near ? near->provided : NULL };
	const struct bindery_world *other;

	if (r->optional)
		finding->severity = DIAG_SEVERITY_INFO;
	diag_finding_discriminate(finding, r->capability);
	say(ctx, kind, finding, &e);
	foreach_world(p, other)
		if (is_same(other, world))
			finding_about_world(finding, other);
	need_modules(finding, world, r);
	diag_finding_related(finding, bindery_ref_booklet(world));
	diag_finding_field(finding, subject, "spec.requires",
			   "%s %s, scope %s, multiplicity %s, %s", r->capability, r->constraint,
			   r->scope, *r->multiplicity ? r->multiplicity : "1",
			   r->optional ? "optional" : "required");
	list_candidates(finding, world, r);
	list_unclaimed(finding, world, r);
	locate(ctx, finding, r, kind);
	if (kind == UNRESOLVED_NO_PROVIDER && bindery_scope_is_global(r->scope) &&
	    world->realm_name)
		diag_finding_needs(finding, "realm", world->namespace_, world->realm_name);
}

static void check_world(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
			const struct bindery_world *world, enum unresolved_kind wanted)
{
	for (size_t i = 0; i < world->resolution->requirement_count; i++) {
		const struct bindery_requirement *r = &world->resolution->requirements[i];
		const struct bindery_candidate *near;

		if (!r->resolved && classify(r, &near) == wanted)
			report(ctx, p, world, r, near, wanted);
	}
}

void report_unresolved(const struct diag_check_ctx *ctx, enum unresolved_kind kind)
{
	const struct bindery_prediction *p;
	const struct bindery_world *world;

	foreach_prediction(ctx, p)
		foreach_world(p, world)
			if (world->resolution && !bindery_is_deleting(world->object) &&
			    !was_reported(p, world))
				check_world(ctx, p, world, kind);
}
