/* What the API server would refuse, and what does not come because of it: section 3.2, 5.6, the
 * CRDs. */
#include "base/str.h"
#include "bindery/objects.h"
#include "text/json.h"

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

/* 60 characters. */
#define LONG "matchmaking-service-for-tournaments-of-the-european-region-2"

/* a requires what p provides, in one world. */
static void add_pair(const char *world, const char *p, const char *annotations,
		     const char *colocation)
{
	char modules[256];

	snprintf(modules, sizeof(modules), "{'name':'a'},{'name':'%s'}", p);
	test_add_world(&ns, world, "book");
	test_add_booklet(&ns, "book", modules, colocation);
	test_add_module(&ns, "a", "", REQUIRES("p.p", "world"), "");
	test_add_module(&ns, p, PROVIDES("p.p", "world"), "", annotations);
}

static const struct bindery_refusal *find(enum bindery_refusal_rule rule)
{
	const struct bindery_refusal *found = NULL;

	for (size_t i = 0; i < ns.prediction->refusal_count; i++)
		if (ns.prediction->refusals[i].rule == rule && !found)
			found = &ns.prediction->refusals[i];
	if (!found)
		fail_msg("no refusal of rule %d", (int)rule);
	return found;
}

static json_t *environment(const char *deployment)
{
	json_auto_t *object = bindery_deployment_object(test_workload(&ns, deployment));
	const json_t *containers =
		diag_json_array(object, "spec", "template", "spec", "containers");

	return json_incref(json_object_get(json_array_get(containers, 0), "env"));
}

TEST(nothing)
{
	add_pair("arena", "p", "", "");
	assert_int_equal(test_predict(&ns)->refusal_count, 0);
}

/* The Service is refused; its consumer waits for it and gets no address. */
TEST(service_name)
{
	const struct bindery_refusal *refusal;

	add_pair("arena", LONG, "", "");
	test_predict(&ns);
	refusal = find(BINDERY_REFUSED_SERVICE_NAME);
	assert_string_equal(refusal->name, "rt-arena-" LONG);
	assert_string_equal(refusal->member->module, LONG);
	assert_string_equal(refusal->world->name, "arena");
	assert_true(refusal->member->refused);
	assert_int_equal(test_workload(&ns, "rt-arena-a")->wait_count, 1);
	assert_null(environment("rt-arena-a"));
}

/* Of a world whose name is no label value nothing is made at all. */
TEST(label)
{
	const struct bindery_refusal *refusal;

	add_pair("w-" LONG "-xx", "p", "", "");
	test_predict(&ns);
	refusal = find(BINDERY_REFUSED_LABEL);
	assert_string_equal(refusal->kind, "WorldShard");
	assert_string_equal(refusal->label, "bindery.platform/world");
	assert_string_equal(refusal->value, "w-" LONG "-xx");
	for (size_t i = 0; i < ns.prediction->binding_count; i++)
		assert_true(ns.prediction->bindings[i].refused);
	for (size_t i = 0; i < ns.prediction->workload_count; i++)
		assert_true(ns.prediction->workloads[i].members[0].refused);
}

TEST(group_label)
{
	add_pair("arena", "p", "", "{'name':'fast path','modules':['p'],'strategy':'Node'}");
	test_predict(&ns);
	assert_string_equal(find(BINDERY_REFUSED_LABEL)->kind, "Deployment");
	assert_string_equal(find(BINDERY_REFUSED_LABEL)->label, "bindery.platform/coloc-group");
	json_object_set_new(
		json_array_get(
			diag_json_array(json_array_get(ns.booklets, 0), "spec", "colocation"), 0),
		"strategy", json_string("Pod"));
	test_predict(&ns);
	assert_string_equal(find(BINDERY_REFUSED_LABEL)->kind, "Service");
}

TEST(container)
{
	add_pair("arena", "p.q", "", "{'name':'g','modules':['p.q'],'strategy':'Pod'}");
	test_predict(&ns);
	assert_string_equal(find(BINDERY_REFUSED_CONTAINER)->value, "p.q");
	assert_string_equal(find(BINDERY_REFUSED_CONTAINER)->name, "rt-arena-coloc-g");
}

