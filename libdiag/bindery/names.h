/*
 * The names the operator gives to what it makes. Source: bindery-platform.md section 3, checked
 * there against the code. All results live in the arena.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/** `cb-{world}-{consumer}-{capability}-{scope}-{multiplicity}`, and for a shard (>= 0)
 * `-shard-{id}`. */
char *bindery_name_binding(struct diag_arena *arena, const char *world, const char *consumer,
			   const char *capability, const char *scope, const char *multiplicity,
			   int64_t shard);

/** `realm-{realm}-{module}`, lower-cased and nothing else: it may be an invalid name. */
char *bindery_name_realm_binding(struct diag_arena *arena, const char *realm, const char *module);

/** Service and Deployment: `rt-{world}[-shard-{label}]-{module}`; `world` "global" for shared ones.
 */
char *bindery_name_runtime(struct diag_arena *arena, const char *world, const char *shard,
			   const char *module);

/** Deployment of a Pod group: as runtime with module `coloc-{group}`. */
char *bindery_name_group(struct diag_arena *arena, const char *world, const char *shard,
			 const char *group);

/** `ws-{world}-{id, at least four digits}`. */
char *bindery_name_shard(struct diag_arena *arena, const char *world, int64_t id);

/** `wsc-{world}-{shard object or empty}-{tier}`. */
char *bindery_name_claim(struct diag_arena *arena, const char *world, const char *shard_object,
			 const char *tier);

/** `pvc-{world}-{shard object or empty}-{tier}`. */
char *bindery_name_pvc(struct diag_arena *arena, const char *world, const char *shard_object,
		       const char *tier);

/** The environment variable part of a capability: dots to `_`, upper case, hyphens stay. */
char *bindery_name_env(struct diag_arena *arena, const char *capability);

/** Scopes whose workloads are shared by all worlds of a namespace: cluster, region, realm. */
bool bindery_scope_is_global(const char *scope);
