/* Who waits for whom: sections 6, F25, F31, F53, F54 and F57 of the reference. */
#include "bindery/predict.h"

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

/* a waits for b, b for c. */
static void add_chain(void)
{
	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("b") "," NAMED("c"), "");
	test_add_module(&ns, "a", "", REQUIRES("b.b", "world"), "");
	test_add_module(&ns, "b", PROVIDES("b.b", "world"), REQUIRES("c.c", "world"), "");
	test_add_module(&ns, "c", PROVIDES("c.c", "world"), "", "");
}

TEST(chain)
{
	const struct bindery_workload *a, *b, *c;
	const struct bindery_wait **path;

	add_chain();
	test_predict(&ns);
	a = test_workload(&ns, "rt-arena-a");
	b = test_workload(&ns, "rt-arena-b");
	c = test_workload(&ns, "rt-arena-c");
	assert_non_null(bindery_wait_between(a, b));
	assert_null(bindery_wait_between(a, c));
	assert_null(bindery_wait_between(b, a));
	assert_ptr_equal(b->waiters[0], bindery_wait_between(a, b));
	assert_ptr_equal(b->waiters[0]->waiter, a);
	assert_int_equal(bindery_wait_path(ns.prediction, a, c, &path), 2);
	assert_ptr_equal(path[0], bindery_wait_between(a, b));
	assert_ptr_equal(path[1], bindery_wait_between(b, c));
	free(path);
	assert_int_equal(bindery_wait_path(ns.prediction, c, a, &path), 0);
	assert_null(path);
	assert_int_equal(bindery_wait_path(ns.prediction, a, a, &path), 0);
	assert_int_equal(ns.prediction->cycle_count, 0);
}

/* A ring of three, with one beside it that waits for the ring and is in no cycle. */
TEST(cycle)
{
	const struct bindery_wait **path;
	const struct bindery_workload *a;

	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("b") "," NAMED("c") "," NAMED("d"), "");
	test_add_module(&ns, "a", PROVIDES("a.a", "world"), REQUIRES("b.b", "world"), "");
	test_add_module(&ns, "b", PROVIDES("b.b", "world"), WANTS("c.c", "world"), "");
	test_add_module(&ns, "c", PROVIDES("c.c", "world"), REQUIRES("a.a", "world"), "");
	test_add_module(&ns, "d", "", REQUIRES("a.a", "world"), "");
	test_predict(&ns);
	assert_int_equal(ns.prediction->cycle_count, 1);
	assert_int_equal(ns.prediction->cycles[0].count, 3);
	assert_int_equal(test_workload(&ns, "rt-arena-d")->cycle, 0);
	a = test_workload(&ns, "rt-arena-a");
	assert_int_equal(a->cycle, 1);
	assert_int_equal(bindery_wait_path(ns.prediction, a, a, &path), 3);
	assert_ptr_equal(path[2]->target, a);
	free(path);
	/* Out of the ring leads no way, and the search ends. */
	assert_int_equal(
		bindery_wait_path(ns.prediction, a, test_workload(&ns, "rt-arena-d"), &path), 0);
	assert_int_equal(
		bindery_wait_path(ns.prediction, test_workload(&ns, "rt-arena-d"), a, &path), 1);
	free(path);
}

/* Bound to itself (F25), or named as the world, whose root bindings are then its own (F53). */
TEST(waits_for_itself)
{
	const struct bindery_workload *self;

	test_add_booklet(&ns, "book", NAMED("a"), "");
	test_add_module(&ns, "a", PROVIDES("a.a", "world"), REQUIRES("a.a", "world"), "");
	test_predict(&ns);
	self = test_workload(&ns, "rt-arena-a");
	assert_ptr_equal(bindery_wait_between(self, self)->target, self);
	assert_int_equal(ns.prediction->cycles[0].count, 1);
}

TEST(named_as_the_world)
{
	test_add_booklet(&ns, "book", NAMED("arena"), "");
	test_add_module(&ns, "arena", "", "", "");
	test_predict(&ns);
	assert_string_equal(test_workload(&ns, "rt-arena-arena")->waits[0].address,
			    "rt-arena-arena:8080");
	assert_int_equal(ns.prediction->cycle_count, 1);
}

