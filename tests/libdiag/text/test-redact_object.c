#include "base/alloc.h"
#include "text/redact_internal.h"

#include "tests/support/unit.h"

/* Single quotes stand for double ones, so that objects can be read here. */
static json_t *load(const char *text)
{
	diag_autofree char *json = diag_xstrdup(text);
	json_error_t error;
	json_t *object;

	for (char *p = json; *p; p++)
		*p = *p == '\'' ? '"' : *p;
	object = json_loads(json, JSON_DECODE_ANY, &error);
	if (!object)
		fail_msg("%s at %d: %s", error.text, error.position, json);
	return object;
}

static char *dump(const json_t *object)
{
	char *json = json_dumps(object, JSON_COMPACT | JSON_ENCODE_ANY);

	assert_non_null(json);
	for (char *p = json; *p; p++)
		*p = *p == '"' ? '\'' : *p;
	return json;
}

static void check(struct diag_redact *redact, const char *text, const char *wanted)
{
	json_auto_t *object = load(text);
	diag_autofree char *once = NULL;
	diag_autofree char *twice = NULL;

	diag_redact_object(redact, object);
	once = dump(object);
	assert_string_equal(once, wanted);
	diag_redact_object(redact, object);
	twice = dump(object);
	assert_string_equal(twice, once);
}

static int set_up(void **state)
{
	*state = diag_redact_new();
	return 0;
}

static int tear_down(void **state)
{
	diag_redact_free(*state);
	return 0;
}

static void masks_secrets(void **state)
{
	/* echo -n N3utral-pw | base64; "admin" is too short to be hunted, "mailer" names somebody.
	 */
	check(*state,
	      "{'kind':'Secret','metadata':{'name':'db'},'type':'Opaque','data':"
	      "{'password':'TjN1dHJhbC1wdw==','user':'YWRtaW4=','login':'bWFpbGVy','empty':''}}",
	      "{'kind':'Secret','metadata':{'name':'db'},'type':'Opaque','data':"
	      "{'password':'***HIDDEN-1*** (10 bytes)','user':'***HIDDEN-2*** (5 bytes)',"
	      "'login':'***HIDDEN-3*** (6 bytes)','empty':''}}");
	assert_int_equal(diag_redact_learnt(*state), 1);
	/* From now on it is masked elsewhere, in any form. */
	check(*state,
	      "{'kind':'Pod','spec':{'containers':[{'args':['x N3utral-pw TjN1dHJhbC1wdw== mailer']}]}}",
	      "{'kind':'Pod','spec':{'containers':[{'args':["
	      "'x ***HIDDEN-1*** ***HIDDEN-1*** mailer']}]}}");
}

static void masks_secrets_as_written(void **state)
{
	check(*state,
	      "{'kind':'Secret','metadata':{},'stringData':{'url':'postgres://app:N3utral-pw@db/w',"
	      "'n':1234567,'odd':{'a':'b'},'nil':null},'data':{'bad':'no base64!'}}",
	      "{'kind':'Secret','metadata':{},'stringData':{'url':'***HIDDEN-1*** (30 bytes)',"
	      "'n':'***HIDDEN-2*** (7 bytes)','odd':'***HIDDEN-3*** (9 bytes)','nil':null},"
	      "'data':{'bad':'***HIDDEN-4*** (10 bytes)'}}");
	/* The password in the URL is known by itself. */
	assert_true(diag_redact_finds(*state, "N3utral-pw", 10));
	assert_true(diag_redact_finds(*state, "no base64!", 10));
	check(*state,
	      "{'kind':'Secret','data':{'a':'***HIDDEN***','b':'***HIDDEN-9*** (3 bytes)'}}",
	      "{'kind':'Secret','data':{'a':'***HIDDEN***','b':'***HIDDEN-9*** (3 bytes)'}}");
}

static void keeps_certificates_from_the_hunt(void **state)
{
	/* "-----BEGIN CERTIFICATE-----\nMIIC0123456789abcdefgh\n-----END CERTIFICATE-----" */
	check(*state,
	      "{'kind':'Secret','data':{'tls.crt':'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUMwMTIz"
	      "NDU2Nzg5YWJjZGVmZ2gKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQ=='}}",
	      "{'kind':'Secret','data':{'tls.crt':'***HIDDEN-1*** (76 bytes)'}}");
	assert_int_equal(diag_redact_learnt(*state), 0);
}

