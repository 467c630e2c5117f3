/* The prediction from inputs to bindings and workloads, against sections 3 to 7 of the reference.
 */
#include "base/str.h"
#include "bindery/objects.h"

#include "tests/support/namespace.h"
#include "tests/support/unit.h"

static struct test_namespace ns;

static int setup(void **state DIAG_UNUSED)
{
	test_namespace_init(&ns);
	return 0;
}

static int teardown(void **state DIAG_UNUSED)
{
	test_namespace_done(&ns);
	return 0;
}

/* Two modules of world arena: gateway requires what physics provides. */
static void add_pair(const char *scope)
{
	bool shard = strcmp(scope, "world-shard") == 0;

	test_add_world(&ns, "arena", "book");
	test_add_booklet(&ns, "book", NAMED("gateway") "," NAMED("physics"), "");
	test_add_module(&ns, "physics",
			shard ? PROVIDES("physics.engine", "world-shard")
			      : PROVIDES("physics.engine", "world"),
			"", "");
	test_add_module(&ns, "gateway", "",
			shard ? REQUIRES("physics.engine", "world-shard")
			      : REQUIRES("physics.engine", "world"),
			"");
}

static const char *binding_names(const struct bindery_prediction *p)
{
	static char text[1024];

	*text = '\0';
	for (size_t i = 0; i < p->binding_count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", *text ? " " : "",
			 p->bindings[i].name);
	return text;
}

static const char *workload_names(const struct bindery_prediction *p)
{
	static char text[1024];

	*text = '\0';
	for (size_t i = 0; i < p->workload_count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", *text ? " " : "",
			 p->workloads[i].name);
	return text;
}

TEST(a_pair)
{
	const struct bindery_prediction *p;
	const struct bindery_binding *binding;

	add_pair("world");
	p = test_predict(&ns);
	assert_string_equal(binding_names(p), "cb-arena-arena-system-root-world-1 "
					      "cb-arena-gateway-physics-engine-world-1");
	assert_string_equal(workload_names(p), "rt-arena-gateway rt-arena-physics");
	binding = bindery_prediction_binding(p, "cb-arena-gateway-physics-engine-world-1");
	assert_non_null(binding);
	assert_false(binding->contested || binding->root || binding->refused);
	assert_ptr_equal(binding->workload, test_workload(&ns, "rt-arena-physics"));
	assert_string_equal(binding->member->service, "rt-arena-physics");
	assert_int_equal(binding->member->port, 8080);
	assert_ptr_equal(binding->member->bindings[0], binding);
	assert_ptr_equal(bindery_prediction_service(p, "rt-arena-physics"), binding->workload);
	assert_ptr_equal(bindery_prediction_world(p, "arena"), p->worlds);
	assert_null(bindery_prediction_binding(p, "cb"));
	assert_null(bindery_prediction_binding(p, NULL));
	assert_int_equal(p->collision_count + p->refusal_count + p->cycle_count + p->claim_count,
			 0);
}

/* Each shard-scoped binding once a shard; a world always has a shard. */
TEST(shards)
{
	const struct bindery_prediction *p;

	add_pair("world-shard");
	json_object_set_new(json_object_get(json_array_get(ns.worlds, 0), "spec"), "shardCount",
			    json_integer(3));
	p = test_predict(&ns);
	assert_int_equal(p->worlds[0].shard_count, 3);
	assert_int_equal(p->binding_count, 4); /* three of the pair, one root of gateway */
	assert_int_equal(p->workload_count, 4);
	assert_int_equal(test_workload(&ns, "rt-arena-shard-2-physics")->shard, 2);
	json_object_del(json_object_get(json_array_get(ns.worlds, 0), "spec"), "shardCount");
	p = test_predict(&ns);
	assert_int_equal(p->worlds[0].shard_count, 1);
	assert_int_equal(p->worlds[0].shards_asked, 0);
}

TEST(limits)
{
	struct bindery_input input = {
		"game", ns.worlds, ns.booklets, ns.manifests, ns.realms, 100
	};
	const struct bindery_prediction *p;

	add_pair("world-shard");
	json_object_set_new(json_object_get(json_array_get(ns.worlds, 0), "spec"), "shardCount",
			    json_integer(INT64_C(1) << 40));
	ns.prediction = bindery_predict(&input);
	p = ns.prediction;
	assert_int_equal(p->worlds[0].shard_count, BINDERY_MAX_SHARDS);
	assert_true(p->worlds[0].shards_asked == INT64_C(1) << 40);
	assert_true(p->cut);
	assert_int_equal(p->binding_count, 100);
}

