/*
 * What the operator would make of a namespace: from worlds, Booklets, ModuleManifests and Realms to
 * bindings, shards, Services, Deployments and claims. The offline gate looks at it alone; live
 * checks compare the real objects with it. Source: bindery-platform.md sections 3 to 7.
 *
 * A prediction is links between arrays: iterate worlds, bindings, collisions, workloads, claims,
 * cycles and refusals, and follow the pointers. Everything lives as long as the prediction; json_t
 * and strings of the inputs are borrowed from them. The objects themselves are built on demand, see
 * bindery/objects.h.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bindery/manifest.h"
#include "bindery/resolver.h"

/* An entry of a Booklet's or Realm's modules[]. */
struct bindery_entry {
	const char *name;
	const json_t *object; /* the entry itself */
	size_t index;
	bool required;          /* of a Booklet entry; a missing field means true */
	const json_t *manifest; /* NULL: no ModuleManifest of that name */
};

struct bindery_entries {
	struct bindery_entry *items;
	size_t count;
};

enum bindery_strategy { BINDERY_ALONE, BINDERY_GROUP_NODE, BINDERY_GROUP_POD };

/* An entry of a Booklet's colocation[]. */
struct bindery_group {
	const char *name;
	const json_t *object;
	size_t index;
	enum bindery_strategy strategy; /* BINDERY_ALONE: neither Pod nor Node, without effect */
	const char **modules;           /* as listed */
	size_t module_count;
};

struct bindery_booklet {
	const json_t *object;
	const char *name;
	struct bindery_entries entries;
	struct bindery_group *groups;
	size_t group_count;
	struct diag_map *group_of; /* module -> its group, the first that lists it (F103) */
};

struct bindery_realm {
	const json_t *object;
	const char *name;
	struct bindery_entries entries;
};

struct bindery_world {
	const json_t *object;
	const char *namespace_;
	const char *name;
	const char *booklet_name;
	const struct bindery_booklet *booklet; /* NULL: there is none of that name */
	const char *realm_name;                /* NULL: the world names none */
	const struct bindery_realm *realm;     /* NULL: none, or missing */
	size_t missing_required; /* Booklet entries without manifest that stop the resolver */
	int64_t shard_count;     /* predicted: 1 to BINDERY_MAX_SHARDS, ids from 0 */
	int64_t shards_asked;    /* spec.shardCount as it stands; 0 when absent */
	struct bindery_module *modules; /* Booklet modules with manifest, then the realm's */
	size_t module_count;
	struct bindery_resolution *resolution; /* NULL while the resolver stops before it */
};

struct bindery_collision;
struct bindery_workload;
struct bindery_member;

/* A CapabilityBinding that would exist. */
struct bindery_binding {
	const char *namespace_;
	const char *name;
	const struct bindery_desired *desired; /* NULL for a realm's own binding */
	const struct bindery_world *world;     /* NULL for a realm's own binding */
	const struct bindery_realm *realm;     /* of a realm's own binding */
	const struct bindery_entry *realm_entry;
	const char *capability, *scope, *multiplicity, *consumer, *constraint, *mode;
	const char *provider, *version;
	const json_t *manifest; /* of the provider; NULL when there is none */
	int64_t shard;          /* -1: not per shard */
	bool root;
	bool global;
	bool refused;   /* the API server does not take it, or never gets it (see refusals) */
	bool contested; /* another binding that differs has the same name */
	const struct bindery_collision *collision; /* when contested */
	/* What its provider runs as because of it; NULL: no manifest, or no image. */
	const struct bindery_workload *workload;
	const struct bindery_member *member;
};

/* Why several bindings have one name; the first that applies. */
enum bindery_collision_kind {
	BINDERY_COLLISION_OWNERS,    /* of two worlds or realms (F29) */
	BINDERY_COLLISION_ROOTS,     /* root modules of one scope (Q1, F26) */
	BINDERY_COLLISION_MANY,      /* several providers of one requirement for many (Q2, F27) */
	BINDERY_COLLISION_DUPLICATE, /* two requirements of one consumer, alike (Q3, F28); an entry
					twice in a realm */
	BINDERY_COLLISION_SPELLING,  /* dots, hyphens or case make different names one */
};

