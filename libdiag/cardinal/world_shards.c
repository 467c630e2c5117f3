/* Rules of [[shards]] and of the pools' expansion. */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "text/json.h"

#include "cardinal/names.h"
#include "cardinal/world_internal.h"

#define PATH_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-"
#define INSTANCE_BYTES  63 /* a label value, and the CRD's rule (section 2.1) */

/* DefaultResources() of section 4.2. */
static const struct cardinal_values default_requests = { 250, 256 };
static const struct cardinal_values default_limits = { 1000, 1024 };

static void read_path(struct cardinal_reader *reader, const struct cardinal_table *table,
		      struct cardinal_shard *shard)
{
	const char *path = cardinal_table_text(table, "path");

	shard->path = *path ? path : diag_arena_printf(reader->arena, "shards/%s/", shard->id);
	if (path[strspn(path, PATH_CHARACTERS)])
		cardinal_problem(reader, table, "path", "C41", DIAG_SEVERITY_ERROR,
				 "path '%s' may hold only letters, digits and ._/-", path);
}

static void read_log_level(struct cardinal_reader *reader, const struct cardinal_table *table,
			   struct cardinal_shard *shard)
{
	const char *level = cardinal_table_text(table, "log_level");

	shard->log_level = level;
	if (diag_str_in(level, "debug", "info", "warn", "error", NULL))
		return;
	shard->log_level = "info";
	if (*level)
		cardinal_problem(reader, table, "log_level", "C38", DIAG_SEVERITY_INFO,
				 "log level '%s' is unknown: 'info' is used without a word "
				 "(debug, info, warn or error)",
				 level);
}

static void read_tick_rate(struct cardinal_reader *reader, const struct cardinal_table *table,
			   struct cardinal_shard *shard)
{
	shard->tick_rate = diag_json_int(table->value, 0, "tick_rate");
	if (shard->tick_rate < 0)
		cardinal_problem(reader, table, "tick_rate", "C41", DIAG_SEVERITY_ERROR,
				 "tick rate %" PRId64 " is negative", shard->tick_rate);
}

static int64_t read_value(struct cardinal_reader *reader, const struct cardinal_table *table,
			  const char *key)
{
	int64_t value = diag_json_int(table->value, 0, key);

	if (value < 1)
		cardinal_problem(reader, table, key, "C41", DIAG_SEVERITY_ERROR,
				 "resources need cpu and memory of at least 1 for requests and "
				 "limits; %s.%s is %s",
				 table->label, key,
				 json_object_get(table->value, key) ? "less" : "missing");
	return value;
}

static struct cardinal_values read_values(struct cardinal_reader *reader,
					  const struct cardinal_table *resources, const char *key)
{
	struct cardinal_table table = cardinal_table_at(reader, resources, key);
	struct cardinal_values values;

	if (!table.where.line)
		table.where = resources->where;
	values.cpu = read_value(reader, &table, "cpu");
	values.memory = read_value(reader, &table, "memory");
	return values;
}

static void judge_limit(struct cardinal_reader *reader, const struct cardinal_table *limits,
			const char *key, int64_t request, int64_t limit)
{
	if (limit >= 1 && request >= 1 && limit < request)
		cardinal_problem(reader, limits, key, "C45", DIAG_SEVERITY_ERROR,
				 "the %s limit %" PRId64 " is below the request %" PRId64
				 ": every pod is refused",
				 key, limit, request);
}

static void read_resources(struct cardinal_reader *reader, const struct cardinal_table *table,
			   struct cardinal_shard *shard)
{
	struct cardinal_table resources = cardinal_table_at(reader, table, "resources");
	struct cardinal_table limits = cardinal_table_at(reader, &resources, "limits");

	shard->requests = default_requests;
	shard->limits = default_limits;
	if (!resources.value)
		return;
	shard->requests = read_values(reader, &resources, "requests");
	shard->limits = read_values(reader, &resources, "limits");
	judge_limit(reader, &limits, "cpu", shard->requests.cpu, shard->limits.cpu);
	judge_limit(reader, &limits, "memory", shard->requests.memory, shard->limits.memory);
}

static void read_shard(struct cardinal_reader *reader, const struct cardinal_table *table,
		       struct diag_map *seen, struct cardinal_shard *shard)
{
	shard->where = table->where;
	shard->id = cardinal_table_name(reader, table, "id");
	shard->repeated = !cardinal_world_id(reader, table, shard->id, seen);
	shard->pool_size = DIAG_MAX(diag_json_int(table->value, 1, "pool_size"), 1);
	shard->mode = cardinal_table_text(table, "mode");
	read_path(reader, table, shard);
	read_log_level(reader, table, shard);
	read_tick_rate(reader, table, shard);
	read_resources(reader, table, shard);
}