TEST(what_is_missing)
{
	const struct bindery_prediction *p;

	test_add_world(&ns, "lost", "nowhere");
	test_add_world(&ns, "arena", "book");
	test_add_booklet(&ns, "book", NAMED("gone") ",{'name':'away','required':false}," NAMED("a"),
			 "");
	test_add_module(&ns, "a", "", "", "");
	p = test_predict(&ns);
	assert_null(p->worlds[0].booklet);
	assert_string_equal(p->worlds[0].booklet_name, "nowhere");
	assert_null(p->worlds[0].resolution);
	assert_int_equal(p->worlds[1].missing_required, 1);
	assert_null(p->worlds[1].resolution);
	assert_true(p->booklets[0].entries.items[0].required);
	assert_false(p->booklets[0].entries.items[1].required);
	assert_null(p->booklets[0].entries.items[1].manifest);
	assert_int_equal(p->binding_count, 0);
}

/* An optional module, a realm and a realm's module may be missing: nothing stops. */
TEST(what_may_be_missing)
{
	const struct bindery_prediction *p;

	test_add(ns.worlds, "{'metadata':{'name':'arena'},'spec':{'gameRef':{'name':'book'},"
			    "'realmRef':{'name':'eu'}}}");
	test_add_booklet(&ns, "book", NAMED("a") ",{'name':'away','required':false}", "");
	test_add_module(&ns, "a", "", "", "");
	p = test_predict(&ns);
	assert_string_equal(p->worlds[0].realm_name, "eu");
	assert_null(p->worlds[0].realm);
	assert_string_equal(binding_names(p), "cb-arena-arena-system-root-world-1");
	test_add(ns.realms, "{'metadata':{'name':'eu'},'spec':{'modules':[{'name':'chat'}]}}");
	p = test_predict(&ns);
	assert_non_null(p->worlds[0].realm);
	assert_string_equal(binding_names(p), "cb-arena-arena-system-root-world-1 realm-eu-chat");
	assert_null(p->bindings[1].workload);
}

static const struct bindery_collision *only_collision(void)
{
	const struct bindery_prediction *p = test_predict(&ns);

	assert_int_equal(p->collision_count, 1);
	for (size_t i = 0; i < p->collisions[0].count; i++) {
		assert_true(p->collisions[0].bindings[i].contested);
		assert_ptr_equal(p->collisions[0].bindings[i].collision, p->collisions);
		assert_string_equal(p->collisions[0].bindings[i].name, p->collisions[0].name);
	}
	return p->collisions;
}

TEST(collision_of_roots)
{
	test_add_world(&ns, "arena", "book");
	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("b") "," NAMED("c"), "");
	test_add_module(&ns, "a", "", "", "");
	test_add_module(&ns, "b", PROVIDES("b.b", "world"), "", "");
	test_add_module(&ns, "c", "", REQUIRES("b.b", "world"), "");
	assert_int_equal(only_collision()->kind, BINDERY_COLLISION_ROOTS);
	assert_int_equal(ns.prediction->collisions->count, 2); /* a and c */
	assert_true(test_workload(&ns, "rt-arena-a")->contested);
	assert_false(test_workload(&ns, "rt-arena-b")->contested);
}

TEST(collision_of_many)
{
	const char *many =
		"{'capabilityId':'b.b','version':'1.0.0','scope':'world','multiplicity':'many'}";

	test_add_world(&ns, "arena", "book");
	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("b") "," NAMED("c"), "");
	test_add_module(&ns, "a", many, "", "");
	test_add_module(&ns, "b", many, "", "");
	test_add_module(&ns, "c", "",
			"{'capabilityId':'b.b','versionConstraint':'^1','scope':'world',"
			"'multiplicity':'many','dependencyMode':'required'}",
			"");
	assert_int_equal(only_collision()->kind, BINDERY_COLLISION_MANY);
	assert_true(test_workload(&ns, "rt-arena-c")->unsettled);
	assert_false(test_workload(&ns, "rt-arena-c")->contested);
}