/* After the first binding of a realm that is refused, the others are not written (5.6). */
TEST(realm)
{
	const struct bindery_prediction *p;

	test_add(ns.realms,
		 "{'metadata':{'name':'eu'},'spec':{'modules':[{'name':'z','version':'1.0.0'},"
		 "{'name':'m','version':'v1.2'},{'name':'a'}]}}");
	test_add(ns.realms, "{'metadata':{'name':'us'},'spec':{'modules':[{'name':'snake_case'},"
			    "{'name':''}]}}");
	test_add_module(&ns, "a", "", "", "");
	test_add_module(&ns, "z", "", "", "");
	p = test_predict(&ns);
	assert_string_equal(find(BINDERY_REFUSED_VERSION)->value, "v1.2");
	assert_false(bindery_prediction_binding(p, "realm-eu-z")->refused);
	assert_true(bindery_prediction_binding(p, "realm-eu-m")->refused);
	assert_true(bindery_prediction_binding(p, "realm-eu-a")->refused);
	assert_false(test_workload(&ns, "rt-global-z")->members[0].refused);
	assert_true(test_workload(&ns, "rt-global-a")->members[0].refused);
	assert_int_equal(p->refusal_count, 3);
	assert_string_equal(find(BINDERY_REFUSED_BINDING_NAME)->kind, "CapabilityBinding");
}

#define LOW "'bindery.dev/storage-tier':'server-low-latency'"

TEST(claims)
{
	static const struct {
		const char *annotation;
		enum bindery_refusal_rule rule;
		const char *kind;
		bool claim, pvc;
	} rows[] = {
		{ "'bindery.dev/storage-scope':'world-shard'", BINDERY_REFUSED_CLAIM,
		  "WorldStorageClaim", true, false },
		{ "'bindery.dev/storage-scope':'realm'", BINDERY_REFUSED_CLAIM_SCOPE,
		  "WorldStorageClaim", true, false },
		{ "'bindery.dev/storage-size':'5'", BINDERY_REFUSED_SIZE, "WorldStorageClaim", true,
		  false },
		{ "'bindery.dev/storage-size':'ten gigs'", BINDERY_REFUSED_SIZE,
		  "PersistentVolumeClaim", false, true },
		{ "'bindery.dev/storage-size':'0Gi'", BINDERY_REFUSED_SIZE, "PersistentVolumeClaim",
		  false, true },
		{ "'bindery.dev/storage-access-modes':'RWO'", BINDERY_REFUSED_ACCESS_MODE,
		  "PersistentVolumeClaim", false, true },
		{ "'bindery.dev/storage-access-modes':'ReadWriteOncePod,ReadOnlyMany'",
		  BINDERY_REFUSED_ACCESS_MODE, "PersistentVolumeClaim", false, true },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		char annotations[256];
		const struct bindery_member *member;

		test_namespace_done(&ns);
		test_namespace_init(&ns);
		snprintf(annotations, sizeof(annotations), LOW ",%s", rows[i].annotation);
		add_pair("arena", "p", annotations, "");
		assert_int_equal(test_predict(&ns)->refusal_count, 1);
		assert_string_equal(find(rows[i].rule)->kind, rows[i].kind);
		member = &test_workload(&ns, "rt-arena-p")->members[0];
		assert_int_equal(member->storage.claim_refused, rows[i].claim);
		assert_int_equal(member->storage.pvc_refused, rows[i].pvc);
		assert_int_equal(test_workload(&ns, "rt-arena-p")->storage.claim_refused,
				 rows[i].claim);
		/* No claim, no Service and no Deployment; a PVC holds up only the pod. */
		assert_int_equal(member->refused, rows[i].claim);
	}
}

TEST(environment_name)
{
	json_t *runtime;

	add_pair("arena", "p", "", "");
	runtime = diag_json_object(json_array_get(ns.manifests, 1), "spec", "runtime");
	json_object_set_new(runtime, "env", json_pack("{s:s,s:s}", "A", "b", "1 ODD", "x"));
	assert_int_equal(test_predict(&ns)->refusal_count, 0);
	json_object_set_new(runtime, "env", json_pack("{s:s}", "A=B", "c"));
	test_predict(&ns);
	assert_string_equal(find(BINDERY_REFUSED_ENV_NAME)->value, "A=B");
	assert_true(test_workload(&ns, "rt-arena-p")->members[0].refused);
}

#define U(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

RUN_TESTS("predict_refusals", U(nothing), U(service_name), U(label), U(group_label), U(container),
	  U(realm), U(claims), U(environment_name))
