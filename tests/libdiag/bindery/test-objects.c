/* Predicted objects in the API's shape; the recordings hold the common ones, these the rest of
 * section 6. */
#include "bindery/objects.h"
#include "text/json.h"

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

/* Takes `got`. */
static void assert_json(json_t *got, const char *want)
{
	json_auto_t *list = json_array();
	json_t *value;

	test_add(list, "%s", want);
	value = json_array_get(list, 0);
	if (!json_equal(got, value)) {
		char *text = json_dumps(got, JSON_ENCODE_ANY | JSON_SORT_KEYS);

		print_error("got %s\n", text);
		free(text);
	}
	assert_true(json_equal(got, value));
	json_decref(got);
}

static json_t *pod_of(const char *deployment)
{
	json_auto_t *object = bindery_deployment_object(test_workload(&ns, deployment));

	return json_incref(diag_json_object(object, "spec", "template", "spec"));
}

TEST(bindings)
{
	test_add(ns.realms, "{'metadata':{'name':'eu'},'spec':{'modules':[{'name':'chat',"
			    "'version':'2.0.0'}]}}");
	test_add_booklet(&ns, "book", NAMED("a"), "");
	test_add_module(&ns, "a", PROVIDES("a.a", "world-shard"), WANTS("a.a", "world-shard"), "");
	test_predict(&ns);
	assert_json(
		bindery_binding_object(&ns.prediction->bindings[0]),
		"{'apiVersion':'bindery.platform/v1alpha1','kind':'CapabilityBinding','metadata':{"
		"'name':'cb-arena-a-a-a-world-shard-1-shard-0','namespace':'game','labels':{"
		"'bindery.platform/managed-by':'capabilityresolver','bindery.platform/world':'arena',"
		"'bindery.platform/game':'book','bindery.platform/shard':'0'},'ownerReferences':[{"
		"'kind':'WorldShard','name':'ws-arena-0000'}]},'spec':{'capabilityId':'a.a','scope':"
		"'world-shard','multiplicity':'1','worldRef':{'name':'arena'},'consumer':{"
		"'moduleManifestName':'a','requirement':{'versionConstraint':'^1','dependencyMode':"
		"'optional'}},'provider':{'moduleManifestName':'a','capabilityVersion':'1.0.0'}}}");
	assert_json(
		bindery_binding_object(&ns.prediction->bindings[1]),
		"{'apiVersion':'bindery.platform/v1alpha1','kind':'CapabilityBinding','metadata':{"
		"'name':'realm-eu-chat','namespace':'game','labels':{'bindery.platform/managed-by':"
		"'realm-controller','bindery.platform/realm':'eu'},'ownerReferences':[{'kind':'Realm',"
		"'name':'eu'}]},'spec':{'capabilityId':'system.root','scope':'realm','multiplicity':"
		"'1','consumer':{'moduleManifestName':'realm-eu'},'provider':{'moduleManifestName':"
		"'chat','capabilityVersion':'2.0.0'}}}");
	assert_json(
		bindery_shard_object(&ns.prediction->worlds[0], 0),
		"{'apiVersion':'bindery.platform/v1alpha1','kind':'WorldShard','metadata':{'name':"
		"'ws-arena-0000','namespace':'game','labels':{'bindery.platform/managed-by':"
		"'worldshardcontroller','bindery.platform/world':'arena','bindery.platform/game':"
		"'book','bindery.platform/shard':'0'},'ownerReferences':[{'kind':'WorldInstance',"
		"'name':'arena'}]},'spec':{'worldRef':{'name':'arena'},'shardId':0}}");
}

/* Everything a manifest can ask of its container and pod. */
TEST(settings)
{
	test_add_booklet(&ns, "book", NAMED("a"), "");
	test_add(
		ns.manifests,
		"{'metadata':{'name':'a','annotations':{'bindery.dev/termination-grace-period':' 9 ',"
		"'bindery.dev/pre-stop-command':' sync ','bindery.dev/storage-tier':"
		"'server-high-latency','bindery.dev/storage-mount-path':' /data '}},'spec':{"
		"'runtime':{'image':' x:1 ','port':7,'command':['run'],'args':['-v'],'env':{'B':'2',"
		"'A':'1'}},'provides':[],'requires':[],'scheduling':{'tolerations':[],'nodeSelector':"
		"{},'priorityClassName':'gold','affinity':{}}}}");
	test_predict(&ns);
	assert_json(
		pod_of("rt-arena-a"),
		"{'containers':[{'name':'module','image':'x:1','ports':[{'name':'grpc',"
		"'containerPort':7}],'command':['run'],'args':['-v'],'env':[{'name':'A','value':"
		"'1'},{'name':'B','value':'2'}],'lifecycle':{'preStop':{'exec':{'command':["
		"'/bin/sh','-c','sync']}}},'volumeMounts':[{'name':'bindery-state','mountPath':"
		"'/data'}]}],'terminationGracePeriodSeconds':9,'affinity':{},"
		"'priorityClassName':'gold','volumes':[{'name':'bindery-state',"
		"'persistentVolumeClaim':{'claimName':'pvc-arena--server-high-latency'}}]}");
}