/* Shard-scoped dependencies reach only the workload of their shard (F31). */
TEST(shard_filter)
{
	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("p") "," NAMED("q") "," NAMED("u"), "");
	test_add_module(&ns, "p", PROVIDES("p.p", "world-shard"), REQUIRES("q.q", "world-shard"),
			"");
	test_add_module(&ns, "q", PROVIDES("q.q", "world-shard"), REQUIRES("u.u", "world"), "");
	test_add_module(&ns, "u", PROVIDES("u.u", "world"), "", "");
	test_add_module(&ns, "a", "", REQUIRES("p.p", "world-shard"), "");
	json_object_set_new(json_object_get(json_array_get(ns.worlds, 0), "spec"), "shardCount",
			    json_integer(2));
	test_predict(&ns);
	assert_int_equal(test_workload(&ns, "rt-arena-a")->members[0].dependency_count, 0);
	assert_int_equal(test_workload(&ns, "rt-arena-shard-1-p")->wait_count, 1);
	assert_string_equal(test_workload(&ns, "rt-arena-shard-1-p")->waits[0].service,
			    "rt-arena-shard-1-q");
	assert_string_equal(test_workload(&ns, "rt-arena-shard-0-q")->waits[0].service,
			    "rt-arena-u");
	assert_int_equal(test_workload(&ns, "rt-arena-u")->waiter_count, 2);
}

/* A shared workload sees the bindings of all worlds. */
TEST(shared_sees_all_worlds)
{
	const struct bindery_workload *chat;

	test_add_world(&ns, "other", "book");
	test_add_booklet(&ns, "book", NAMED("chat") "," NAMED("game") "," NAMED("db"), "");
	test_add_module(&ns, "db", PROVIDES("d.b", "world"), "", "");
	test_add_module(&ns, "chat", PROVIDES("c.c", "realm"), REQUIRES("d.b", "world"), "");
	test_add_module(&ns, "game", "", REQUIRES("c.c", "realm"), "");
	test_predict(&ns);
	chat = test_workload(&ns, "rt-global-chat");
	assert_true(chat->global);
	assert_null(chat->world);
	assert_int_equal(chat->wait_count, 2);
	assert_string_equal(chat->waits[0].address, "rt-arena-db:8080");
	assert_string_equal(chat->waits[1].address, "rt-other-db:8080");
	assert_int_equal(chat->waiter_count, 2);
	assert_int_equal(chat->members[0].binding_count, 2);
}

/* One address asked for twice is one wait, and optional only when all ask so (F57). */
TEST(optional)
{
	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("b") "," NAMED("p"), "");
	test_add_module(&ns, "p", PROVIDES("p.p", "world") "," PROVIDES("p.q", "world"), "", "");
	test_add_module(&ns, "a", "", WANTS("p.p", "world") "," REQUIRES("p.q", "world"), "");
	test_add_module(&ns, "b", "", WANTS("p.p", "world") "," WANTS("p.q", "world"), "");
	test_predict(&ns);
	assert_int_equal(test_workload(&ns, "rt-arena-a")->wait_count, 1);
	assert_false(test_workload(&ns, "rt-arena-a")->waits[0].optional);
	assert_string_equal(test_workload(&ns, "rt-arena-a")->waits[0].binding->capability, "p.q");
	assert_int_equal(test_workload(&ns, "rt-arena-b")->wait_count, 1);
	assert_true(test_workload(&ns, "rt-arena-b")->waits[0].optional);
}

/* Sorted as text with their port, as the operator's command has them. */
TEST(order)
{
	const struct bindery_workload *a;

	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("chat") "," NAMED("chat-relay"), "");
	test_add_module(&ns, "chat", PROVIDES("c.c", "world"), "", "");
	test_add_module(&ns, "chat-relay", PROVIDES("c.r", "world"), "", "");
	test_add_module(&ns, "a", "", REQUIRES("c.c", "world") "," REQUIRES("c.r", "world"), "");
	test_predict(&ns);
	a = test_workload(&ns, "rt-arena-a");
	assert_string_equal(a->waits[0].address, "rt-arena-chat-relay:8080");
	assert_string_equal(a->waits[1].address, "rt-arena-chat:8080");
}

/* A provider without image is no workload, and nobody waits for it. */
TEST(no_image)
{
	add_chain();
	json_object_del(json_object_get(json_array_get(ns.manifests, 2), "spec"), "runtime");
	test_predict(&ns);
	assert_null(bindery_prediction_workload(ns.prediction, "rt-arena-c"));
	assert_int_equal(test_workload(&ns, "rt-arena-b")->wait_count, 0);
	assert_int_equal(test_workload(&ns, "rt-arena-b")->members[0].dependency_count, 1);
}

#define U(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

RUN_TESTS("predict_waits", U(chain), U(cycle), U(waits_for_itself), U(named_as_the_world),
	  U(shard_filter), U(shared_sees_all_worlds), U(optional), U(order), U(no_image))