/* Bindings that share one object name: neighbours in the prediction's bindings. */
struct bindery_collision {
	enum bindery_collision_kind kind;
	const char *name;
	const struct bindery_binding *bindings;
	size_t count;
};

/* One address that wait-for-deps waits for. */
struct bindery_wait {
	const char *service;
	int64_t port;
	const char *address;                   /* SERVICE:PORT, as it stands in the command */
	const struct bindery_binding *binding; /* who asks for it; a required one if there is one */
	bool optional;                         /* all who ask for it call it optional (F57) */
	const struct bindery_workload *waiter; /* whose pod waits */
	const struct bindery_workload *target; /* what runs behind it; never NULL */
};

/* Storage that a module asks for by annotation. */
struct bindery_storage {
	const char *tier, *size, *scope; /* NULL tier: none asked for */
	const char *path;                /* where it is mounted */
	const char **access_modes;       /* as asked for; none means ReadWriteOnce */
	size_t access_mode_count;
	const char *claim;     /* WorldStorageClaim; NULL when not effective */
	const char *pvc;       /* made from the claim */
	const char *mounted;   /* the PVC name that the pod mounts; differs in F75 */
	const char *shard_ref; /* NULL: the claim is for the world; "" is refused (F76) */
	bool effective;        /* a server tier on a workload that is not shared */
	bool claim_refused;    /* and so is everything of the module */
	bool pvc_refused;      /* the claim exists, its PVC never does */
	const struct bindery_workload *workload;
	const struct bindery_member *member;
};

/* One module inside a workload: one container, one Service. */
struct bindery_member {
	const char *module;
	const json_t *manifest;
	const char *service;
	const char *image;
	int64_t port;
	bool refused; /* no Service, no Deployment or no endpoint of it will come (see refusals) */
	struct bindery_storage storage;
	const struct bindery_binding **bindings; /* that make it a provider here */
	size_t binding_count, binding_capacity;
	/* Bindings whose consumer it is, as the operator's injection sees them, in its order. */
	const struct bindery_binding **dependencies;
	size_t dependency_count, dependency_capacity;
};

/* A Deployment with its Services. */
struct bindery_workload {
	const char *namespace_;
	const char *name;
	const struct bindery_world *world; /* NULL when global */
	int64_t shard;                     /* -1: not per shard */
	bool global;
	enum bindery_strategy strategy;
	const char *group; /* NULL when alone */
	const struct bindery_group *colocation;
	struct bindery_member *members; /* several only with strategy Pod */
	size_t member_count, member_capacity;
	struct bindery_wait *waits; /* sorted by address, no duplicates; none with strategy Pod */
	size_t wait_count;
	const struct bindery_wait **waiters; /* waits of others (or its own) whose target it is */
	size_t waiter_count;
	/* A copy of what the first member asks that gets storage; it is the pod's one volume (F80).
	 */
	struct bindery_storage storage;
	bool contested; /* it may come and go, or hold what another one wrote: nothing but contested
			   bindings make it, or another workload computes one of its names */
	bool unsettled; /* a dependency is contested: waits and environment depend on who wins */
	/* The next workload of the same Deployment name (F43). */
	const struct bindery_workload *rival;
	size_t cycle; /* number of the wait cycle it is in, 0: none */
};

/* WorldStorageClaims of one name: more than one asker share a volume (F77). */
struct bindery_claim {
	const char *name;
	const struct bindery_storage **askers;
	size_t count, capacity;
};

/* Workloads that wait for each other (F54), or one for itself (F25, F53). */
struct bindery_cycle {
	const struct bindery_workload **members;
	size_t count;
};

/* Something the API server, or the operator itself, would refuse. */
enum bindery_refusal_rule {
	BINDERY_REFUSED_SERVICE_NAME, /* over 63 characters, or no DNS label (F37) */
	BINDERY_REFUSED_LABEL, /* a label value over 63 characters or with bad characters (F38) */
	BINDERY_REFUSED_BINDING_NAME, /* a realm binding's name is no DNS subdomain (F84) */
	BINDERY_REFUSED_VERSION,      /* a realm entry's version is no strict semver (F83) */
	BINDERY_REFUSED_CONTAINER,    /* a container name in a Pod group (F99) */
	BINDERY_REFUSED_CLAIM,        /* shard storage on a workload without shard (F76) */
	BINDERY_REFUSED_CLAIM_SCOPE,  /* storage-scope is neither world nor world-shard */
	BINDERY_REFUSED_SIZE,         /* no quantity, not above 0, or under two characters (F72) */
	BINDERY_REFUSED_ACCESS_MODE,  /* unknown to Kubernetes, or not to be combined */
	BINDERY_REFUSED_ENV_NAME,     /* a name in spec.runtime.env that no release takes (F39) */
};

