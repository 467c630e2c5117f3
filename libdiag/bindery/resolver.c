#include "bindery/resolver.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"
#include "text/json.h"

/* Wrong types read as the empty string: the operator could not have decoded the object at all
 * (F13). */
static const char *field(const json_t *entry, const char *key)
{
	const char *text = diag_json_str(entry, key);

	return text ? text : "";
}

static const char *trimmed(struct diag_arena *arena, const char *text)
{
	size_t length;
	const char *start = diag_str_trim(text, &length);

	return diag_arena_strndup(arena, start, length);
}

static const json_t *entries_of(const struct bindery_module *module, const char *list)
{
	return diag_json_array(module->manifest, "spec", list);
}

static size_t count_entries(const struct bindery_module *modules, size_t count, const char *list,
			    bool externals)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		if (externals || !modules[i].external)
			total += json_array_size(entries_of(&modules[i], list));
	return total;
}

static void list_provided(struct diag_arena *arena, struct bindery_resolution *resolution,
			  const struct bindery_module *module)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(entries_of(module, "provides"), i, entry) {
		struct bindery_provided *provided =
			&resolution->provided[resolution->provided_count++];

		*provided = (struct bindery_provided){
			.module = module,
			.entry = entry,
			.index = i,
			.capability = field(entry, "capabilityId"),
			.scope = field(entry, "scope"),
			.multiplicity = field(entry, "multiplicity"),
			.version = trimmed(arena, field(entry, "version")),
		};
		provided->parses =
			diag_semver_parse(provided->version, &provided->parsed, NULL) == 0;
	}
}

/* Only "many" asks for many; everything else takes both. An empty value counts as "1". */
static bool multiplicity_fits(const char *required, const char *provided)
{
	return strcmp(required, "many") != 0 || strcmp(provided, "many") == 0;
}

static enum bindery_miss test(const struct bindery_requirement *requirement,
			      const struct diag_constraint *constraint,
			      const struct bindery_provided *provided)
{
	if (!provided->parses)
		return BINDERY_MISS_UNPARSABLE;
	if (strcmp(requirement->scope, provided->scope) != 0)
		return BINDERY_MISS_SCOPE;
	if (!multiplicity_fits(requirement->multiplicity, provided->multiplicity))
		return BINDERY_MISS_MULTIPLICITY;
	if (!constraint || diag_constraint_holds(constraint, &provided->parsed))
		return BINDERY_FITS;
	if (diag_constraint_fails_on_prerelease(constraint, &provided->parsed))
		return BINDERY_MISS_PRERELEASE;
	return BINDERY_MISS_VERSION;
}

/* The providers of one capability, in the resolver's order. */
struct capability {
	const struct bindery_provided **items;
	size_t count, capacity;
};

/* What one resolution needs beside its result. */
struct resolving {
	struct diag_arena *arena;
	struct bindery_resolution *resolution;
	struct diag_map *capabilities; /* id -> struct capability */
};

static void index_capabilities(struct resolving *r)
{
	for (size_t i = 0; i < r->resolution->provided_count; i++) {
		const struct bindery_provided *provided = &r->resolution->provided[i];
		struct capability *capability = diag_map_get(r->capabilities, provided->capability);

		if (!capability) {
			capability = diag_arena_alloc(r->arena, sizeof(*capability));
			diag_map_set(r->capabilities, provided->capability, capability);
		}
		capability->items = diag_xgrow(capability->items, capability->count,
					       &capability->capacity, sizeof(*capability->items));
		capability->items[capability->count++] = provided;
	}
}

static void free_capability(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	free(((struct capability *)value)->items);
}

static void examine(struct resolving *r, struct bindery_requirement *requirement,
		    const struct diag_constraint *constraint)
{
	const struct capability *capability =
		diag_map_get(r->capabilities, requirement->capability);

	if (!capability)
		return;
	requirement->candidates =
		diag_arena_alloc(r->arena, capability->count * sizeof(*requirement->candidates));
	requirement->candidate_count = capability->count;
	for (size_t i = 0; i < capability->count; i++)
		requirement->candidates[i] = (struct bindery_candidate){
			capability->items[i], test(requirement, constraint, capability->items[i])
		};
}

/* Highest version first, then the provider's name. */
static int compare_candidates(const void *a, const void *b)
{
	const struct bindery_provided *one =
		(*(const struct bindery_candidate *const *)a)->provided;
	const struct bindery_provided *two =
		(*(const struct bindery_candidate *const *)b)->provided;
	int order = diag_semver_compare(&two->parsed, &one->parsed);

	if (!order)
		order = strcmp(one->module->name, two->module->name);
	/* Undefined in the operator; in the order of the list here, so that answers do not change.
	 */
	return order ? order : (one > two) - (one < two);
}

static void add_desired(struct bindery_resolution *resolution, struct bindery_desired desired)
{
	resolution->desired =
		diag_xgrow(resolution->desired, resolution->desired_count,
			   &resolution->desired_capacity, sizeof(*resolution->desired));
	resolution->desired[resolution->desired_count++] = desired;
}

static void bind(struct bindery_resolution *resolution,
		 const struct bindery_requirement *requirement,
		 const struct bindery_provided *provided)
{
	add_desired(resolution, (struct bindery_desired){
					.capability = requirement->capability,
					.scope = requirement->scope,
					.multiplicity = requirement->multiplicity,
					.consumer = requirement->module->name,
					.constraint = requirement->constraint,
					.mode = requirement->mode,
					.provider = provided->module->name,
					.version = provided->version,
					.provider_module = provided->module,
					.requirement = requirement,
				});
}

