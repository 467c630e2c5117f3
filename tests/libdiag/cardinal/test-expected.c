/* What the example of section 5 makes, as its "Expected" paragraph says. */
#include "text/json.h"
#include "text/toml.h"

#include "cardinal/expected.h"
#include "tests/support/unit.h"

static const char example[] =
	"organization = 'acme'\nproject = 'orbit'\n[[shards]]\nid = 'lobby'\n"
	"[[shards]]\nid = 'arena'\npool_size = 2\ntick_rate = 30\nmode = 'LEADER'\n"
	"log_level = 'debug'\nresources = { requests = { cpu = 300, memory = 300 }, "
	"limits = { cpu = 900, memory = 900 } }\n"
	"[[services]]\nid = 'ranks'\npath = 'services/ranks'\ndb = true\nports = [9000]\n";

static json_t *expected_of(const char *text)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	json_t *root = NULL, *expected;

	assert_int_equal(diag_toml_load(text, strlen(text), NULL, "w", &root, NULL), DIAG_OK);
	expected = cardinal_expected(cardinal_world_read(arena, root, NULL));
	assert_non_null(expected);
	json_decref(root);
	return expected;
}

static void check_json(const json_t *got, const char *want)
{
	json_t *wanted = json_loads(want, JSON_DECODE_ANY, NULL);

	assert_non_null(wanted);
	assert_true(json_equal(got, wanted));
	json_decref(wanted);
}

TEST(pools)
{
	json_t *expected = expected_of(example);
	const json_t *pools = json_object_get(expected, "shardPools");

	assert_int_equal(json_array_size(pools), 2);
	check_json(json_array_get(pools, 0),
		   "{\"apiVersion\":\"cardinal.argus.gg/v1\",\"kind\":\"ShardPool\",\"metadata\":"
		   "{\"name\":\"lobby\",\"namespace\":\"cardinal-operator-system\"},\"spec\":{"
		   "\"shardID\":\"lobby\",\"organization\":\"acme\",\"project\":\"orbit\","
		   "\"region\":\"us-west1\",\"image\":"
		   "\"k3d-world-engine-registry.localhost:5000/orbit/lobby\",\"poolSize\":1,"
		   "\"logLevel\":\"info\",\"resources\":{\"requests\":{\"cpu\":250,\"memory\":256},"
		   "\"limits\":{\"cpu\":1000,\"memory\":1024}}}}");
	check_json(diag_json_get(json_array_get(pools, 1), "spec"),
		   "{\"shardID\":\"arena\",\"organization\":\"acme\",\"project\":\"orbit\","
		   "\"region\":\"us-west1\",\"image\":"
		   "\"k3d-world-engine-registry.localhost:5000/orbit/arena\",\"poolSize\":2,"
		   "\"tickRate\":30,\"mode\":\"LEADER\",\"logLevel\":\"debug\",\"resources\":{"
		   "\"requests\":{\"cpu\":300,\"memory\":300},"
		   "\"limits\":{\"cpu\":900,\"memory\":900}}}");
	json_decref(expected);
}

TEST(instances_and_services)
{
	json_t *expected = expected_of(example);
	const json_t *instances = json_object_get(expected, "instances");

	assert_string_equal(diag_json_str(expected, "world"), "acme/orbit");
	assert_int_equal(json_array_size(instances), 3);
	check_json(json_array_get(instances, 2),
		   "{\"name\":\"arena-2\",\"shard\":\"arena\",\"url\":"
		   "\"http://localhost:8080/acme/orbit/arena-2\","
		   "\"bucket\":\"acme_orbit_arena-2_snapshot\"}");
	check_json(json_object_get(expected, "services"),
		   "[{\"name\":\"orbit-ranks-service\",\"image\":"
		   "\"k3d-world-engine-registry.localhost:5000/orbit/ranks\",\"ports\":[9000]}]");
	assert_string_equal(diag_json_str(expected, "database", "service"), "orbit-db");
	json_decref(expected);
}

TEST(database_of_its_own)
{
	json_t *expected = expected_of("organization = 'acme'\nproject = 'orbit'\n[[shards]]\n"
				       "id = 'a'\n[[services]]\nid = 'store'\n"
				       "image = 'postgres:16'\nconfig_db = true\n");

	assert_string_equal(diag_json_str(expected, "database", "service"), "orbit-store-service");
	assert_string_equal(
		diag_json_str(expected, "database", "dsn"),
		"postgres://postgres:postgres@orbit-store-service.cardinal-operator-system.svc."
		"cluster.local:5432/orbit?sslmode=disable");
	json_decref(expected);
}

RUN_TESTS("libdiag/cardinal/expected", T(pools), T(instances_and_services), T(database_of_its_own))
