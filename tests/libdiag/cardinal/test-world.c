/* Section 5 of cardinal-cluster.md: the example, the rules and the order in which they win. */
#include "text/toml.h"

#include "cardinal/world.h"
#include "tests/support/unit.h"

#define HEAD  "organization = 'acme'\nproject = 'orbit'\n"
#define SHARD HEAD "[[shards]]\nid = 'game'\n"
#define A10   "aaaaaaaaaa"

struct fixture {
	struct diag_arena *arena;
	struct diag_positions *positions;
	json_t *root;
	const struct cardinal_world *world;
};

static struct fixture read_world(const char *text)
{
	struct fixture f = { diag_arena_new(), diag_positions_new(), NULL, NULL };
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_toml_load(text, strlen(text), f.positions, "world.toml", &f.root, &err) < 0)
		fail_msg("%s: %s", text, err.message);
	f.world = cardinal_world_read(f.arena, f.root, f.positions);
	return f;
}

static void done(struct fixture *f)
{
	json_decref(f->root);
	diag_positions_free(f->positions);
	diag_arena_free(f->arena);
}

TEST(example)
{
	struct fixture f = read_world(
		"organization = \"acme\"\nproject = \"orbit\"\n\n[[shards]]\nid = \"lobby\"\n\n"
		"[[shards]]\nid = \"arena\"\npool_size = 2\ntick_rate = 30\nmode = \"LEADER\"\n"
		"log_level = \"debug\"\nresources = { requests = { cpu = 300, memory = 300 }, "
		"limits = { cpu = 900, memory = 900 } }\n\n[[services]]\nid = \"ranks\"\n"
		"path = \"services/ranks\"\ndb = true\nports = [9000]\n");
	const struct cardinal_shard *lobby = &f.world->shards[0], *arena = &f.world->shards[1];
	static const char *const members[] = { "lobby", "arena", "arena-2" };

	assert_int_equal(f.world->problem_count, 0);
	assert_null(cardinal_world_refused(f.world));
	assert_string_equal(f.world->auth_mode, "dev");
	assert_int_equal(f.world->shard_count, 2);
	assert_string_equal(lobby->path, "shards/lobby/");
	assert_string_equal(lobby->log_level, "info");
	assert_int_equal(lobby->pool_size, 1);
	assert_int_equal(lobby->requests.cpu, 250);
	assert_int_equal(lobby->requests.memory, 256);
	assert_int_equal(lobby->limits.cpu, 1000);
	assert_int_equal(lobby->limits.memory, 1024);
	assert_int_equal(arena->tick_rate, 30);
	assert_string_equal(arena->mode, "LEADER");
	assert_string_equal(arena->log_level, "debug");
	assert_int_equal(arena->requests.memory, 300);
	assert_int_equal(arena->limits.cpu, 900);
	assert_int_equal(f.world->member_count, 3);
	for (size_t i = 0; i < 3; i++)
		assert_string_equal(f.world->members[i].name, members[i]);
	assert_int_equal(f.world->service_count, 1);
	assert_int_equal(f.world->services[0].ports[0], 9000);
	assert_true(f.world->services[0].db);
	done(&f);
}

/* The first problem of a definition: its fault, key and line. */
struct row {
	const char *text;
	const char *fault;
	const char *path;
	int line;
};

static void check_rows(const struct row *rows, size_t count, enum diag_severity severity)
{
	for (size_t i = 0; i < count; i++) {
		struct fixture f = read_world(rows[i].text);
		const struct cardinal_problem *problem = f.world->problems;

		if (!f.world->problem_count)
			fail_msg("nothing said of %s", rows[i].text);
		assert_string_equal(problem->fault, rows[i].fault);
		assert_string_equal(problem->path, rows[i].path);
		assert_int_equal(problem->where.line, rows[i].line);
		assert_int_equal(problem->severity, severity);
		assert_true(!cardinal_world_refused(f.world) == (severity != DIAG_SEVERITY_ERROR));
		done(&f);
	}
}