/* A socket's path is given also for a provider that runs nowhere, an address is not. */
TEST(pod_group)
{
	json_auto_t *pod = NULL;

	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("p") "," NAMED("q"),
			 "{'name':'g','modules':['a','p','q'],'strategy':'Pod'}");
	test_add_module(&ns, "a", "", REQUIRES("p.p", "world") "," REQUIRES("q.x-y", "world"), "");
	test_add_module(&ns, "p", PROVIDES("p.p", "world"), "", "");
	test_add(ns.manifests, "{'metadata':{'name':'q'},'spec':{'provides':[%s],'requires':[]}}",
		 PROVIDES("q.x-y", "world"));
	test_predict(&ns);
	pod = pod_of("rt-arena-coloc-g");
	assert_json(
		json_incref(json_array_get(json_object_get(pod, "containers"), 1)),
		"{'name':'a','image':'x:1','ports':[{'name':'grpc','containerPort':8080}],'env':["
		"{'name':'BINDERY_CAPABILITY_P_P_ENDPOINT','value':'rt-arena-p:8080'},"
		"{'name':'BINDERY_CAPABILITY_P_P_HOST','value':'rt-arena-p'},"
		"{'name':'BINDERY_CAPABILITY_P_P_PORT','value':'8080'},"
		"{'name':'BINDERY_MODULE_NAME','value':'a'},"
		"{'name':'BINDERY_UDS_DIR','value':'/var/run/bindery'},"
		"{'name':'BINDERY_UDS_P_P','value':'/var/run/bindery/p.sock'},"
		"{'name':'BINDERY_UDS_Q_X-Y','value':'/var/run/bindery/q.sock'}],"
		"'volumeMounts':[{'name':'shared-socket','mountPath':'/var/run/bindery'}]}");
	assert_json(
		bindery_service_object(test_workload(&ns, "rt-arena-coloc-g"),
				       &test_workload(&ns, "rt-arena-coloc-g")->members[0]),
		"{'apiVersion':'v1','kind':'Service','metadata':{'name':'rt-arena-p','namespace':"
		"'game','labels':{'bindery.platform/managed-by':'runtimeorchestrator',"
		"'bindery.platform/world':'arena','bindery.platform/coloc-group':'g',"
		"'bindery.platform/module':'p'},'ownerReferences':[{'kind':'WorldInstance',"
		"'name':'arena'}]},'spec':{'type':'ClusterIP','ports':[{'name':'grpc','protocol':"
		"'TCP','port':8080,'targetPort':8080}],'selector':{'bindery.platform/managed-by':"
		"'runtimeorchestrator','bindery.platform/world':'arena',"
		"'bindery.platform/coloc-group':'g'}}}");
}

/* The term is added to the manifest's own; the label is on the pods, not in the selector. */
TEST(node_group)
{
	json_auto_t *deployment = NULL;

	test_add_booklet(&ns, "book", NAMED("a"), "{'name':'g','modules':['a'],'strategy':'Node'}");
	test_add(ns.manifests,
		 "{'metadata':{'name':'a'},'spec':{'runtime':{'image':'x'},'provides':[%s],"
		 "'requires':[%s],'scheduling':{'affinity':{'nodeAffinity':{'n':1},'podAffinity':{"
		 "'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'zone'}]}}}}}",
		 PROVIDES("a.a", "world-shard"), WANTS("a.a", "world-shard"));
	test_predict(&ns);
	deployment = bindery_deployment_object(test_workload(&ns, "rt-arena-shard-0-a"));
	assert_json(
		json_incref(diag_json_object(deployment, "spec", "template", "spec", "affinity")),
		"{'nodeAffinity':{'n':1},'podAffinity':{"
		"'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':'zone'},{"
		"'labelSelector':{'matchLabels':{'bindery.platform/coloc-group':'g',"
		"'bindery.platform/world':'arena','bindery.platform/shard':'0'}},'topologyKey':"
		"'kubernetes.io/hostname'}]}}");
	assert_non_null(diag_json_str(deployment, "spec", "template", "metadata", "labels",
				      "bindery.platform/coloc-group"));
	assert_null(diag_json_get(deployment, "spec", "selector", "matchLabels",
				  "bindery.platform/coloc-group"));
	/* The manifest is borrowed and stays as it is. */
	assert_int_equal(json_array_size(diag_json_array(
				 json_array_get(ns.manifests, 0), "spec", "scheduling", "affinity",
				 "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution")),
			 1);
}

