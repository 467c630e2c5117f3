#include "cardinal/expected.h"

#include "cardinal/names.h"

const struct cardinal_service *cardinal_expected_config_db(const struct cardinal_world *world)
{
	for (size_t i = 0; i < world->service_count; i++)
		if (world->services[i].config_db)
			return &world->services[i];
	return NULL;
}

const char *cardinal_expected_db_host(struct diag_arena *arena, const struct cardinal_world *world)
{
	const struct cardinal_service *service = cardinal_expected_config_db(world);

	return service ? cardinal_service(arena, world->project, service->id)
		       : cardinal_database(arena, world->project);
}

const char *cardinal_expected_dsn(struct diag_arena *arena, const struct cardinal_world *world)
{
	return cardinal_dsn(arena, cardinal_expected_db_host(arena, world), world->project);
}

static json_t *values_of(const struct cardinal_values *values)
{
	return json_pack("{sI sI}", "cpu", (json_int_t)values->cpu, "memory",
			 (json_int_t)values->memory);
}

static json_t *spec_of(struct diag_arena *arena, const struct cardinal_world *world,
		       const struct cardinal_shard *shard)
{
	json_t *spec = json_pack(
		"{ss ss ss ss ss sI ss s{so so}}", "shardID", shard->id, "organization",
		world->organization, "project", world->project, "region", CARDINAL_REGION, "image",
		cardinal_image(arena, world->project, shard->id), "poolSize",
		(json_int_t)shard->pool_size, "logLevel", shard->log_level, "resources", "requests",
		values_of(&shard->requests), "limits", values_of(&shard->limits));

	if (shard->tick_rate > 0)
		json_object_set_new(spec, "tickRate", json_integer(shard->tick_rate));
	if (*shard->mode)
		json_object_set_new(spec, "mode", json_string(shard->mode));
	return spec;
}

json_t *cardinal_expected_pool(const struct cardinal_world *world,
			       const struct cardinal_shard *shard)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();

	return json_pack("{ss ss s{ss ss} so}", "apiVersion", "cardinal.argus.gg/v1", "kind",
			 "ShardPool", "metadata", "name", shard->id, "namespace",
			 CARDINAL_NAMESPACE, "spec", spec_of(arena, world, shard));
}

static json_t *instance_of(struct diag_arena *arena, const struct cardinal_world *world,
			   const struct cardinal_member *member)
{
	return json_pack("{ss ss ss ss}", "name", member->name, "shard", member->shard->id, "url",
			 cardinal_url(arena, world->organization, world->project, member->name),
			 "bucket",
			 cardinal_bucket(arena, world->organization, world->project, member->name));
}

static json_t *service_of(struct diag_arena *arena, const struct cardinal_world *world,
			  const struct cardinal_service *service)
{
	json_t *ports = json_array();

	for (size_t i = 0; i < service->port_count; i++)
		json_array_append_new(ports, json_integer(service->ports[i]));
	return json_pack("{ss ss so}", "name", cardinal_service(arena, world->project, service->id),
			 "image",
			 *service->image ? service->image
					 : cardinal_image(arena, world->project, service->id),
			 "ports", ports);
}

json_t *cardinal_expected(const struct cardinal_world *world)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	json_t *pools = json_array(), *instances = json_array(), *services = json_array();

	for (size_t i = 0; i < world->shard_count; i++)
		if (!world->shards[i].repeated)
			json_array_append_new(pools,
					      cardinal_expected_pool(world, &world->shards[i]));
	for (size_t i = 0; i < world->member_count; i++)
		json_array_append_new(instances, instance_of(arena, world, &world->members[i]));
	for (size_t i = 0; i < world->service_count; i++)
		json_array_append_new(services, service_of(arena, world, &world->services[i]));
	return json_pack("{ss so so so s{ss ss}}", "world",
			 cardinal_world_key(arena, world->organization, world->project),
			 "shardPools", pools, "instances", instances, "services", services,
			 "database", "service", cardinal_expected_db_host(arena, world), "dsn",
			 cardinal_expected_dsn(arena, world));
}
