/* Pods as the kubelet writes them; B13: sidecar-style init containers. */
#include <jansson.h>

#include "model/pod.h"

#include "tests/support/unit.h"

/* A pod from its status and, if given, its initContainers; single quotes stand for double ones. */
static struct diag_pod_state judge(const char *init_spec, const char *status, json_t **ret_pod)
{
	char text[4096];

	snprintf(text, sizeof(text),
		 "{'metadata':{'name':'p','creationTimestamp':'2026-01-01T00:00:00Z'},"
		 "'spec':{'restartPolicy':'Always','initContainers':[%s]},'status':{%s}}",
		 init_spec, status);
	for (char *p = text; *p; p++)
		if (*p == '\'')
			*p = '"';
	*ret_pod = json_loads(text, 0, NULL);
	assert_non_null(*ret_pod);
	return diag_pod_state(*ret_pod);
}

#define READY      "'conditions':[{'type':'Ready','status':'True'}]"
#define MAIN_READY "'containerStatuses':[{'name':'m','ready':true,'state':{'running':{}}}]"
#define SIDECAR    "{'name':'side','restartPolicy':'Always'}"
#define WAIT       "{'name':'wait-for-deps'}"
#define ENDED      "{'name':'first','state':{'terminated':{'exitCode':0}}}"

static const struct {
	const char *init_spec, *status;
	enum diag_pod_trouble trouble;
	const char *container;
	bool repeated;
} rows[] = {
	{ "", "'phase':'Running'," READY "," MAIN_READY, DIAG_POD_READY, "m", false },
	/* B13: a running, started sidecar is healthy; in a crash loop it is the cause. */
	{ "{'name':'first'}," SIDECAR,
	  "'phase':'Running'," READY "," MAIN_READY ",'initContainerStatuses':[" ENDED
	  ",{'name':'side','started':true,'ready':true,'state':{'running':{}}}]",
	  DIAG_POD_READY, "m", false },
	{ SIDECAR,
	  "'phase':'Pending','initContainerStatuses':[{'name':'side','started':false,'restartCount':4,"
	  "'state':{'waiting':{'reason':'CrashLoopBackOff'}},'lastState':{'terminated':{'exitCode':1}}}]",
	  DIAG_POD_CRASH, "side", true },
	/* wait-for-deps is an ordinary init container: running means waiting. */
	{ WAIT,
	  "'phase':'Pending','initContainerStatuses':[{'name':'wait-for-deps','started':true,'state':{'running':{}}}],"
	  "'containerStatuses':[{'name':'m','state':{'waiting':{'reason':'PodInitializing'}}}]",
	  DIAG_POD_INIT, "wait-for-deps", false },
	{ WAIT,
	  "'initContainerStatuses':[{'name':'wait-for-deps','state':{'waiting':{'reason':'ImagePullBackOff'}}}]",
	  DIAG_POD_IMAGE, "wait-for-deps", true },
	{ "", "'containerStatuses':[{'name':'m','state':{'waiting':{'reason':'ErrImagePull'}}}]",
	  DIAG_POD_IMAGE, "m", false },
	{ "",
	  "'containerStatuses':[{'name':'m','state':{'waiting':{'reason':'InvalidImageName'}}}]",
	  DIAG_POD_IMAGE, "m", true },
	{ "",
	  "'containerStatuses':[{'name':'m','state':{'waiting':{'reason':'CreateContainerConfigError'}}}]",
	  DIAG_POD_CONFIG, "m", false },
	{ "",
	  "'containerStatuses':[{'name':'m','restartCount':3,'state':{'waiting':{'reason':'CrashLoopBackOff'}},'lastState':{'terminated':{'reason':'OOMKilled','exitCode':137}}}]",
	  DIAG_POD_OOM, "m", true },
	{ "",
	  "'containerStatuses':[{'name':'m','restartCount':3,'state':{'waiting':{'reason':'CrashLoopBackOff'}},'lastState':{'terminated':{'reason':'StartError','exitCode':128}}}]",
	  DIAG_POD_CREATE, "m", true },
	{ "",
	  "'containerStatuses':[{'name':'m','restartCount':4,'state':{'terminated':{'reason':'Error','exitCode':2}}}]",
	  DIAG_POD_CRASH, "m", true },
	/* A first end is not yet a loop. */
	{ "",
	  "'containerStatuses':[{'name':'m','restartCount':0,'state':{'terminated':{'reason':'Error','exitCode':2}}}]",
	  DIAG_POD_CRASH, "m", false },
	{ "",
	  "'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False','reason':'Unschedulable'}]",
	  DIAG_POD_UNSCHEDULABLE, NULL, false },
	{ "", "'phase':'Failed','reason':'Evicted'", DIAG_POD_EVICTED, NULL, false },
	{ "",
	  "'phase':'Pending','containerStatuses':[{'name':'m','state':{'waiting':{'reason':'ContainerCreating'}}}]",
	  DIAG_POD_STARTING, "m", false },
	/* One good container does not hide a bad one, in whichever order. */
	{ "",
	  "'containerStatuses':[{'name':'a','ready':true,'state':{'running':{}}},{'name':'b','restartCount':5,'state':{'waiting':{'reason':'CrashLoopBackOff'}}}]",
	  DIAG_POD_CRASH, "b", true },
	{ "",
	  "'containerStatuses':[{'name':'b','restartCount':5,'state':{'waiting':{'reason':'CrashLoopBackOff'}}},{'name':'a','ready':true,'state':{'running':{}}}]",
	  DIAG_POD_CRASH, "b", true },
	{ "",
	  "'containerStatuses':[{'name':'m','ready':false,'state':{'running':{}}}],'conditions':[{'type':'Ready','status':'False'}]",
	  DIAG_POD_NOT_READY, "m", false },
	/* Hostile types. */
	{ "7",
	  "'containerStatuses':[1,'x',{'name':7,'state':[]}],'conditions':{},'initContainerStatuses':'x'",
	  DIAG_POD_STARTING, NULL, false },
};

TEST(states)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		json_t *pod;
		struct diag_pod_state state = judge(rows[i].init_spec, rows[i].status, &pod);

		if (state.trouble != rows[i].trouble)
			fail_msg("row %zu: trouble %d, not %d", i, (int)state.trouble,
				 (int)rows[i].trouble);
		if (rows[i].container)
			assert_string_equal(state.container, rows[i].container);
		assert_int_equal(state.repeated, rows[i].repeated);
		json_decref(pod);
	}
}

RUN_TESTS("pod", T(states))
