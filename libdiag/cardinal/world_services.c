/* Rules of [[services]]. */
#include <inttypes.h>
#include <string.h>

#include "base/map.h"
#include "base/str.h"
#include "text/json.h"

#include "cardinal/world_internal.h"

#define DATABASE_PORT 5432

static void refuse(struct cardinal_reader *reader, const struct cardinal_table *table,
		   const char *key, const char *why)
{
	cardinal_problem(reader, table, key, "C41", DIAG_SEVERITY_ERROR, "%s", why);
}

static void read_ports(struct cardinal_reader *reader, const struct cardinal_table *table,
		       struct cardinal_service *service)
{
	const json_t *array = diag_json_array(table->value, "ports");
	size_t count = json_array_size(array);
	int64_t *ports = diag_arena_alloc(reader->arena, (count + 1) * sizeof(*ports));

	for (size_t i = 0; i < count; i++) {
		ports[i] = json_integer_value(json_array_get(array, i));
		if (ports[i] < 1 || ports[i] > 65535)
			cardinal_problem(reader, table, "ports", "C41", DIAG_SEVERITY_ERROR,
					 "port %" PRId64 " is not within 1 to 65535", ports[i]);
	}
	service->ports = ports;
	service->port_count = count;
}

static void judge_source(struct cardinal_reader *reader, const struct cardinal_table *table,
			 const struct cardinal_service *service)
{
	if (*service->image && *service->path)
		refuse(reader, table, "path", "a service has an image or a path, not both");
	else if (!*service->image && !*service->path)
		refuse(reader, table, NULL, "a service needs an image or a path");
}

/* Both are for other places than the local cluster, which ignores them. */
static void judge_ignored(struct cardinal_reader *reader, const struct cardinal_table *table)
{
	const char *volume = cardinal_table_text(table, "volume");
	const char *probe =
		json_string_value(json_array_get(diag_json_array(table->value, "healthcheck"), 0));

	if (*volume && *volume != '/')
		refuse(reader, table, "volume", "the volume must be an absolute path");
	if (probe && !diag_str_in(probe, "CMD", "CMD-SHELL", "NONE", NULL))
		refuse(reader, table, "healthcheck",
		       "a health check begins with CMD, CMD-SHELL or NONE");
}

static void judge_database(struct cardinal_reader *reader, const struct cardinal_table *table,
			   const struct cardinal_service *service, const char *first)
{
	if (service->db && service->config_db)
		refuse(reader, table, "config_db",
		       "a service uses the project's database or is it, not both");
	if (!service->config_db)
		return;
	if (first)
		cardinal_problem(reader, table, "config_db", "C41", DIAG_SEVERITY_ERROR,
				 "only one service can be the database; '%s' is", first);
	if (!*service->image)
		refuse(reader, table, "config_db", "the database needs an image");
	if (service->port_count > 1 ||
	    (service->port_count == 1 && service->ports[0] != DATABASE_PORT))
		refuse(reader, table, "ports", "the database has one port, 5432");
}

static void judge_data(struct cardinal_reader *reader, const struct cardinal_table *table,
		       const struct cardinal_service *service)
{
	if (service->config_db)
		cardinal_problem(reader, table, "config_db", "C71", DIAG_SEVERITY_WARNING,
				 "the local cluster gives '%s' no volume: the database is empty "
				 "after a restart",
				 service->id);
	else if (*cardinal_table_text(table, "volume"))
		cardinal_problem(reader, table, "volume", "C71", DIAG_SEVERITY_WARNING,
				 "the local cluster ignores the volume of '%s': its data is lost "
				 "with a restart",
				 service->id);
}

static void read_service(struct cardinal_reader *reader, const struct cardinal_table *table,
			 struct diag_map *seen, struct cardinal_service *service)
{
	service->where = table->where;
	service->id = cardinal_table_name(reader, table, "id");
	service->image = cardinal_table_text(table, "image");
	service->path = cardinal_table_text(table, "path");
	service->env = diag_json_object(table->value, "env");
	service->db = diag_json_true(table->value, "db");
	service->config_db = diag_json_true(table->value, "config_db");
	cardinal_world_id(reader, table, service->id, seen);
	judge_source(reader, table, service);
	read_ports(reader, table, service);
	judge_ignored(reader, table);
}

void cardinal_world_services(struct cardinal_reader *reader, const struct cardinal_table *file)
{
	diag_map_auto struct diag_map *seen = diag_map_new();
	size_t count = json_array_size(diag_json_array(file->value, "services"));
	struct cardinal_world *world = reader->world;
	const char *database = NULL;

	world->services = diag_arena_alloc(reader->arena, (count + 1) * sizeof(*world->services));
	world->service_count = count;
	for (size_t i = 0; i < count; i++) {
		struct cardinal_table table = cardinal_table_item(reader, file, "services", i);
		struct cardinal_service *service = &world->services[i];

		read_service(reader, &table, seen, service);
		judge_database(reader, &table, service, database);
		judge_data(reader, &table, service);
		if (service->config_db && !database)
			database = service->id;
	}
}