/* An old value in an annotation, and the whole object as it was applied. */
static void masks_annotations_of_secrets(void **state)
{
	check(*state,
	      "{'kind':'Secret','metadata':{'name':'db','annotations':{"
	      "'example.com/rotated-from':'older-pw-33',"
	      "'meta.helm.sh/release-name':'arena-1','example.com/on':'true',"
	      "'kubectl.kubernetes.io/last-applied-configuration':'{\\'kind\\':\\'Secret\\',"
	      "\\'metadata\\':{\\'annotations\\':{\\'example.com/rotated-from\\':\\'older-pw-33\\'}},"
	      "\\'stringData\\':{\\'password\\':\\'N3utral-pw\\'}}\\n'}}}",
	      "{'kind':'Secret','metadata':{'name':'db','annotations':{"
	      "'example.com/rotated-from':'***HIDDEN-1***',"
	      "'meta.helm.sh/release-name':'arena-1','example.com/on':'true',"
	      "'kubectl.kubernetes.io/last-applied-configuration':'{\\'kind\\':\\'Secret\\',"
	      "\\'metadata\\':{\\'annotations\\':{\\'example.com/rotated-from\\':\\'***HIDDEN-1***\\'}},"
	      "\\'stringData\\':{\\'password\\':\\'***HIDDEN-2*** (10 bytes)\\'}}'}}}");
	assert_int_equal(diag_redact_learnt(*state), 2);
	check(*state,
	      "{'kind':'Secret','metadata':{'annotations':"
	      "{'kubectl.kubernetes.io/last-applied-configuration':'{\\'data\\':{\\'p\\':\\'cut off'}}}",
	      "{'kind':'Secret','metadata':{'annotations':"
	      "{'kubectl.kubernetes.io/last-applied-configuration':'***HIDDEN-3***'}}}");
}

static void masks_variables(void **state)
{
	check(*state,
	      "{'kind':'Pod','metadata':{'name':'p'},'spec':{"
	      "'initContainers':[{'env':[{'name':'API_KEY','value':'kk-1'}]}],"
	      "'containers':[{'name':'c','image':'x@sha256:0a1b','env':["
	      "{'name':'DB_PASSWORD','value':'N3utral-pw'},{'name':'LOG_LEVEL','value':'debug'},"
	      "{'name':'COPY','value':'x N3utral-pw'},{'name':'AUTH_ENABLED','value':'true'},"
	      "{'name':'REDIS_AUTH','value':'letmein'},{'name':'PASSWORD_FILE','value':'/run/s/p'},"
	      "{'name':'DATABASE_URL','value':'mysql://u:url-pw-1@h/d'},{'name':'NONE'},"
	      "{'name':'PASSWORD2','value':'$(DB_PASSWORD)'},{'name':'TOKEN','value':'{\\'a\\':1}'},"
	      "{'name':'S','valueFrom':{'secretKeyRef':{'name':'db','key':'password'}}},"
	      "{'name':'BINDERY_CAPABILITY_AUTH_TOKEN_ENDPOINT','value':'rt-a-b:50051'},"
	      "{'name':'BINDERY_UDS_SECRET','value':'/var/run/bindery/b.sock'}]}],"
	      "'ephemeralContainers':[{'env':[{'name':'SECRET','value':'url-pw-1'}]}]}}",
	      "{'kind':'Pod','metadata':{'name':'p'},'spec':{"
	      "'initContainers':[{'env':[{'name':'API_KEY','value':'***HIDDEN-1***'}]}],"
	      "'containers':[{'name':'c','image':'x@sha256:0a1b','env':["
	      "{'name':'DB_PASSWORD','value':'***HIDDEN-2***'},{'name':'LOG_LEVEL','value':'debug'},"
	      "{'name':'COPY','value':'x ***HIDDEN-2***'},{'name':'AUTH_ENABLED','value':'true'},"
	      "{'name':'REDIS_AUTH','value':'***HIDDEN-3***'},{'name':'PASSWORD_FILE','value':'/run/s/p'},"
	      "{'name':'DATABASE_URL','value':'mysql://u:***HIDDEN-4***@h/d'},{'name':'NONE'},"
	      "{'name':'PASSWORD2','value':'$(DB_PASSWORD)'},{'name':'TOKEN','value':'***HIDDEN-5***'},"
	      "{'name':'S','valueFrom':{'secretKeyRef':{'name':'db','key':'password'}}},"
	      "{'name':'BINDERY_CAPABILITY_AUTH_TOKEN_ENDPOINT','value':'rt-a-b:50051'},"
	      "{'name':'BINDERY_UDS_SECRET','value':'/var/run/bindery/b.sock'}]}],"
	      "'ephemeralContainers':[{'env':[{'name':'SECRET','value':'***HIDDEN-4***'}]}]}}");
	assert_true(diag_redact_finds(*state, "url-pw-1", 8));
	/* A plain word under a weak name is masked where it stands, not hunted. */
	assert_false(diag_redact_finds(*state, "letmein", 7));
}