void cardinal_world_shards(struct cardinal_reader *reader, const struct cardinal_table *file)
{
	diag_map_auto struct diag_map *seen = diag_map_new();
	size_t count = json_array_size(diag_json_array(file->value, "shards"));
	struct cardinal_world *world = reader->world;

	world->shards = diag_arena_alloc(reader->arena, (count + 1) * sizeof(*world->shards));
	world->shard_count = count;
	for (size_t i = 0; i < count; i++) {
		struct cardinal_table table = cardinal_table_item(reader, file, "shards", i);

		read_shard(reader, &table, seen, &world->shards[i]);
	}
	if (!count)
		cardinal_problem(reader, file, "shards", "C41", DIAG_SEVERITY_ERROR,
				 "a world needs at least one [[shards]]");
}

/* Two instances of one name cannot be; two of one URL hide each other. */
static void judge_member(struct cardinal_reader *reader, const struct cardinal_table *table,
			 const struct cardinal_member *member, struct diag_map *names,
			 struct diag_map *labels)
{
	const char *label = cardinal_label(reader->arena, member->name);
	const struct cardinal_member *same = diag_map_get(names, member->name);
	const struct cardinal_member *alike = diag_map_get(labels, label);

	if (same)
		cardinal_problem(reader, table, "id", "C41", DIAG_SEVERITY_ERROR,
				 "instance '%s' is made twice: by shard '%s' and by shard '%s'",
				 member->name, same->shard->id, member->shard->id);
	else if (alike)
		cardinal_problem(reader, table, "id", "C42", DIAG_SEVERITY_ERROR,
				 "instances '%s' and '%s' have one URL, %s", alike->name,
				 member->name,
				 cardinal_url(reader->arena, reader->world->organization,
					      reader->world->project, member->name));
	if (!same)
		diag_map_set(names, member->name, (void *)(uintptr_t)member);
	if (!alike)
		diag_map_set(labels, label, (void *)(uintptr_t)member);
}

static size_t members_of(const struct cardinal_shard *shard)
{
	if (shard->repeated || !*shard->id)
		return 0;
	return (size_t)DIAG_MIN(shard->pool_size, CARDINAL_MAX_INSTANCES);
}

static void judge_size(struct cardinal_reader *reader, const struct cardinal_table *table,
		       const struct cardinal_shard *shard, size_t before)
{
	int64_t length = cardinal_instance_length(shard->id, shard->pool_size);

	if (length > INSTANCE_BYTES)
		cardinal_problem(reader, table, "id", "C44", DIAG_SEVERITY_ERROR,
				 "the longest instance name of '%s' has %" PRId64
				 " bytes, more than the %d that a label may have",
				 shard->id, length, INSTANCE_BYTES);
	if (shard->pool_size > CARDINAL_MAX_INSTANCES - (int64_t)before)
		cardinal_problem(reader, table, "pool_size", "C41", DIAG_SEVERITY_WARNING,
				 "more than %d instances in all: those beyond are not looked at",
				 CARDINAL_MAX_INSTANCES);
}

void cardinal_world_expand(struct cardinal_reader *reader, const struct cardinal_table *file)
{
	diag_map_auto struct diag_map *names = diag_map_new();
	diag_map_auto struct diag_map *labels = diag_map_new();
	struct cardinal_world *world = reader->world;
	size_t room = 0;

	for (size_t i = 0; i < world->shard_count; i++)
		room += members_of(&world->shards[i]);
	room = DIAG_MIN(room, CARDINAL_MAX_INSTANCES);
	world->members = diag_arena_alloc(reader->arena, (room + 1) * sizeof(*world->members));
	for (size_t i = 0; i < world->shard_count; i++) {
		struct cardinal_table table = cardinal_table_item(reader, file, "shards", i);
		const struct cardinal_shard *shard = &world->shards[i];
		size_t count = DIAG_MIN(members_of(shard), room - world->member_count);

		if (*shard->id)
			judge_size(reader, &table, shard, world->member_count);
		for (size_t k = 1; k <= count; k++) {
			struct cardinal_member *member = &world->members[world->member_count++];

			member->shard = shard;
			member->name = cardinal_instance(reader->arena, shard->id, (int64_t)k);
			judge_member(reader, &table, member, names, labels);
		}
	}
}