static void choose(struct resolving *r, struct bindery_requirement *requirement)
{
	diag_autofree const struct bindery_candidate **fit =
		diag_xcalloc(requirement->candidate_count, sizeof(*fit));
	size_t count = 0, take;

	for (size_t i = 0; i < requirement->candidate_count; i++)
		if (requirement->candidates[i].miss == BINDERY_FITS)
			fit[count++] = &requirement->candidates[i];
	if (!count)
		return;
	qsort(fit, count, sizeof(*fit), compare_candidates);
	take = strcmp(requirement->multiplicity, "many") == 0 ? count : 1;
	for (size_t i = 0; i < take; i++)
		bind(r->resolution, requirement, fit[i]->provided);
	requirement->resolved = true;
}

static void resolve_entry(struct resolving *r, const struct bindery_module *module,
			  const json_t *entry, size_t index)
{
	struct bindery_requirement *requirement =
		&r->resolution->requirements[r->resolution->requirement_count++];
	diag_constraint_auto struct diag_constraint *constraint = NULL;
	struct diag_error err = DIAG_ERROR_INIT;
	const char *text;

	*requirement = (struct bindery_requirement){
		.module = module,
		.entry = entry,
		.index = index,
		.capability = field(entry, "capabilityId"),
		.scope = field(entry, "scope"),
		.multiplicity = field(entry, "multiplicity"),
		.mode = field(entry, "dependencyMode"),
	};
	requirement->optional = strcmp(requirement->mode, "optional") == 0;
	text = trimmed(r->arena, field(entry, "versionConstraint"));
	requirement->constraint = *text ? text : "*";
	if (diag_constraint_parse_trimmed(requirement->constraint, &constraint, &err) < 0) {
		requirement->invalid = true;
		requirement->invalid_reason = diag_arena_strdup(r->arena, err.message);
	}
	examine(r, requirement, constraint);
	if (!requirement->invalid)
		choose(r, requirement);
	if (requirement->resolved)
		return;
	r->resolution->unresolved_optional += requirement->optional;
	r->resolution->unresolved_required += !requirement->optional;
}

static void resolve_module(struct resolving *r, const struct bindery_module *module)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(entries_of(module, "requires"), i, entry)
		resolve_entry(r, module, entry, i);
}

static struct bindery_desired root_of(struct diag_arena *arena, const char *world,
				      const struct bindery_module *module)
{
	const char *scope = diag_json_str(module->manifest, "spec", "scaling", "defaultScope");
	const char *version = diag_json_str(module->manifest, "spec", "module", "version");
	bool blank = !scope || !*trimmed(arena, scope);

	return (struct bindery_desired){
		.capability = "system.root",
		.scope = blank ? "world" : scope,
		.multiplicity = "1",
		.consumer = world,
		.constraint = "*",
		.mode = "required",
		.provider = module->name,
		.version = version ? version : "",
		.provider_module = module,
	};
}

/* Booklet modules that provide for nobody hang on the world itself; listed twice, they do so once.
 */
static void add_roots(struct resolving *r, const char *world, const struct bindery_module *modules,
		      size_t count)
{
	struct bindery_resolution *resolution = r->resolution;
	diag_map_auto struct diag_map *providers = diag_map_new();

	for (size_t i = 0; i < resolution->desired_count; i++)
		diag_map_set(providers, resolution->desired[i].provider, resolution);
	for (size_t i = 0; i < count; i++) {
		if (modules[i].external || diag_map_get(providers, modules[i].name))
			continue;
		add_desired(resolution, root_of(r->arena, world, &modules[i]));
		diag_map_set(providers, modules[i].name, resolution);
	}
}

static int compare_desired(const void *a, const void *b)
{
	const struct bindery_desired *one = a, *two = b;
	int order = strcmp(one->consumer, two->consumer);

	if (!order)
		order = strcmp(one->capability, two->capability);
	if (!order)
		order = strcmp(one->scope, two->scope);
	if (!order)
		order = strcmp(one->provider, two->provider);
	if (!order)
		order = strcmp(one->version, two->version);
	/* Undefined in the operator; by requirement here, so that answers do not change. */
	return order ? order
		     : (one->requirement > two->requirement) -
			       (one->requirement < two->requirement);
}

struct bindery_resolution *bindery_resolve(struct diag_arena *arena, const char *world,
					   const struct bindery_module *modules, size_t count)
{
	struct bindery_resolution *resolution = diag_arena_alloc(arena, sizeof(*resolution));
	diag_map_auto struct diag_map *capabilities = diag_map_new();
	struct resolving r = { arena, resolution, capabilities };
	size_t provided = count_entries(modules, count, "provides", true);
	size_t required = count_entries(modules, count, "requires", false);

	resolution->provided = diag_arena_alloc(arena, provided * sizeof(*resolution->provided));
	resolution->requirements =
		diag_arena_alloc(arena, required * sizeof(*resolution->requirements));
	for (size_t i = 0; i < count; i++)
		list_provided(arena, resolution, &modules[i]);
	index_capabilities(&r);
	for (size_t i = 0; i < count; i++)
		if (!modules[i].external)
			resolve_module(&r, &modules[i]);
	add_roots(&r, world, modules, count);
	if (resolution->desired_count)
		qsort(resolution->desired, resolution->desired_count, sizeof(*resolution->desired),
		      compare_desired);
	diag_map_each(capabilities, free_capability, NULL);
	return resolution;
}

void bindery_resolution_done(struct bindery_resolution *resolution)
{
	for (size_t i = 0; resolution && i < resolution->provided_count; i++)
		diag_semver_done(&resolution->provided[i].parsed);
	if (resolution)
		free(resolution->desired);
}
