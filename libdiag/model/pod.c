#include "model/pod.h"

#include "base/macros.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "model/condition.h"
#include "model/ref.h"
#include "text/json.h"

/* Waiting and termination reasons, as the kubelet spells them. */
static const struct {
	const char *reason;
	enum diag_pod_trouble trouble;
	bool repeated;
} reasons[] = {
	{ "ErrImagePull", DIAG_POD_IMAGE, false },
	{ "ImagePullBackOff", DIAG_POD_IMAGE, true },
	{ "InvalidImageName", DIAG_POD_IMAGE, true },
	{ "ErrImageNeverPull", DIAG_POD_IMAGE, true },
	{ "ImageInspectError", DIAG_POD_IMAGE, false },
	{ "RegistryUnavailable", DIAG_POD_IMAGE, false },
	{ "SignatureValidationFailed", DIAG_POD_IMAGE, true },
	{ "CreateContainerConfigError", DIAG_POD_CONFIG, false },
	{ "CreateContainerError", DIAG_POD_CREATE, false },
	{ "RunContainerError", DIAG_POD_CREATE, false },
	{ "StartError", DIAG_POD_CREATE, false },
	{ "ContainerCannotRun", DIAG_POD_CREATE, false },
	{ "PreStartHookError", DIAG_POD_CREATE, false },
	{ "PostStartHookError", DIAG_POD_CREATE, false },
	{ "CrashLoopBackOff", DIAG_POD_CRASH, true },
	{ "OOMKilled", DIAG_POD_OOM, false },
};

enum {
	/* A container up again for less than this after so many restarts is still in its loop. */
	LOOP_RESTARTS = 3,
};
static const int64_t loop_run_ms = DIAG_MINUTE_MS;

static bool look_up(const char *reason, enum diag_pod_trouble *ret_trouble, bool *ret_repeated)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(reasons); i++) {
		if (!diag_str_eq(reason, reasons[i].reason))
			continue;
		*ret_trouble = reasons[i].trouble;
		*ret_repeated = reasons[i].repeated;
		return true;
	}
	return false;
}

static void set_last_end(struct diag_pod_state *state, const json_t *status)
{
	const json_t *end = diag_json_object(status, "state", "terminated");

	if (!end)
		end = diag_json_object(status, "lastState", "terminated");
	state->exit_code = diag_json_int(end, 0, "exitCode");
	if (state->since_ms == DIAG_TIME_NONE)
		state->since_ms = diag_time_parse(diag_json_str(end, "finishedAt"));
}

/* Why a crash loop loops: the last end may say that the container never started, or lacked memory.
 */
static void refine_crash(struct diag_pod_state *state, const json_t *status)
{
	const char *reason = diag_json_str(status, "state", "terminated", "reason");
	const char *message = diag_json_str(status, "state", "terminated", "message");
	enum diag_pod_trouble trouble;
	bool repeated;

	if (!reason) {
		reason = diag_json_str(status, "lastState", "terminated", "reason");
		message = diag_json_str(status, "lastState", "terminated", "message");
	}
	if (look_up(reason, &trouble, &repeated) &&
	    (trouble == DIAG_POD_OOM || trouble == DIAG_POD_CREATE)) {
		state->trouble = trouble;
		if (trouble == DIAG_POD_CREATE && message)
			state->message = message;
	}
}

static void judge_waiting(struct diag_pod_state *state, const json_t *status)
{
	bool repeated = false;

	state->reason = diag_json_str(status, "state", "waiting", "reason");
	state->message = diag_json_str(status, "state", "waiting", "message");
	if (!look_up(state->reason, &state->trouble, &repeated)) {
		state->trouble = DIAG_POD_STARTING; /* PodInitializing, ContainerCreating, "" */
		return;
	}
	state->repeated = repeated || state->restarts > 0;
	if (state->trouble == DIAG_POD_CRASH)
		refine_crash(state, status);
}

static void judge_terminated(struct diag_pod_state *state, const json_t *status)
{
	state->reason = diag_json_str(status, "state", "terminated", "reason");
	state->message = diag_json_str(status, "state", "terminated", "message");
	state->repeated = state->restarts > 0;
	state->trouble = DIAG_POD_CRASH;
	refine_crash(state, status);
}

/* Runs now, but only since moments ago and after several ends: the loop goes on. */
static bool is_between_crashes(const struct diag_pod_state *state, const json_t *status)
{
	int64_t started = diag_time_parse(diag_json_str(status, "state", "running", "startedAt"));
	int64_t ended =
		diag_time_parse(diag_json_str(status, "lastState", "terminated", "finishedAt"));

	return state->restarts >= LOOP_RESTARTS && started != DIAG_TIME_NONE &&
	       ended != DIAG_TIME_NONE && !diag_json_true(status, "ready") && started >= ended &&
	       started - ended <= 5 * loop_run_ms;
}

static void judge_running(struct diag_pod_state *state, const json_t *status)
{
	state->since_ms = diag_time_parse(diag_json_str(status, "state", "running", "startedAt"));
	if (diag_json_true(status, "ready")) {
		state->trouble = DIAG_POD_READY;
	} else if (is_between_crashes(state, status)) {
		state->trouble = DIAG_POD_CRASH;
		state->repeated = true;
		refine_crash(state, status);
	} else {
		state->trouble = DIAG_POD_NOT_READY;
	}
}