TEST(rules)
{
	static const struct row rows[] = {
		{ "", "C41", "organization", 1 },
		{ "organization = 'a b'\n", "C41", "project", 1 },
		{ "organization = 'a.b'\n", "C41", "organization", 1 },
		{ "organization = 'a'\nproject = 'P_x'\n", "C43", "project", 2 },
		{ HEAD, "C41", "shards", 1 },
		{ HEAD "[auth]\nmode = 'ARGUS'\n", "C41", "auth.mode", 4 },
		{ HEAD "[auth]\nmode = 'argus'\n", "C41", "auth.url", 3 },
		{ HEAD "[auth]\nmode = 'argus'\nurl = 'ftp://x'\n", "C41", "auth.url", 5 },
		{ HEAD "[[shards]]\n", "C41", "shards[0].id", 3 },
		{ SHARD "[[shards]]\nid = 'g ame'\n", "C41", "shards[1].id", 6 },
		{ HEAD "[[shards]]\nid = 'Game_2'\n", "C43", "shards[0].id", 4 },
		{ SHARD "path = ' x'\n", "C41", "shards[0].path", 5 },
		{ SHARD "tick_rate = -1\n", "C41", "shards[0].tick_rate", 5 },
		{ SHARD "[shards.resources.requests]\ncpu = 1\nmemory = 1\n", "C41",
		  "shards[0].resources.limits.cpu", 5 },
		{ SHARD "resources = { requests = { cpu = 0, memory = 1 }, limits = { cpu = 1, "
			"memory = 1 } }\n",
		  "C41", "shards[0].resources.requests.cpu", 5 },
		{ SHARD "resources.requests = { cpu = 2, memory = 1 }\n"
			"resources.limits = { cpu = 1, memory = 1 }\n",
		  "C45", "shards[0].resources.limits.cpu", 6 },
		{ HEAD "[[shards]]\nid = 'game'\npool_size = 2\n[[shards]]\nid = 'game-2'\n", "C41",
		  "shards[1].id", 7 },
		{ HEAD "[[shards]]\nid = '" A10 A10 A10 A10 A10 A10 "a'\npool_size = 10\n", "C44",
		  "shards[0].id", 4 },
		{ SHARD "[[services]]\nid = 'a'\n", "C41", "services[0]", 5 },
		{ SHARD "[[services]]\nid = 'a'\nimage = 'x'\npath = 'y'\n", "C41",
		  "services[0].path", 8 },
		{ SHARD "[[services]]\nid = 'a'\nimage = 'x'\nports = [65536]\n", "C41",
		  "services[0].ports", 8 },
		{ SHARD "[[services]]\nid = 'a'\nimage = 'x'\nvolume = 'data'\n", "C41",
		  "services[0].volume", 8 },
		{ SHARD "[[services]]\nid = 'a'\nimage = 'x'\nhealthcheck = ['true']\n", "C41",
		  "services[0].healthcheck", 8 },
		{ SHARD "[[services]]\nid = 'a'\nimage = 'x'\ndb = true\nconfig_db = true\n", "C41",
		  "services[0].config_db", 9 },
		{ SHARD "[[services]]\nid = 'a'\npath = 'x'\nconfig_db = true\n", "C41",
		  "services[0].config_db", 8 },
		{ SHARD "[[services]]\nid = 'a'\nimage = 'x'\nconfig_db = true\nports = [5433]\n",
		  "C41", "services[0].ports", 9 },
		/* Types that the decoder refuses; no rule is judged then. */
		{ "organization = 1\n", "C41", "organization", 1 },
		{ "project = 1979-05-27\n", "C41", "project", 1 },
		{ HEAD "shards = 'x'\n", "C41", "shards", 3 },
		{ SHARD "tick_rate = 2147483648\n", "C41", "shards[0].tick_rate", 5 },
		{ SHARD "[[services]]\nenv = { A = 1 }\n", "C41", "services[0].env", 6 },
	};

	check_rows(rows, DIAG_ARRAY_SIZE(rows), DIAG_SEVERITY_ERROR);
}

TEST(what_is_no_error)
{
	static const struct row warnings[] = {
		{ SHARD "tickrate = 3\n", "C41", "shards[0].tickrate", 5 },
		{ SHARD "[[services]]\nid = 'a'\nimage = 'x'\nconfig_db = true\n", "C71",
		  "services[0].config_db", 8 },
		{ SHARD "[[services]]\nid = 'a'\nimage = 'x'\nvolume = '/data'\n", "C71",
		  "services[0].volume", 8 },
	};
	static const struct row infos[] = {
		{ SHARD "log_level = 'trace'\n", "C38", "shards[0].log_level", 5 },
	};
	struct fixture f;

	check_rows(warnings, DIAG_ARRAY_SIZE(warnings), DIAG_SEVERITY_WARNING);
	check_rows(infos, DIAG_ARRAY_SIZE(infos), DIAG_SEVERITY_INFO);
	f = read_world(SHARD "pool_size = -3\nlog_level = ''\nresources = { requests = { cpu = 5, "
			     "memory = 5 }, limits = { cpu = 5, memory = 5 } }\n");
	assert_int_equal(f.world->problem_count, 0);
	assert_int_equal(f.world->shards[0].pool_size, 1);
	done(&f);
}

/* "First failing rule wins, in the order organization, project, auth, shards, expansion,
 * services." */
TEST(order)
{
	struct fixture f = read_world("project = 'P'\norganization = '!'\n[[services]]\n"
				      "[[shards]]\nid = 'game'\npool_size = 2\ntick_rate = -1\n"
				      "[[shards]]\nid = 'game-2'\n[auth]\nmode = 'x'\n");
	static const char *const paths[] = { "organization", "project",
					     "auth.mode",    "shards[0].tick_rate",
					     "shards[1].id", "services[0].id",
					     "services[0]" };

	assert_int_equal(f.world->problem_count, DIAG_ARRAY_SIZE(paths));
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(paths); i++)
		assert_string_equal(f.world->problems[i].path, paths[i]);
	assert_string_equal(
		f.world->problems[4].message,
		"instance 'game-2' is made twice: by shard 'game' and by shard 'game-2'");
	done(&f);
}

static bool has_fault(const struct cardinal_world *world, const char *fault)
{
	for (size_t i = 0; i < world->problem_count; i++)
		if (!strcmp(world->problems[i].fault, fault))
			return true;
	return false;
}

TEST(urls_that_collide)
{
	struct fixture f = read_world(HEAD "[[shards]]\nid = 'game'\npool_size = 2\n"
					   "[[shards]]\nid = 'Game_2'\n");

	assert_true(has_fault(f.world, "C42"));
	assert_true(has_fault(f.world, "C43"));
	done(&f);
	f = read_world(HEAD "[[shards]]\nid = 'game'\npool_size = 2\n[[shards]]\nid = 'game-3'\n");
	assert_int_equal(f.world->problem_count, 0);
	done(&f);
}

TEST(pools_without_end)
{
	struct fixture f = read_world(SHARD "pool_size = 9223372036854775807\n[[shards]]\n"
					    "id = 'x'\npool_size = 9223372036854775807\n");

	assert_int_equal(f.world->member_count, CARDINAL_MAX_INSTANCES);
	assert_true(f.world->problem_count > 0);
	done(&f);
}

RUN_TESTS("libdiag/cardinal/world", T(example), T(rules), T(what_is_no_error), T(order),
	  T(urls_that_collide), T(pools_without_end))
