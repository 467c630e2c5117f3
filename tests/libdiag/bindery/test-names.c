/* All vectors of bindery-platform.md section 3.1. `w{120}` there is rep("w", 120) here. */

#include "base/arena.h"
#include "base/macros.h"
#include "bindery/names.h"

#include "tests/support/unit.h"

static struct diag_arena *arena;

/* Expand each x{N} in a vector. */
static const char *expand(const char *vector)
{
	char *out = diag_arena_alloc(arena, 4096), *to = out;

	while (*vector) {
		if (vector[1] == '{') {
			char *end;
			long count = strtol(vector + 2, &end, 10);

			memset(to, *vector, (size_t)count);
			to += count;
			vector = end + 1;
		} else {
			*to++ = *vector++;
		}
	}
	return out;
}

static void check(const char *got, const char *want, size_t length)
{
	assert_string_equal(got, expand(want));
	assert_int_equal(strlen(got), length);
}

static const struct {
	const char *world, *consumer, *capability, *scope, *multiplicity;
	int shard;
	const char *name;
	size_t length;
} bindings[] = {
	{ "bindery-sample-world", "core-interaction-engine", "physics.engine", "world-shard", "1",
	  -1, "cb-bindery-sample-world-core-interaction-engine-physics-engine-world-shard-1", 76 },
	{ "arena", "gateway", "chat.global", "realm", "1", -1,
	  "cb-arena-gateway-chat-global-realm-1", 36 },
	{ "arena", "arena", "system.root", "world", "1", -1, "cb-arena-arena-system-root-world-1",
	  34 },
	{ "my.world", "Core_Engine", "net.code.relay-v2", "world", "many", -1,
	  "cb-my-world-core-engine-net-code-relay-v2-world-many", 52 },
	{ "w", "m", "a.b", "world", "", -1, "cb-w-m-a-b-world", 16 },
	{ "alpha", "beta-x", "a.b", "world", "1", -1, "cb-alpha-beta-x-a-b-world-1", 27 },
	{ "alpha-beta", "x", "a.b", "world", "1", -1, "cb-alpha-beta-x-a-b-world-1", 27 },
	{ "w{120}", "m{120}", "physics.engine", "world", "1", -1, "cb-w{120}-m{120}-eab2d1c4",
	  253 },
	{ "w{200}", "x{38}-----y{20}", "a.b", "world", "1", -1, "cb-w{200}-x{38}-048dd0dd", 251 },
	{ "bindery-sample-world", "core-interaction-engine", "physics.engine", "world-shard", "1",
	  0, "cb-bindery-sample-world-core-interaction-engine-physics-engine-world-shard-1-shard-0",
	  84 },
	{ "bindery-sample-world", "bindery-sample-world", "system.root", "world-shard", "1", 1,
	  "cb-bindery-sample-world-bindery-sample-world-system-root-world-shard-1-shard-1", 78 },
	{ "arena", "bots", "event.stream", "world-shard", "many", 12,
	  "cb-arena-bots-event-stream-world-shard-many-shard-12", 52 },
	{ "my.world", "Core_Engine", "net.code.relay", "world-shard", "1", 3,
	  "cb-my-world-core-engine-net-code-relay-world-shard-1-shard-3", 60 },
	{ "w{120}", "m{120}", "physics.engine", "world-shard", "1", 7, "cb-w{120}-m{120}-9f42fe7f",
	  253 },
};

static void test_bindings(void **state DIAG_UNUSED)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(bindings); i++)
		check(bindery_name_binding(arena, expand(bindings[i].world),
					   expand(bindings[i].consumer), bindings[i].capability,
					   bindings[i].scope, bindings[i].multiplicity,
					   bindings[i].shard),
		      bindings[i].name, bindings[i].length);
}

static void test_realm_bindings(void **state DIAG_UNUSED)
{
	static const struct {
		const char *realm, *module, *name;
		size_t length;
	} rows[] = {
		{ "eu-west", "global-chat", "realm-eu-west-global-chat", 25 },
		{ "EU-West", "Chat.Svc", "realm-eu-west-chat.svc", 22 },
		{ "a", "b-c", "realm-a-b-c", 11 },
		{ "a-b", "c", "realm-a-b-c", 11 },
		{ "eu.west", "chat_svc", "realm-eu.west-chat_svc", 22 },
		{ "r{200}", "m{100}", "realm-r{200}-m{100}", 307 },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++)
		check(bindery_name_realm_binding(arena, expand(rows[i].realm),
						 expand(rows[i].module)),
		      rows[i].name, rows[i].length);
}

