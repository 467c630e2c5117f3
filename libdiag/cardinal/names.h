/*
 * The names that Cardinal's CLI and operator give to what they make. Source: cardinal-cluster.md
 * sections 1.2, 1.5, 1.6, 2.3, 4.1 and 6. All results live in the arena.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

#define CARDINAL_NAMESPACE "cardinal-operator-system"
#define CARDINAL_REGION    "us-west1"
#define CARDINAL_REGISTRY  "k3d-world-engine-registry.localhost:5000"

/**
 * The DNS label of a name (section 6): lower case, each run of anything but a-z and 0-9 one `-`,
 * none at the edges; "unknown" when nothing is left. No limit on the length.
 */
char *cardinal_label(struct diag_arena *arena, const char *name);

/** Whether cardinal_label() leaves the name as it is. */
bool cardinal_is_canonical(const char *name);

/** `organization/project` as written: the identity of a world. */
char *cardinal_world_key(struct diag_arena *arena, const char *organization, const char *project);

/** Instance `number` (from 1) of a pool: the pool's own id, then `id-2`, `id-3`… */
char *cardinal_instance(struct diag_arena *arena, const char *shard, int64_t number);

/** Bytes of the longest instance name of a pool, as the CRD's rule counts them. */
int64_t cardinal_instance_length(const char *shard, int64_t pool_size);

/** `/{organization}/{project}/{instance}`, sanitised: the path of the instance's route. */
char *cardinal_route(struct diag_arena *arena, const char *organization, const char *project,
		     const char *instance);

/** The URL of an instance on this host; the port is fixed (LocalShardAPIURL). */
char *cardinal_url(struct diag_arena *arena, const char *organization, const char *project,
		   const char *instance);

/** Image of a shard or of a service that is built from source, without tag. */
char *cardinal_image(struct diag_arena *arena, const char *project, const char *id);

/** JetStream bucket of an instance's snapshot; raw names. */
char *cardinal_bucket(struct diag_arena *arena, const char *organization, const char *project,
		      const char *instance);

struct cardinal_bucket_parts {
	const char *organization;
	const char *project;
	const char *instance;
};

/**
 * Split a bucket's name. From the right: an organization may hold `_`, a project or an instance of
 * canonical name cannot.
 *
 * Returns false when it is no snapshot bucket.
 */
bool cardinal_bucket_split(struct diag_arena *arena, const char *bucket,
			   struct cardinal_bucket_parts *ret);

/** Deployment and Service of a `[[services]]` entry: `{project}-{id}-service`. */
char *cardinal_service(struct diag_arena *arena, const char *project, const char *id);

/** Deployment, Service and PVC of the database that is made when no service is one. */
char *cardinal_database(struct diag_arena *arena, const char *project);

/** The connection string that shards get for the database behind Service `host`. */
char *cardinal_dsn(struct diag_arena *arena, const char *host, const char *project);