/* What the operator did not write is no endpoint. */
static void looks_into_odd_bindery_variables(void **state)
{
	check(*state,
	      "{'kind':'Pod','spec':{'containers':[{'env':["
	      "{'name':'BINDERY_CAPABILITY_X_ENDPOINT','value':'mysql://u:p@h'}]}]}}",
	      "{'kind':'Pod','spec':{'containers':[{'env':["
	      "{'name':'BINDERY_CAPABILITY_X_ENDPOINT','value':'mysql://u:***HIDDEN-1***@h'}]}]}}");
}

static void masks_every_pod_template(void **state)
{
	static const char *const before[] = {
		"{'kind':'Deployment','spec':{'template':",
		"{'kind':'StatefulSet','spec':{'template':",
		"{'kind':'CronJob','spec':{'jobTemplate':{'spec':{'template':",
		"{'kind':'PodTemplate','template':",
		"{'kind':'Whatever','spec':{'deep':[{'x':",
	};
	static const char *const after[] = { "}}", "}}", "}}}}", "}", "}]}}" };
	static const char template[] =
		"{'metadata':{'annotations':{'a/api-token':'%s'}},"
		"'spec':{'containers':[{'env':[{'name':'TOKEN','value':'%s'}]}]}}";

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(before); i++) {
		diag_buf_auto struct diag_buf in = { 0 };
		diag_buf_auto struct diag_buf out = { 0 };

		diag_buf_init(&in, 4096);
		diag_buf_init(&out, 4096);
		diag_buf_puts(&in, before[i]);
		diag_buf_puts(&out, before[i]);
		for (const char *p = template; *p; p++) {
			if (*p != '%') {
				diag_buf_putc(&in, *p);
				diag_buf_putc(&out, *p);
				continue;
			}
			p++;
			diag_buf_puts(&in, "to-ken-1");
			diag_buf_puts(&out, "***HIDDEN-1***");
		}
		diag_buf_puts(&in, after[i]);
		diag_buf_puts(&out, after[i]);
		check(*state, diag_buf_str(&in), diag_buf_str(&out));
	}
}

static void masks_commands(void **state)
{
	check(*state,
	      "{'kind':'Pod','spec':{'containers':[{"
	      "'command':['/bin/sh','-c','echo mysql://u:pw-1@db; x --token=abc'],"
	      "'args':['--password','pw-2','--level','debug','--token','--next','-u','adm:pw-3','-u','1:2',"
	      "'--key-file','/etc/k',7,null,['--secret','pw-4']],"
	      "'livenessProbe':{'exec':{'command':['sh','-c','PASSWORD=pw-5 x']},"
	      "'httpGet':{'httpHeaders':[{'name':'X-Auth-Token','value':'pw-6'},"
	      "{'name':'Accept','value':'text/plain'}]}},"
	      "'lifecycle':{'preStop':{'exec':{'command':['curl','-H','Authorization: Bearer pw-7']}}}}]}}",
	      "{'kind':'Pod','spec':{'containers':[{"
	      "'command':['/bin/sh','-c','echo mysql://u:***HIDDEN-1***@db; x --token=***HIDDEN-2***'],"
	      "'args':['--password','***HIDDEN-3***','--level','debug','--token','--next','-u',"
	      "'adm:***HIDDEN-4***','-u','1:2',"
	      "'--key-file','/etc/k',7,null,['--secret','***HIDDEN-5***']],"
	      "'livenessProbe':{'exec':{'command':['sh','-c','PASSWORD=***HIDDEN-6*** x']},"
	      "'httpGet':{'httpHeaders':[{'name':'X-Auth-Token','value':'***HIDDEN-7***'},"
	      "{'name':'Accept','value':'text/plain'}]}},"
	      "'lifecycle':{'preStop':{'exec':{'command':['curl','-H',"
	      "'Authorization: Bearer ***HIDDEN-8***']}}}}]}}");
}