static void test_runtime(void **state DIAG_UNUSED)
{
	static const struct {
		const char *world, *shard, *module, *name;
		size_t length;
	} rows[] = {
		{ "bindery-sample-world", "", "core-physics-engine",
		  "rt-bindery-sample-world-core-physics-engine", 43 },
		{ "bindery-sample-world", "0", "core-physics-engine",
		  "rt-bindery-sample-world-shard-0-core-physics-engine", 51 },
		{ "global", "", "global-chat", "rt-global-global-chat", 21 },
		{ "my.world", "", "Core.Physics_Engine", "rt-my-world-core-physics-engine", 31 },
		{ "alpha", "", "beta-x", "rt-alpha-beta-x", 15 },
		{ "alpha-beta", "", "x", "rt-alpha-beta-x", 15 },
		{ "w", "0", "m", "rt-w-shard-0-m", 14 },
		{ "w", "", "shard-0-m", "rt-w-shard-0-m", 14 },
		{ "europe-production-tournament-world-2026", "", "matchmaking-service-v2",
		  "rt-europe-production-tournament-world-2026-matchmaking-service-v2", 65 },
		{ "w{150}", "", "m{150}", "rt-w{150}-m{90}-b2db3f87", 253 },
		{ "w{150}", "10", "m{150}", "rt-w{150}-shard-10-m{81}-21c726aa", 253 },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++)
		check(bindery_name_runtime(arena, expand(rows[i].world), rows[i].shard,
					   expand(rows[i].module)),
		      rows[i].name, rows[i].length);
}

static void test_groups(void **state DIAG_UNUSED)
{
	static const struct {
		const char *world, *shard, *group, *name;
		size_t length;
	} rows[] = {
		{ "arena", "", "sim-core", "rt-arena-coloc-sim-core", 23 },
		{ "arena", "3", "Sim_Core.A", "rt-arena-shard-3-coloc-sim-core-a", 33 },
		{ "my.world", "", "fast path", "rt-my-world-coloc-fast-path", 27 },
		{ "w{240}", "1", "grp", "rt-w{240}-33403e13", 252 },
		{ "arena", "", "x", "rt-arena-coloc-x", 16 },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++)
		check(bindery_name_group(arena, expand(rows[i].world), rows[i].shard,
					 rows[i].group),
		      rows[i].name, rows[i].length);
}

static void test_shards(void **state DIAG_UNUSED)
{
	check(bindery_name_shard(arena, "arena", 0), "ws-arena-0000", 13);
	check(bindery_name_shard(arena, "arena", 12345), "ws-arena-12345", 14);
	check(bindery_name_shard(arena, "bindery-sample-world", 1), "ws-bindery-sample-world-0001",
	      28);
	check(bindery_name_shard(arena, "my.world", 42), "ws-my-world-0042", 16);
	check(bindery_name_shard(arena, "My_World", 7), "ws-my-world-0007", 16);
	check(bindery_name_shard(arena, expand("w{253}"), 3), "ws-w{241}-f2addd8c", 253);
}

static void test_claims(void **state DIAG_UNUSED)
{
	static const struct {
		const char *world, *shard, *tier, *wsc, *pvc;
		size_t length;
	} rows[] = {
		{ "arena", "", "server-low-latency", "wsc-arena--server-low-latency",
		  "pvc-arena--server-low-latency", 29 },
		{ "arena", "ws-arena-0000", "server-low-latency",
		  "wsc-arena-ws-arena-0000-server-low-latency",
		  "pvc-arena-ws-arena-0000-server-low-latency", 42 },
		{ "my.world", "ws-my-world-0002", "server-high-latency",
		  "wsc-my-world-ws-my-world-0002-server-high-latency",
		  "pvc-my-world-ws-my-world-0002-server-high-latency", 49 },
		{ "A_B", "", "client-low-latency", "wsc-a-b--client-low-latency",
		  "pvc-a-b--client-low-latency", 27 },
		{ "w{230}", "ws-w{230}-0000", "server-low-latency", "wsc-w{230}-ws-wwwwww-6ee5313c",
		  "pvc-w{230}-ws-wwwwww-99267024", 253 },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		check(bindery_name_claim(arena, expand(rows[i].world), expand(rows[i].shard),
					 rows[i].tier),
		      rows[i].wsc, rows[i].length);
		check(bindery_name_pvc(arena, expand(rows[i].world), expand(rows[i].shard),
				       rows[i].tier),
		      rows[i].pvc, rows[i].length);
	}
	check(bindery_name_pvc(arena, "A_B", "", "server-low-latency"),
	      "pvc-a-b--server-low-latency", 27);
}

static void test_env(void **state DIAG_UNUSED)
{
	assert_string_equal(bindery_name_env(arena, "net.code.relay-v2"), "NET_CODE_RELAY-V2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bindings), cmocka_unit_test(test_realm_bindings),
		cmocka_unit_test(test_runtime),  cmocka_unit_test(test_groups),
		cmocka_unit_test(test_shards),   cmocka_unit_test(test_claims),
		cmocka_unit_test(test_env),
	};
	int failed;

	arena = diag_arena_new();
	failed = cmocka_run_group_tests_name("names", tests, NULL, NULL);
	diag_arena_free(arena);
	return failed;
}
