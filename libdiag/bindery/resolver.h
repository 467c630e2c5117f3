/*
 * The operator's resolver, as a pure function: which provider each requirement gets, and which stay
 * without. Source: bindery-platform.md section 4, quirks Q1 to Q10 included.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "text/semver.h"

/* A module that takes part: a Booklet entry with a manifest, or one of the world's realm. */
struct bindery_module {
	const char *name;       /* of the ModuleManifest */
	const json_t *manifest; /* never NULL here */
	bool external;          /* from the realm: provides, never consumes */
};

/* One entry of provides[]. */
struct bindery_provided {
	const struct bindery_module *module;
	const json_t *entry;
	size_t index;                                            /* in provides[] */
	const char *capability, *scope, *multiplicity, *version; /* version trimmed */
	struct diag_semver parsed;
	bool parses; /* else the resolver drops it without a word */
};

/* Why a provider of the right capability was passed over, in the resolver's order of tests. */
enum bindery_miss {
	BINDERY_FITS,
	BINDERY_MISS_UNPARSABLE, /* its own version does not parse */
	BINDERY_MISS_SCOPE,
	BINDERY_MISS_MULTIPLICITY,
	BINDERY_MISS_VERSION,
	BINDERY_MISS_PRERELEASE, /* only because it is a prerelease */
};

struct bindery_candidate {
	const struct bindery_provided *provided;
	enum bindery_miss miss;
};

/* One entry of requires[]. */
struct bindery_requirement {
	const struct bindery_module *module;
	const json_t *entry;
	size_t index; /* in requires[] */
	const char *capability, *scope, *multiplicity;
	const char *constraint; /* trimmed, "*" when empty */
	const char *mode;       /* dependencyMode as written */
	bool optional;
	bool invalid;                         /* the constraint does not parse */
	const char *invalid_reason;           /* in plain words */
	struct bindery_candidate *candidates; /* providers of the capability, whatever their fate */
	size_t candidate_count;
	bool resolved;
};

/* A binding that the resolver wants, before names and shards. */
struct bindery_desired {
	const char *capability, *scope, *multiplicity;
	const char *consumer, *constraint, *mode;
	const char *provider, *version;
	const struct bindery_module *provider_module;
	const struct bindery_requirement *requirement; /* NULL for a root binding */
};

struct bindery_resolution {
	struct bindery_provided *provided;
	size_t provided_count;
	struct bindery_requirement *requirements; /* in order of modules and entries */
	size_t requirement_count;
	size_t unresolved_required;      /* what puts the world into phase Error */
	size_t unresolved_optional;      /* dependencyMode exactly `optional` */
	struct bindery_desired *desired; /* sorted as the operator sorts */
	size_t desired_count, desired_capacity;
};

/**
 * Resolve one world.
 *
 * @world   name of the WorldInstance, the consumer of root bindings
 * @modules Booklet modules in list order, then external ones
 *
 * Returns a resolution that lives in the arena; never fails. Call bindery_resolution_done() for
 * what was allocated beside it.
 */
struct bindery_resolution *bindery_resolve(struct diag_arena *arena, const char *world,
					   const struct bindery_module *modules, size_t count);
void bindery_resolution_done(struct bindery_resolution *resolution);