static void masks_module_manifests(void **state)
{
	check(*state,
	      "{'kind':'ModuleManifest','metadata':{'name':'m','annotations':{"
	      "'kubectl.kubernetes.io/last-applied-configuration':'{\\'kind\\':\\'ModuleManifest\\',"
	      "\\'spec\\':{\\'runtime\\':{\\'env\\':{\\'DB_PASSWORD\\':\\'N3utral-pw\\'}}}}'}},"
	      "'spec':{'module':{'id':'core.token'},'runtime':{'image':'a/b:1',"
	      "'command':['sh','-c','x N3utral-pw password policy'],"
	      "'env':{'DB_PASSWORD':'N3utral-pw','LOG_LEVEL':'debug','N':1}}}}",
	      "{'kind':'ModuleManifest','metadata':{'name':'m','annotations':{"
	      "'kubectl.kubernetes.io/last-applied-configuration':'{\\'kind\\':\\'ModuleManifest\\',"
	      "\\'spec\\':{\\'runtime\\':{\\'env\\':{\\'DB_PASSWORD\\':\\'***HIDDEN-1***\\'}}}}'}},"
	      "'spec':{'module':{'id':'core.token'},'runtime':{'image':'a/b:1',"
	      "'command':['sh','-c','x ***HIDDEN-1*** password policy'],"
	      "'env':{'DB_PASSWORD':'***HIDDEN-1***','LOG_LEVEL':'debug','N':1}}}}");
}

static void masks_config_maps(void **state)
{
	check(*state,
	      "{'kind':'ConfigMap','metadata':{'name':'app'},'data':{"
	      "'config.yaml':'smtp:\\n  user: mailer\\n  smtpPassword: p0st-of-mail\\n',"
	      "'API_TOKEN':'tt-11-22','note':'p0st-of-mail is old','LEVEL':'debug',"
	      "'ca.crt':'-----BEGIN CERTIFICATE-----\\nMIIC\\n-----END CERTIFICATE-----'},"
	      "'binaryData':{'x':'eHAwc3Qtb2YtbWFpbA=='}}",
	      "{'kind':'ConfigMap','metadata':{'name':'app'},'data':{"
	      "'config.yaml':'smtp:\\n  user: mailer\\n  smtpPassword: ***HIDDEN-1***\\n',"
	      "'API_TOKEN':'***HIDDEN-2***','note':'***HIDDEN-1*** is old','LEVEL':'debug',"
	      "'ca.crt':'-----BEGIN CERTIFICATE-----\\nMIIC\\n-----END CERTIFICATE-----'},"
	      "'binaryData':{'x':'eH***HIDDEN-1***A=='}}");
}

static void masks_messages(void **state)
{
	diag_redact_learn(*state, "N3utral-pw", 10);
	check(*state,
	      "{'kind':'Event','message':'login with N3utral-pw failed, token=ab-12','note':'N3utral-pw',"
	      "'reason':'N3utral-pw'}",
	      "{'kind':'Event','message':'login with ***HIDDEN-1*** failed, token=***HIDDEN-2***',"
	      "'note':'***HIDDEN-1***','reason':'N3utral-pw'}");
	check(*state,
	      "{'kind':'Pod','status':{'message':'N3utral-pw','conditions':[{'message':'x N3utral-pw'}],"
	      "'containerStatuses':[{'image':'N3utral-pw','lastState':{'terminated':"
	      "{'message':'password: zz-9'}}}]}}",
	      "{'kind':'Pod','status':{'message':'***HIDDEN-1***','conditions':[{'message':'x ***HIDDEN-1***'}],"
	      "'containerStatuses':[{'image':'N3utral-pw','lastState':{'terminated':"
	      "{'message':'password: ***HIDDEN-3***'}}}]}}");
	/* Messages teach nothing: anybody may write them. */
	assert_int_equal(diag_redact_learnt(*state), 1);
}

