/*
 * What a definition makes: the objects that the CLI and the operator would write for it. The same
 * engine serves two uses: offline it is looked at, live the real objects are compared with it.
 * Source: cardinal-cluster.md sections 1.2, 1.5, 1.6, 2.1 and 4.2 (ShardPoolsFromConfig).
 */
#pragma once

#include <jansson.h>

#include "cardinal/world.h"

/** The service that is the project's database, or NULL when one is made. */
const struct cardinal_service *cardinal_expected_config_db(const struct cardinal_world *world);

/** Name of the Service in front of the project's database. */
const char *cardinal_expected_db_host(struct diag_arena *arena, const struct cardinal_world *world);

/** The connection string that shards get. */
const char *cardinal_expected_dsn(struct diag_arena *arena, const struct cardinal_world *world);

/** The ShardPool as the CLI applies it; `imageTag` is never part of it. The caller's. */
json_t *cardinal_expected_pool(const struct cardinal_world *world,
			       const struct cardinal_shard *shard);

/**
 * Everything, for people and programs: `{world, shardPools[], instances[{name, shard, url,
 * bucket}], services[{name, image, ports[]}], database{service, dsn}}`. The caller's.
 */
json_t *cardinal_expected(const struct cardinal_world *world);