/* Two constraints, and even one constraint with two modes, are written in turns. */
TEST(collision_of_duplicates)
{
	test_add_world(&ns, "arena", "book");
	test_add_booklet(&ns, "book", NAMED("b") "," NAMED("c"), "");
	test_add_module(&ns, "b", PROVIDES("b.b", "world"), "", "");
	test_add_module(&ns, "c", "", REQUIRES("b.b", "world") "," WANTS("b.b", "world"), "");
	assert_int_equal(only_collision()->kind, BINDERY_COLLISION_DUPLICATE);
	assert_true(test_workload(&ns, "rt-arena-b")->contested);
}

TEST(collision_of_worlds)
{
	test_add_world(&ns, "alpha", "one");
	test_add_world(&ns, "alpha-beta", "two");
	test_add_booklet(&ns, "one", NAMED("beta-x") "," NAMED("p"), "");
	test_add_booklet(&ns, "two", NAMED("x") "," NAMED("p"), "");
	test_add_module(&ns, "p", PROVIDES("a.b", "world"), "", "");
	test_add_module(&ns, "x", "", REQUIRES("a.b", "world"), "");
	test_add_module(&ns, "beta-x", "", REQUIRES("a.b", "world"), "");
	assert_int_equal(only_collision()->kind, BINDERY_COLLISION_OWNERS);
	assert_string_equal(ns.prediction->collisions->name, "cb-alpha-beta-x-a-b-world-1");
}

/* The same module in two worlds: the objects differ in nothing but their world. */
TEST(collision_of_worlds_alone)
{
	test_add_world(&ns, "my.world", "book");
	test_add_world(&ns, "my-world", "book");
	test_add_booklet(&ns, "book", NAMED("c") "," NAMED("p"), "");
	test_add_module(&ns, "p", PROVIDES("a.b", "world"), "", "");
	test_add_module(&ns, "c", PROVIDES("c.c", "world"),
			REQUIRES("a.b", "world") "," REQUIRES("c.c", "world"), "");
	test_predict(&ns);
	assert_int_equal(ns.prediction->collision_count, 2);
	assert_int_equal(ns.prediction->collisions[0].kind, BINDERY_COLLISION_OWNERS);
	assert_int_equal(ns.prediction->collisions[1].kind, BINDERY_COLLISION_OWNERS);
}

TEST(collision_of_spelling)
{
	test_add_world(&ns, "arena", "book");
	test_add_booklet(&ns, "book", NAMED("p") "," NAMED("a.b") "," NAMED("a-b"), "");
	test_add_module(&ns, "p", PROVIDES("c.c", "world"), "", "");
	test_add_module(&ns, "a.b", PROVIDES("d.d", "world"), REQUIRES("c.c", "world"), "");
	test_add_module(&ns, "a-b", PROVIDES("e.e", "world"),
			REQUIRES("c.c", "world") "," REQUIRES("d.d", "world"), "");
	assert_int_equal(only_collision()->kind, BINDERY_COLLISION_SPELLING);
	/* Their Services and Deployments have one name, too. */
	assert_ptr_equal(test_workload(&ns, "rt-arena-a-b")->rival->rival, NULL);
	assert_true(test_workload(&ns, "rt-arena-a-b")->rival->contested);
}

/* The same object written twice is no fight (Q7). */
TEST(no_collision_of_equals)
{
	test_add(ns.worlds, "{'metadata':{'name':'arena'},'spec':{'gameRef':{'name':'book'},"
			    "'realmRef':{'name':'eu'}}}");
	test_add(ns.realms, "{'metadata':{'name':'eu'},'spec':{'modules':[{'name':'b'}]}}");
	test_add_booklet(&ns, "book", NAMED("c") "," NAMED("b") "," NAMED("c"), "");
	test_add_module(&ns, "b",
			"{'capabilityId':'b.b','version':'1.0.0','scope':'world','multiplicity':"
			"'many'}",
			"", "");
	test_add_module(&ns, "c", "",
			"{'capabilityId':'b.b','versionConstraint':'^1','scope':'world',"
			"'multiplicity':'many','dependencyMode':'required'}",
			"");
	assert_int_equal(test_predict(&ns)->collision_count, 0);
	assert_false(test_workload(&ns, "rt-arena-b")->contested);
}

