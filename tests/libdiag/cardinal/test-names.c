/* All vectors of cardinal-cluster.md sections 2.1, 4.1 and 6. */
#include "cardinal/names.h"
#include "tests/support/unit.h"

#define A10 "aaaaaaaaaa"
#define A60 A10 A10 A10 A10 A10 A10

TEST(labels)
{
	static const char *const rows[][2] = {
		{ "", "unknown" },
		{ "   ", "unknown" },
		{ "___", "unknown" },
		{ "-", "unknown" },
		{ "\u65e5\u672c", "unknown" },
		{ "UNKNOWN!", "unknown" },
		{ "Argus_Labs", "argus-labs" },
		{ "My Game 2", "my-game-2" },
		{ "rampage--eu", "rampage-eu" },
		{ "__x__", "x" },
		{ "9Lives!", "9lives" },
		{ "game.lobby/eu", "game-lobby-eu" },
		{ "gameplay-2", "gameplay-2" },
		{ "GamePlay_2", "gameplay-2" },
		{ "caf\u00e9", "caf" },
		{ "a\u65e5\u672c"
		  "b",
		  "a-b" },
		{ "x\ty\nz", "x-y-z" },
		{ "-_-Zed-_-", "zed" },
		{ "\u212a"
		  "8s",
		  "k8s" },
		{ "\u0130zmir", "izmir" },
		{ "\u00fcnder", "nder" },
		{ A60 A10, A60 A10 },
	};
	diag_arena_auto struct diag_arena *arena = diag_arena_new();

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++)
		assert_string_equal(cardinal_label(arena, rows[i][0]), rows[i][1]);
	assert_true(cardinal_is_canonical("gameplay-2"));
	assert_true(cardinal_is_canonical(A60 A10));
	assert_false(cardinal_is_canonical("GamePlay"));
	assert_false(cardinal_is_canonical(""));
}

TEST(urls)
{
	static const char *const rows[][4] = {
		{ "argus", "rampage", "gameplay", "/argus/rampage/gameplay" },
		{ "Argus_Labs", "rampage", "gameplay-2", "/argus-labs/rampage/gameplay-2" },
		{ "acme", "space--race", "game_lobby", "/acme/space-race/game-lobby" },
		{ "acme", "space-race", "game-lobby", "/acme/space-race/game-lobby" },
		{ "", "rampage", "lobby", "/unknown/rampage/lobby" },
		{ "acme corp.", "Rampage!", "Game 3", "/acme-corp/rampage/game-3" },
		{ "ACME", "r", "___", "/acme/r/unknown" },
		{ "acme", "r", "unknown", "/acme/r/unknown" },
	};
	diag_arena_auto struct diag_arena *arena = diag_arena_new();

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		char *want = diag_arena_printf(arena, "http://localhost:8080%s", rows[i][3]);

		assert_string_equal(cardinal_url(arena, rows[i][0], rows[i][1], rows[i][2]), want);
	}
}

TEST(instances)
{
	static const struct {
		int id, pool;
		bool fits;
	} rows[] = { { 63, 1, true },
		     { 63, 2, false },
		     { 61, 2, true },
		     { 61, 10, false },
		     { 60, 10, true } };
	diag_arena_auto struct diag_arena *arena = diag_arena_new();

	assert_string_equal(cardinal_instance(arena, "arena", 1), "arena");
	assert_string_equal(cardinal_instance(arena, "arena", 2), "arena-2");
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		char *id = diag_arena_strndup(arena, A60 A10, (size_t)rows[i].id);

		assert_int_equal(cardinal_instance_length(id, rows[i].pool) <= 63, rows[i].fits);
	}
}

TEST(buckets)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	struct cardinal_bucket_parts parts;

	assert_string_equal(cardinal_bucket(arena, "acme", "orbit", "arena-2"),
			    "acme_orbit_arena-2_snapshot");
	assert_true(cardinal_bucket_split(arena, "a_b_c_x_snapshot", &parts));
	assert_string_equal(parts.organization, "a_b");
	assert_string_equal(parts.project, "c");
	assert_string_equal(parts.instance, "x");
	assert_false(cardinal_bucket_split(arena, "b_x_snapshot", &parts));
	assert_false(cardinal_bucket_split(arena, "a_b_x_snapshots", &parts));
	assert_false(cardinal_bucket_split(arena, "snapshot", &parts));
	assert_false(cardinal_bucket_split(arena, "", &parts));
}

TEST(objects)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();

	assert_string_equal(cardinal_world_key(arena, "Acme_x", "Orbit"), "Acme_x/Orbit");
	assert_string_equal(cardinal_image(arena, "rampage", "gameplay"),
			    "k3d-world-engine-registry.localhost:5000/rampage/gameplay");
	assert_string_equal(cardinal_service(arena, "orbit", "ranks"), "orbit-ranks-service");
	assert_string_equal(cardinal_database(arena, "orbit"), "orbit-db");
	assert_string_equal(cardinal_dsn(arena, "orbit-db", "orbit"),
			    "postgres://postgres:postgres@orbit-db.cardinal-operator-system.svc."
			    "cluster.local:5432/orbit?sslmode=disable");
}

RUN_TESTS("libdiag/cardinal/names", T(labels), T(urls), T(instances), T(buckets), T(objects))
