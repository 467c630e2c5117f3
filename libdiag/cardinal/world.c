#include "cardinal/world.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "text/json.h"

#include "cardinal/world_internal.h"

static const char *path_of(struct diag_arena *arena, const char *label, const char *key)
{
	if (!key)
		return *label ? label : "world.toml";
	return diag_arena_printf(arena, "%s%s%s", label, *label ? "." : "", key);
}

void cardinal_problem(struct cardinal_reader *reader, const struct cardinal_table *table,
		      const char *key, const char *fault, enum diag_severity severity,
		      const char *format, ...)
{
	struct cardinal_problem problem = { .fault = fault, .severity = severity };
	va_list args;

	va_start(args, format);
	problem.message = diag_arena_vprintf(reader->arena, format, args);
	va_end(args);
	problem.path = path_of(reader->arena, table->label, key);
	if (key)
		problem.where = diag_positions_key(reader->positions, table->value, key);
	if (!problem.where.line)
		problem.where = table->where;
	if (reader->count == reader->capacity)
		reader->problems = diag_xgrow(reader->problems, reader->count, &reader->capacity,
					      sizeof(*reader->problems));
	reader->problems[reader->count++] = problem;
}

struct cardinal_table cardinal_table_at(const struct cardinal_reader *reader,
					const struct cardinal_table *table, const char *key)
{
	return (struct cardinal_table){
		.value = diag_json_object(table->value, key),
		.label = path_of(reader->arena, table->label, key),
		.where = diag_positions_key(reader->positions, table->value, key),
	};
}

struct cardinal_table cardinal_table_item(const struct cardinal_reader *reader,
					  const struct cardinal_table *table, const char *key,
					  size_t index)
{
	const json_t *array = diag_json_array(table->value, key);

	return (struct cardinal_table){
		.value = json_array_get(array, index),
		.label = diag_arena_printf(reader->arena, "%s[%zu]",
					   path_of(reader->arena, table->label, key), index),
		.where = diag_positions_index(reader->positions, array, index),
	};
}

const char *cardinal_table_text(const struct cardinal_table *table, const char *key)
{
	const char *text = diag_json_str(table->value, key);

	return text ? text : "";
}

const char *cardinal_table_name(const struct cardinal_reader *reader,
				const struct cardinal_table *table, const char *key)
{
	char *name = diag_arena_strdup(reader->arena, cardinal_table_text(table, key));
	char *end = name;

	for (const char *at = name; *at; at++)
		if (*at != ' ')
			*end++ = *at;
	*end = '\0';
	return name;
}

const struct cardinal_world *cardinal_world_read(struct diag_arena *arena, const json_t *root,
						 const struct diag_positions *positions)
{
	struct cardinal_world *world = diag_arena_alloc(arena, sizeof(*world));
	struct cardinal_reader reader = { .arena = arena, .positions = positions, .world = world };
	struct cardinal_table file = { .value = root, .label = "" };
	struct cardinal_problem *problems;

	file.where = diag_positions_self(positions, root);
	world->organization = world->project = world->auth_mode = world->auth_url = "";
	if (cardinal_world_decode(&reader, &file))
		cardinal_world_judge(&reader, &file);
	problems = diag_arena_alloc(arena, (reader.count + 1) * sizeof(*problems));
	if (reader.count)
		memcpy(problems, reader.problems, reader.count * sizeof(*problems));
	free(reader.problems);
	world->problems = problems;
	world->problem_count = reader.count;
	return world;
}

const struct cardinal_problem *cardinal_world_refused(const struct cardinal_world *world)
{
	for (size_t i = 0; i < world->problem_count; i++)
		if (world->problems[i].severity == DIAG_SEVERITY_ERROR)
			return &world->problems[i];
	return NULL;
}