/* Nothing that names or refers to an object changes, whatever it is called. */
static void leaves_structure_alone(void **state)
{
	static const char *const objects[] = {
		"{'kind':'Pod','metadata':{'name':'token-1','namespace':'secret-1','uid':'4277f1eb',"
		"'labels':{'password':'abc-1'},'resourceVersion':'57650'},'spec':{"
		"'imagePullSecrets':[{'name':'regcred-1'}],'volumes':[{'name':'v','secret':"
		"{'secretName':'db-1'}}],'containers':[{'name':'auth-1','image':'r/x@sha256:0a1b2c',"
		"'envFrom':[{'secretRef':{'name':'db-1'}}]}]}}",
		"{'kind':'ServiceAccount','secrets':[{'name':'token-abc12'}]}",
		"{'kind':'Service','spec':{'selector':{'token':'abc-1'}}}",
		"{'kind':'CapabilityBinding','spec':{'capabilityId':'auth.token'}}",
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(objects); i++)
		check(*state, objects[i], objects[i]);
	assert_int_equal(diag_redact_masked(*state), 0);
}

static void searches_unknown_kinds_whole(void **state)
{
	check(*state,
	      "{'kind':'Thing','metadata':{'name':'password=a'},'spec':{'auth':{'password':'pw-1',"
	      "'secretName':'s-1'},'items':['x','token=pw-2']},'status':{'note':'password=pw-3'}}",
	      "{'kind':'Thing','metadata':{'name':'password=a'},'spec':{'auth':{'password':'***HIDDEN-1***',"
	      "'secretName':'s-1'},'items':['x','token=***HIDDEN-2***']},"
	      "'status':{'note':'password=***HIDDEN-3***'}}");
}

static void walks_lists(void **state)
{
	check(*state,
	      "{'kind':'SecretList','items':[{'kind':'Secret','data':{'a':'TjN1dHJhbC1wdw=='}}]}",
	      "{'kind':'SecretList','items':[{'kind':'Secret','data':{'a':'***HIDDEN-1*** (10 bytes)'}}]}");
	check(*state, "{'items':[{'type':'Opaque','data':{'a':'TjN1dHJhbC1wdw=='}}]}",
	      "{'items':[{'type':'Opaque','data':{'a':'***HIDDEN-1*** (10 bytes)'}}]}");
}

/* Any value may be of any type. */
static void survives_wrong_types(void **state)
{
	static const char *const objects[] = {
		"null",
		"7",
		"'password=a'",
		"[]",
		"{}",
		"{'kind':7,'metadata':[],'spec':'x','status':3}",
		"{'kind':'Secret','metadata':7,'data':[1],'stringData':'x'}",
		"{'kind':'Secret','metadata':{'annotations':['a']},'data':{'a':null}}",
		"{'kind':'Pod','metadata':{'annotations':{'a':1}},'spec':{'containers':{'a':1},"
		"'initContainers':[1,'x',null,[]]}}",
		"{'kind':'Pod','spec':{'containers':[{'env':{'a':'b'},'args':'x','command':7}]}}",
		"{'kind':'Pod','spec':{'containers':[{'env':[1,{'name':1,'value':2},{'name':'PASSWORD',"
		"'value':3},[]]}]}}",
		"{'kind':'ModuleManifest','spec':{'runtime':{'env':[],'command':{}}}}",
		"{'kind':'ConfigMap','data':[],'binaryData':3}",
		"{'kind':'Event','message':{},'note':[]}",
		"{'kind':'List','items':[1,null,'x',[]]}",
		"{'kind':'PersistentVolume','spec':{'csi':[]}}",
		"{'kind':'MutatingWebhookConfiguration','webhooks':{}}",
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(objects); i++)
		check(*state, objects[i], objects[i]);
	diag_redact_object(*state, NULL);
}

static void survives_depth(void **state)
{
	json_auto_t *object = json_pack("{s:s}", "kind", "Deep");
	json_t *at = object;

	for (int i = 0; i < 5000; i++) {
		json_t *child = i % 2 ? json_object() : json_array();

		if (json_is_object(at))
			json_object_set_new(at, "x", child);
		else
			json_array_append_new(at, child);
		at = child;
	}
	diag_redact_object(*state, object);
}

/* With an engine of its own. */
#define E(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

RUN_TESTS("redact_object", E(masks_secrets), E(masks_secrets_as_written),
	  E(keeps_certificates_from_the_hunt), E(masks_annotations_of_secrets), E(masks_variables),
	  E(looks_into_odd_bindery_variables), E(masks_every_pod_template), E(masks_commands),
	  E(masks_module_manifests), E(masks_config_maps), E(masks_messages),
	  E(leaves_structure_alone), E(searches_unknown_kinds_whole), E(walks_lists),
	  E(survives_wrong_types), E(survives_depth))