struct bindery_refusal {
	enum bindery_refusal_rule rule;
	const char *kind; /* of the object that is refused */
	const char *name;
	const char *label; /* label key */
	const char *value; /* the offending text */
	const struct bindery_world *world;
	const struct bindery_workload *workload;
	const struct bindery_member *member;
	const struct bindery_binding *binding;
};

struct bindery_prediction {
	const char *namespace_;
	struct bindery_booklet *booklets;
	size_t booklet_count;
	struct bindery_realm *realms;
	size_t realm_count;
	struct bindery_world *worlds;
	size_t world_count;
	struct bindery_binding *bindings; /* sorted by name */
	size_t binding_count, binding_capacity;
	struct bindery_collision *collisions;
	size_t collision_count;
	struct bindery_workload *workloads;
	size_t workload_count, workload_capacity;
	struct bindery_claim *claims; /* sorted by name */
	size_t claim_count, claim_capacity;
	struct bindery_refusal *refusals;
	size_t refusal_count, refusal_capacity;
	struct bindery_cycle *cycles; /* cycle number n is cycles[n - 1] */
	size_t cycle_count;
	size_t max_bindings;
	bool cut; /* more bindings than that: the rest is not predicted */

	struct diag_arena *arena;
	struct diag_map *manifests; /* name -> json_t */
	struct diag_map *worlds_by_name;
	struct diag_map *booklets_by_name;
	struct diag_map *realms_by_name;
	struct diag_map *workloads_by_name; /* the first of each, as the next one */
	struct diag_map *workloads_by_service;
};

/* The objects of one namespace; arrays whose elements may be anything. */
struct bindery_input {
	const char *namespace_;
	const json_t *worlds, *booklets, *manifests, *realms; /* arrays */
	size_t max_bindings;                                  /* 0 for BINDERY_MAX_BINDINGS */
};

/** Predict; never fails. The caller frees it, before the inputs. */
struct bindery_prediction *bindery_predict(const struct bindery_input *input);
void bindery_prediction_free(struct bindery_prediction *prediction);

/** Look-ups by metadata.name; NULL when there is none (or `name` is NULL). */
const json_t *bindery_prediction_manifest(const struct bindery_prediction *prediction,
					  const char *name);
const struct bindery_world *bindery_prediction_world(const struct bindery_prediction *prediction,
						     const char *name);

/** The first binding of an object name, or NULL; contenders follow it in the array. */
const struct bindery_binding *
bindery_prediction_binding(const struct bindery_prediction *prediction, const char *name);

/** The first workload of a Deployment name, or NULL; others of that name are its `rival`s. */
const struct bindery_workload *
bindery_prediction_workload(const struct bindery_prediction *prediction, const char *deployment);

/** The first workload behind a Service name, or NULL. */
const struct bindery_workload *
bindery_prediction_service(const struct bindery_prediction *prediction, const char *service);

/** The wait of one workload for another (for itself, when both are one), or NULL. */
const struct bindery_wait *bindery_wait_between(const struct bindery_workload *from,
						const struct bindery_workload *to);

/**
 * The shortest chain of waits from one workload to another; from one to itself, the shortest cycle.
 *
 * @ret_path the waits in order, malloc'ed, the caller's; NULL when there is no chain
 *
 * Returns the number of waits, 0 when `from` does not wait for `to`, directly or through others.
 */
size_t bindery_wait_path(const struct bindery_prediction *prediction,
			 const struct bindery_workload *from, const struct bindery_workload *to,
			 const struct bindery_wait ***ret_path);

/** The label of a shard: decimal text in the arena, NULL for -1. */
const char *bindery_shard_label(struct diag_arena *arena, int64_t shard);

/** Shards predicted for one world at the most; a world may ask for billions. */
#define BINDERY_MAX_SHARDS 4096

/** Bindings of one prediction at the most: worlds times shards times requirements. */
#define BINDERY_MAX_BINDINGS ((size_t)1000000)