TEST(init_container)
{
	json_auto_t *pod = NULL;

	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("p"), "");
	test_add_module(&ns, "a", "", REQUIRES("p.p", "world"), "");
	test_add_module(&ns, "p", PROVIDES("p.p", "world"), "", "");
	test_predict(&ns);
	pod = pod_of("rt-arena-a");
	assert_json(json_incref(json_object_get(pod, "initContainers")),
		    "[{'name':'wait-for-deps','image':'busybox:1.36','command':['sh','-c',"
		    "'for target in rt-arena-p:8080; do host=${target%%:*}; port=${target##*:}; "
		    "until nc -z -w 2 $host $port; do echo waiting for $target; sleep 2; done; "
		    "done']}]");
	json_decref(pod);
	pod = pod_of("rt-arena-p");
	assert_null(json_object_get(pod, "initContainers"));
}

/* One capability in two scopes: the later scope in the alphabet wins (F50). */
TEST(environment)
{
	const struct bindery_workload *a;

	test_add_booklet(&ns, "book", NAMED("a") "," NAMED("p") "," NAMED("q"), "");
	test_add(ns.manifests,
		 "{'metadata':{'name':'a'},'spec':{'runtime':{'image':'x','env':{'MINE':'1',"
		 "'BINDERY_CAPABILITY_N_N_HOST':'mine'}},'provides':[],'requires':[%s,%s]}}",
		 REQUIRES("n.n", "world"), REQUIRES("n.n", "realm"));
	test_add_module(&ns, "p", PROVIDES("n.n", "world"), "", "");
	test_add_module(&ns, "q", PROVIDES("n.n", "realm"), "", "");
	test_predict(&ns);
	a = test_workload(&ns, "rt-arena-a");
	assert_json(bindery_environment_object(a, &a->members[0]),
		    "{'MINE':'1','BINDERY_CAPABILITY_N_N_HOST':'rt-arena-p',"
		    "'BINDERY_CAPABILITY_N_N_PORT':'8080','BINDERY_CAPABILITY_N_N_ENDPOINT':"
		    "'rt-arena-p:8080'}");
}

TEST(storage)
{
	const struct bindery_storage *storage;

	test_add_booklet(&ns, "book", NAMED("a"), "");
	test_add_module(
		&ns, "a", PROVIDES("a.a", "world-shard"), WANTS("a.a", "world-shard"),
		"'bindery.dev/storage-tier':'server-low-latency','bindery.dev/storage-size':"
		"'16Mi','bindery.dev/storage-access-modes':'ReadWriteMany'");
	test_predict(&ns);
	storage = &test_workload(&ns, "rt-arena-shard-0-a")->storage;
	assert_json(
		bindery_claim_object(storage),
		"{'apiVersion':'bindery.platform/v1alpha1','kind':'WorldStorageClaim','metadata':{"
		"'name':'wsc-arena-ws-arena-0000-server-low-latency','namespace':'game','labels':{"
		"'bindery.platform/managed-by':'runtimeorchestrator','bindery.platform/world':'arena',"
		"'bindery.platform/shard':'0'},'ownerReferences':[{'kind':'WorldShard','name':"
		"'ws-arena-0000'}]},'spec':{'scope':'world-shard','tier':'server-low-latency','size':"
		"'16Mi','worldRef':{'name':'arena'},'shardRef':{'name':'ws-arena-0000'},"
		"'accessModes':['ReadWriteMany']}}");
	assert_json(
		bindery_pvc_object(storage),
		"{'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':"
		"'pvc-arena-ws-arena-0000-server-low-latency','namespace':'game','labels':{"
		"'bindery.platform/world':'arena','bindery.platform/shard':'0',"
		"'bindery.platform/storage-tier':'server-low-latency'},'ownerReferences':[{'kind':"
		"'WorldStorageClaim','name':'wsc-arena-ws-arena-0000-server-low-latency'}]},'spec':{"
		"'accessModes':['ReadWriteMany'],'resources':{'requests':{'storage':'16Mi'}}}}");
}

/* Each call gives the caller an object of its own, always the same. */
TEST(new_each_time)
{
	const struct bindery_workload *a;
	json_auto_t *deployment, *service, *first_service;
	json_t *first;

	test_add_booklet(&ns, "book", NAMED("a"), "");
	test_add_module(&ns, "a", "", "", "");
	test_predict(&ns);
	a = test_workload(&ns, "rt-arena-a");
	first = bindery_deployment_object(a);
	first_service = bindery_service_object(a, &a->members[0]);
	deployment = bindery_deployment_object(a);
	service = bindery_service_object(a, &a->members[0]);
	assert_ptr_not_equal(first, deployment);
	assert_ptr_not_equal(first_service, service);
	assert_true(json_equal(first, deployment));
	assert_true(json_equal(first_service, service));
	json_decref(first);
	assert_string_equal(diag_json_str(deployment, "metadata", "name"), "rt-arena-a");
}

#define U(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

RUN_TESTS("objects", U(bindings), U(settings), U(pod_group), U(node_group), U(init_container),
	  U(environment), U(storage), U(new_each_time))
