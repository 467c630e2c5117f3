/* Storage by annotation: names and scopes as in section 6, F75 to F77, F79. */
#include "bindery/objects.h"

#include "tests/support/namespace.h"
#include "tests/support/unit.h"

static struct test_namespace ns;

static int setup(void **state DIAG_UNUSED)
{
	test_namespace_init(&ns);
	test_add_world(&ns, "arena", "book");
	return 0;
}

static int teardown(void **state DIAG_UNUSED)
{
	test_namespace_done(&ns);
	return 0;
}

#define TIER(tier) "'bindery.dev/storage-tier':'" tier "'"
#define LOW        TIER("server-low-latency")

static void add_one(const char *provides, const char *requires, const char *annotations)
{
	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("p"), "");
	test_add_module(&ns, "a", "", requires, "");
	test_add_module(&ns, "p", provides, "", annotations);
}

TEST(world)
{
	const struct bindery_storage *storage;

	add_one(PROVIDES("p.p", "world"), REQUIRES("p.p", "world"), LOW);
	test_predict(&ns);
	storage = &test_workload(&ns, "rt-arena-p")->storage;
	assert_true(storage->effective);
	assert_string_equal(storage->scope, "world");
	assert_string_equal(storage->size, "1Gi");
	assert_string_equal(storage->path, "/var/bindery/state");
	assert_string_equal(storage->claim, "wsc-arena--server-low-latency");
	assert_string_equal(storage->pvc, "pvc-arena--server-low-latency");
	assert_string_equal(storage->mounted, storage->pvc);
	assert_null(storage->shard_ref);
	assert_ptr_equal(storage->member, test_workload(&ns, "rt-arena-p")->members);
	assert_int_equal(ns.prediction->claim_count, 1);
	assert_false(test_workload(&ns, "rt-arena-a")->storage.effective);
}

TEST(shard)
{
	const struct bindery_storage *storage;

	add_one(PROVIDES("p.p", "world-shard"), REQUIRES("p.p", "world-shard"), LOW);
	test_predict(&ns);
	storage = &test_workload(&ns, "rt-arena-shard-0-p")->storage;
	assert_string_equal(storage->scope, "world-shard");
	assert_string_equal(storage->shard_ref, "ws-arena-0000");
	assert_string_equal(storage->claim, "wsc-arena-ws-arena-0000-server-low-latency");
	assert_string_equal(storage->pvc, "pvc-arena-ws-arena-0000-server-low-latency");
	assert_string_equal(storage->mounted, storage->pvc);
}

/* Scope world on a sharded module: the pod mounts a name that nobody makes (F75). */
TEST(names_differ)
{
	const struct bindery_storage *storage;

	add_one(PROVIDES("p.p", "world-shard"), REQUIRES("p.p", "world-shard"),
		LOW ",'bindery.dev/storage-scope':' world '");
	test_predict(&ns);
	storage = &test_workload(&ns, "rt-arena-shard-0-p")->storage;
	assert_string_equal(storage->mounted, "pvc-arena-ws-arena-0000-server-low-latency");
	assert_string_equal(storage->pvc, "pvc-arena--server-low-latency");
	assert_null(storage->shard_ref);
}

TEST(without_effect)
{
	static const char *const tiers[] = { TIER("client-low-latency"), TIER("fast"), TIER(" ") };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(tiers); i++) {
		test_namespace_done(&ns);
		setup(NULL);
		add_one(PROVIDES("p.p", "world"), REQUIRES("p.p", "world"), tiers[i]);
		test_predict(&ns);
		assert_false(test_workload(&ns, "rt-arena-p")->storage.effective);
		assert_null(bindery_claim_object(&test_workload(&ns, "rt-arena-p")->storage));
		assert_null(bindery_pvc_object(&test_workload(&ns, "rt-arena-p")->storage));
		assert_int_equal(ns.prediction->claim_count, 0);
	}
}

/* A shared workload gets none, whatever its tier. */
TEST(shared)
{
	add_one(PROVIDES("p.p", "realm"), REQUIRES("p.p", "realm"), LOW);
	test_predict(&ns);
	assert_string_equal(test_workload(&ns, "rt-global-p")->storage.tier, "server-low-latency");
	assert_false(test_workload(&ns, "rt-global-p")->storage.effective);
}

/* The module is in no name: two of one tier ask for one claim (F77). */
TEST(shared_claim)
{
	const struct bindery_claim *claim;

	add_one(PROVIDES("p.p", "world"), REQUIRES("p.p", "world"), LOW);
	json_object_set_new(
		json_object_get(json_object_get(json_array_get(ns.manifests, 0), "metadata"),
				"annotations"),
		"bindery.dev/storage-tier", json_string("server-low-latency"));
	test_predict(&ns);
	assert_int_equal(ns.prediction->claim_count, 1);
	claim = ns.prediction->claims;
	assert_string_equal(claim->name, "wsc-arena--server-low-latency");
	assert_int_equal(claim->count, 2);
	assert_string_equal(claim->askers[0]->member->module, "p");
	assert_string_equal(claim->askers[1]->member->module, "a");
}

/* Each member of a Pod group has a claim of its own, and the pod one volume (F80). */
TEST(pod_group)
{
	const struct bindery_workload *pod;

	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("p"),
			 "{'name':'g','modules':['a','p'],'strategy':'Pod'}");
	test_add_module(&ns, "a", "", REQUIRES("p.p", "world"), TIER("server-high-latency"));
	test_add_module(&ns, "p", PROVIDES("p.p", "world"), "", LOW);
	test_predict(&ns);
	pod = test_workload(&ns, "rt-arena-coloc-g");
	assert_int_equal(ns.prediction->claim_count, 2);
	assert_string_equal(pod->storage.mounted, pod->members[0].storage.mounted);
	assert_string_not_equal(pod->members[0].storage.claim, pod->members[1].storage.claim);
}

TEST(access_modes)
{
	const struct bindery_storage *storage;

	add_one(PROVIDES("p.p", "world"), REQUIRES("p.p", "world"),
		LOW ",'bindery.dev/storage-access-modes':' ReadWriteMany, ,ReadOnlyMany,'");
	test_predict(&ns);
	storage = &test_workload(&ns, "rt-arena-p")->storage;
	assert_int_equal(storage->access_mode_count, 2);
	assert_string_equal(storage->access_modes[0], "ReadWriteMany");
	assert_string_equal(storage->access_modes[1], "ReadOnlyMany");
}

#define U(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

RUN_TESTS("predict_storage", U(world), U(shard), U(names_differ), U(without_effect), U(shared),
	  U(shared_claim), U(pod_group), U(access_modes))