/* Worlds whose names meet: each keeps its own pair, and knows the rival (F43). */
TEST(rivals)
{
	const struct bindery_workload *one, *two;

	test_add_world(&ns, "alpha", "one");
	test_add_world(&ns, "alpha-beta", "two");
	test_add_booklet(&ns, "one", NAMED("beta-x") "," NAMED("q"), "");
	test_add_booklet(&ns, "two", NAMED("x") "," NAMED("r"), "");
	test_add_module(&ns, "x", PROVIDES("a.x", "world"), "", "");
	test_add_module(&ns, "beta-x", PROVIDES("a.y", "world"), "", "");
	test_add_module(&ns, "q", "", REQUIRES("a.y", "world"), "");
	test_add_module(&ns, "r", "", REQUIRES("a.x", "world"), "");
	test_predict(&ns);
	one = test_workload(&ns, "rt-alpha-beta-x");
	two = one->rival;
	assert_non_null(two);
	assert_null(two->rival);
	assert_true(one->contested && two->contested);
	assert_string_not_equal(one->world->name, two->world->name);
	assert_ptr_equal(test_workload(&ns, "rt-alpha-q")->waits[0].target->world,
			 test_workload(&ns, "rt-alpha-q")->world);
	assert_ptr_equal(test_workload(&ns, "rt-alpha-beta-r")->waits[0].target->world,
			 test_workload(&ns, "rt-alpha-beta-r")->world);
}

TEST(pod_groups)
{
	const struct bindery_workload *pod;

	test_add_world(&ns, "arena", "book");
	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("b") "," NAMED("c"),
			 "{'name':'core','modules':['a','b',7],'strategy':'Pod'},"
			 "{'name':'late','modules':['b','c'],'strategy':'Node'},"
			 "{'name':'odd','modules':['c'],'strategy':'pod'}");
	test_add_module(&ns, "a", PROVIDES("a.a", "world"), REQUIRES("b.b", "world"), "");
	test_add_module(&ns, "b", PROVIDES("b.b", "world"), "", "");
	test_add_module(&ns, "c", "", REQUIRES("a.a", "world"), "");
	test_predict(&ns);
	pod = test_workload(&ns, "rt-arena-coloc-core");
	assert_int_equal(pod->strategy, BINDERY_GROUP_POD);
	assert_int_equal(pod->member_count, 2); /* the first group counts (F103) */
	assert_int_equal(pod->wait_count, 0);
	assert_int_equal(pod->waiter_count, 1);
	assert_ptr_equal(bindery_prediction_service(ns.prediction, "rt-arena-b"), pod);
	assert_null(bindery_prediction_workload(ns.prediction, "rt-arena-b"));
	assert_int_equal(test_workload(&ns, "rt-arena-c")->strategy, BINDERY_GROUP_NODE);
	assert_string_equal(test_workload(&ns, "rt-arena-c")->group, "late");
	assert_string_equal(test_workload(&ns, "rt-arena-c")->waits[0].address, "rt-arena-a:8080");
	assert_int_equal(ns.prediction->booklets[0].group_count, 3);
	assert_int_equal(ns.prediction->booklets[0].groups[2].strategy, BINDERY_ALONE);
}

/* Two names of groups that make one Deployment name are two groups. */
TEST(groups_of_one_name)
{
	test_add_world(&ns, "arena", "book");
	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("b"),
			 "{'name':'Sim_Core','modules':['a'],'strategy':'Pod'},"
			 "{'name':'sim-core','modules':['b'],'strategy':'Pod'}");
	test_add_module(&ns, "a", PROVIDES("a.a", "world"), "", "");
	test_add_module(&ns, "b", "", REQUIRES("a.a", "world"), "");
	test_predict(&ns);
	assert_non_null(test_workload(&ns, "rt-arena-coloc-sim-core")->rival);
}

/* Build the objects of every workload. */
static void build(struct bindery_prediction *p)
{
	for (size_t i = 0; i < p->workload_count; i++) {
		const struct bindery_workload *workload = &p->workloads[i];

		json_decref(bindery_deployment_object(workload));
		for (size_t m = 0; m < workload->member_count; m++)
			json_decref(bindery_service_object(workload, &workload->members[m]));
	}
}

/* Whatever stands where a list, a map or a text is expected: no crash, no leak. */
static void spoil(json_t *node, json_t *value)
{
	const char *key;
	json_t *child;
	size_t i;

	json_object_foreach(node, key, child) {
		json_t *kept = json_incref(child);

		json_object_set(node, key, value);
		build(test_predict(&ns));
		json_object_set_new(node, key, kept);
		spoil(kept, value);
	}
	json_array_foreach(node, i, child) {
		json_t *kept = json_incref(child);

		json_array_set(node, i, value);
		build(test_predict(&ns));
		json_array_set_new(node, i, kept);
		spoil(kept, value);
	}
}