static struct diag_pod_state judge_container(const json_t *status)
{
	struct diag_pod_state state = {
		.trouble = DIAG_POD_STARTING,
		.container = diag_json_str(status, "name"),
		.image = diag_json_str(status, "image"),
		.restarts = diag_json_int(status, 0, "restartCount"),
		.since_ms = DIAG_TIME_NONE,
	};

	if (diag_json_object(status, "state", "running"))
		judge_running(&state, status);
	else if (diag_json_object(status, "state", "terminated"))
		judge_terminated(&state, status);
	else if (diag_json_object(status, "state", "waiting"))
		judge_waiting(&state, status);
	set_last_end(&state, status);
	return state;
}

/* Init containers with restartPolicy Always keep running beside the others (sidecars, KEP-753). */
static bool is_sidecar(const json_t *pod, const char *container)
{
	const json_t *spec =
		diag_json_named(diag_json_array(pod, "spec", "initContainers"), container);

	return diag_str_eq(diag_json_str(spec, "restartPolicy"), "Always");
}

static bool ended_well(const json_t *status)
{
	return diag_json_object(status, "state", "terminated") &&
	       diag_json_int(status, 1, "state", "terminated", "exitCode") == 0;
}

static bool judge_init(const json_t *pod, struct diag_pod_state *ret_state)
{
	const json_t *status;
	size_t i;

	json_array_foreach(diag_json_array(pod, "status", "initContainerStatuses"), i, status) {
		bool sidecar = is_sidecar(pod, diag_json_str(status, "name"));
		struct diag_pod_state state = judge_container(status);

		state.init = true;
		if (sidecar &&
		    (state.trouble == DIAG_POD_READY || diag_json_true(status, "started")))
			continue;
		if (!sidecar && ended_well(status))
			continue;
		if (state.trouble == DIAG_POD_NOT_READY || state.trouble == DIAG_POD_READY)
			state.trouble = DIAG_POD_INIT;
		*ret_state = state;
		return true;
	}
	return false;
}

/* The container that says most: a failing one before one that starts, before a ready one. */
static struct diag_pod_state judge_main(const json_t *pod)
{
	struct diag_pod_state worst = { .trouble = DIAG_POD_STARTING, .since_ms = DIAG_TIME_NONE };
	bool restart_never = !diag_str_eq(diag_json_str(pod, "spec", "restartPolicy"), "Always");
	bool any = false, all_ready = true;
	const json_t *status;
	size_t i;

	json_array_foreach(diag_json_array(pod, "status", "containerStatuses"), i, status) {
		struct diag_pod_state state = judge_container(status);

		if (restart_never && ended_well(status))
			state.trouble = DIAG_POD_READY;
		if (!any ||
		    (state.trouble > worst.trouble && state.trouble != DIAG_POD_NOT_READY) ||
		    worst.trouble == DIAG_POD_READY ||
		    (worst.trouble == DIAG_POD_NOT_READY && state.trouble > DIAG_POD_STARTING &&
		     state.trouble != DIAG_POD_NOT_READY))
			worst = state;
		all_ready &= state.trouble == DIAG_POD_READY;
		any = true;
	}
	if (any && all_ready)
		worst.trouble = DIAG_POD_READY;
	return worst;
}

bool diag_pod_is_ready(const json_t *pod)
{
	return diag_condition_is(pod, "Ready", "True");
}

static bool judge_whole(const json_t *pod, struct diag_pod_state *state)
{
	const char *phase = diag_json_str(pod, "status", "phase");
	const json_t *scheduled = diag_condition(pod, "PodScheduled");

	state->reason = diag_json_str(pod, "status", "reason");
	state->message = diag_json_str(pod, "status", "message");
	if (diag_json_get(pod, "metadata", "deletionTimestamp")) {
		state->trouble = DIAG_POD_DELETING;
		return true;
	}
	if (diag_str_eq(phase, "Failed") || diag_str_eq(phase, "Unknown")) {
		state->trouble = diag_str_eq(phase, "Failed") ? DIAG_POD_EVICTED : DIAG_POD_UNKNOWN;
		return true;
	}
	if (diag_str_eq(phase, "Succeeded")) {
		state->trouble = DIAG_POD_READY;
		return true;
	}
	if (diag_str_eq(diag_json_str(scheduled, "status"), "False")) {
		state->trouble = DIAG_POD_UNSCHEDULABLE;
		state->reason = diag_json_str(scheduled, "reason");
		state->message = diag_json_str(scheduled, "message");
		state->since_ms = diag_condition_time(scheduled);
		return true;
	}
	return false;
}

struct diag_pod_state diag_pod_state(const json_t *pod)
{
	struct diag_pod_state state = { .trouble = DIAG_POD_STARTING, .since_ms = DIAG_TIME_NONE };

	if (judge_whole(pod, &state))
		return state;
	if (!judge_init(pod, &state)) {
		state = judge_main(pod);
		if (state.trouble == DIAG_POD_READY && !diag_pod_is_ready(pod) &&
		    diag_condition(pod, "Ready"))
			state.trouble = DIAG_POD_NOT_READY;
	}
	if (state.since_ms == DIAG_TIME_NONE)
		state.since_ms = diag_created_at(pod);
	return state;
}
