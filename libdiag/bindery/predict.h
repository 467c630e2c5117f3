/*
 * What the operator would make of a namespace: from worlds, Booklets, ModuleManifests and Realms to
 * bindings, shards, Services, Deployments and claims. The offline gate looks at it alone; live
 * checks compare the real objects with it. Source: bindery-platform.md sections 4 to 6.
 *
 * Everything lives in the prediction's arena; json_t and strings of the inputs are borrowed.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bindery/resolver.h"

#define BINDERY_LABEL "bindery.platform/"

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

struct bindery_booklet {
	const json_t *object;
	const char *name;
	struct bindery_entries entries;
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
	int64_t shard_count;     /* at least 1 */
	struct bindery_module *modules;
	size_t module_count;
	struct bindery_resolution *resolution; /* NULL while the resolver stops before it */
};

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
	bool contested; /* another binding with another provider or constraint has the same name */
	json_t *object; /* as the operator would write it */
};

enum bindery_strategy { BINDERY_ALONE, BINDERY_GROUP_NODE, BINDERY_GROUP_POD };

struct bindery_workload;

/* One address that wait-for-deps waits for. */
struct bindery_wait {
	const char *service;
	int64_t port;
	const struct bindery_binding *binding; /* who asks for it */
	const struct bindery_workload *target; /* NULL when the target has no workload of its own */
};

/* One module inside a workload: one container, one Service. */
struct bindery_member {
	const char *module;
	const json_t *manifest;
	const char *service;
	const char *image;
	int64_t port;
	json_t *service_object;
	const struct bindery_binding **bindings; /* that make it a provider here */
	size_t binding_count, binding_capacity;
	const struct bindery_binding *
		*dependencies; /* whose consumer it is, as the injection sees them */
	size_t dependency_count, dependency_capacity;
};

/* Storage that a module asks for. */
struct bindery_storage {
	const char *tier, *size, *scope; /* NULL tier: none asked for */
	const char *claim;               /* WorldStorageClaim */
	const char *pvc;                 /* made from the claim */
	const char *mounted;             /* the PVC name that the pod mounts */
	const char *shard_ref;           /* "" when the claim is for the world */
	bool effective;                  /* a server tier on a workload that is not shared */
	json_t *claim_object;
	json_t *pvc_object;
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
	struct bindery_member *members;
	size_t member_count, member_capacity;
	struct bindery_wait *waits; /* sorted by address, no duplicates */
	size_t wait_count, wait_capacity;
	struct bindery_storage storage; /* of the first member that asks */
	bool contested;                 /* a contested binding makes it: it may come and go */
	size_t cycle;                   /* number of the wait cycle it is in, 0: none */
	json_t *object;                 /* the Deployment as the operator would write it */
};

/* Something the API server, or the operator itself, would refuse. */
enum bindery_refusal_rule {
	BINDERY_REFUSED_SERVICE_NAME, /* over 63 characters */
	BINDERY_REFUSED_LABEL,        /* a label value over 63 characters or with bad characters */
	BINDERY_REFUSED_BINDING_NAME, /* a realm binding's name is no DNS subdomain */
	BINDERY_REFUSED_VERSION,      /* a realm entry's version is no strict semver */
	BINDERY_REFUSED_CONTAINER,    /* a container name in a Pod group */
	BINDERY_REFUSED_CLAIM,        /* shard storage on a workload without shard */
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
	struct bindery_workload *workloads;
	size_t workload_count, workload_capacity;
	struct bindery_refusal *refusals;
	size_t refusal_count, refusal_capacity;
	json_t *shards; /* array of WorldShards */
	size_t cycle_count;

	struct diag_arena *arena;
	struct diag_map *manifests; /* name -> json_t */
	struct diag_map *booklets_by_name;
	struct diag_map *realms_by_name;
	struct diag_map *workloads_by_key;
	struct diag_map *workloads_by_name;
	struct diag_map *workloads_by_service;
};

/* The objects of one namespace; arrays of objects of any shape. */
struct bindery_input {
	const char *namespace_;
	const json_t *worlds, *booklets, *manifests, *realms; /* arrays */
};

/** Predict; never fails. The caller frees it, before the inputs. */
struct bindery_prediction *bindery_predict(const struct bindery_input *input);
void bindery_prediction_free(struct bindery_prediction *prediction);

/** The ModuleManifest of a name, or NULL. */
const json_t *bindery_prediction_manifest(const struct bindery_prediction *prediction,
					  const char *name);

/** The workload behind a Service name, or NULL. */
const struct bindery_workload *
bindery_prediction_service(const struct bindery_prediction *prediction, const char *service);

/** The image of a module: spec.runtime.image, else its annotation; NULL: not server-orchestrated.
 */
const char *bindery_manifest_image(const json_t *manifest);

/** The port: spec.runtime.port when 1..65535, else the annotation when valid, else 50051. */
int64_t bindery_manifest_port(const json_t *manifest);

/** The `bindery.dev/NAME` annotation, or NULL. */
const char *bindery_manifest_annotation(const json_t *manifest, const char *name);

/** The label of a shard: decimal text in the arena, NULL for -1. */
const char *bindery_shard_label(struct diag_arena *arena, int64_t shard);

/** Shards predicted for one world at the most; a world may ask for billions. */
#define BINDERY_MAX_SHARDS 4096