TEST(anything_anywhere)
{
	json_t *all = json_array(), *values = json_array(), *value;
	size_t i;

	add_pair("world");
	test_add(ns.booklets, "{'metadata':{'name':'book'},'spec':{'modules':[{'name':'gateway',"
			      "'required':true},{'name':'physics'}],'colocation':[{'name':'g',"
			      "'modules':['gateway','physics'],'strategy':'Node'}]}}");
	test_add(
		ns.manifests,
		"{'metadata':{'name':'physics','annotations':{'bindery.dev/storage-tier':"
		"'server-low-latency','bindery.dev/storage-access-modes':'ReadWriteOnce'}},'spec':{"
		"'module':{'version':'1.0.0'},'runtime':{'image':'x','port':1,'command':['a'],'env':"
		"{'A':'b'},'terminationGracePeriodSeconds':3,'preStopCommand':'x'},'provides':[%s],"
		"'requires':[%s],'scaling':{'defaultScope':'world'},'scheduling':{'affinity':{"
		"'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{}]}},"
		"'tolerations':[{}],'nodeSelector':{'a':'b'},'priorityClassName':'p'}}}",
		PROVIDES("physics.engine", "world"), REQUIRES("physics.engine", "world"));
	test_add(ns.realms, "{'metadata':{'name':'eu'},'spec':{'modules':[{'name':'physics',"
			    "'version':'1.0.0'}]}}");
	json_object_set_new(json_object_get(json_array_get(ns.worlds, 0), "spec"), "realmRef",
			    json_pack("{s:s}", "name", "eu"));
	json_array_append(all, ns.worlds);
	json_array_append(all, ns.booklets);
	json_array_append(all, ns.manifests);
	json_array_append(all, ns.realms);
	test_add(values, "null");
	test_add(values, "-7");
	test_add(values, "1e300");
	test_add(values, "true");
	test_add(values, "''");
	test_add(values, "'\\u0000\\u00e9 X..--'");
	test_add(values, "[[1],{},'x',null]");
	test_add(values, "{'name':[],'spec':7}");
	json_array_foreach(values, i, value) {
		json_t *list;
		size_t j;

		json_array_foreach(all, j, list)
			spoil(list, value);
	}
	json_decref(values);
	json_decref(all);
}

/* Arrays that are none, and elements that are no objects. */
TEST(no_lists_at_all)
{
	json_auto_t *text = json_string("x"), *mixed = json_pack("[n,i,s,[],{}]", 1, "x");
	struct bindery_input nothing = { NULL, NULL, NULL, NULL, NULL, 0 };
	struct bindery_input wrong = { "game", text, text, text, text, 0 };
	struct bindery_input odd = { "game", mixed, mixed, mixed, mixed, 0 };
	const struct bindery_input *const inputs[] = { &nothing, &wrong, &odd };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(inputs); i++) {
		struct bindery_prediction *p = bindery_predict(inputs[i]);

		build(p);
		assert_int_equal(p->world_count + p->booklet_count + p->binding_count, 0);
		bindery_prediction_free(p);
	}
	bindery_prediction_free(NULL);
}

/* Many worlds of one Booklet: each has its own, and nothing grows faster than they do. */
TEST(many_worlds)
{
	add_pair("world");
	for (int i = 0; i < 2000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "w%d", i);
		test_add_world(&ns, name, "book");
	}
	test_predict(&ns);
	assert_int_equal(ns.prediction->workload_count, 2 * 2001);
	for (size_t i = 0; i < ns.prediction->workload_count; i++)
		assert_true(ns.prediction->workloads[i].members[0].dependency_count <= 1);
}

#define U(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

RUN_TESTS("predict", U(a_pair), U(shards), U(limits), U(what_is_missing), U(what_may_be_missing),
	  U(collision_of_roots), U(collision_of_many), U(collision_of_duplicates),
	  U(collision_of_worlds), U(collision_of_worlds_alone), U(collision_of_spelling),
	  U(no_collision_of_equals), U(rivals), U(pod_groups), U(groups_of_one_name),
	  U(anything_anywhere), U(no_lists_at_all), U(many_worlds))
