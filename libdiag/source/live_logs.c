/*
 * The second step of reading a cluster: logs of containers of pods in trouble, of the operator, and
 * its metrics. A bundle has the logs of all pods; those of healthy ones no check reads.
 */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "model/pod.h"
#include "source/live_internal.h"
#include "text/json.h"
#include "text/k8sname.h"

/* Lines asked for; the byte limit cuts at the newest end, so that it must not be met first. */
enum { TAIL_LINES = 2000 };

struct fetching {
	struct live *live;
	const struct diag_snapshot *snapshot;
	struct diag_sink *sink;
	struct diag_arena *arena;
	size_t asked, left_out;
};

struct wanted_log {
	struct fetching *fetching;
	const char *namespace_, *pod, *container, *node;
	bool previous;
	const char *kind; /* "logs", "metrics": whose state an error is */
};

/* 400 and 404: the container has no such log, or the pod has gone meanwhile. */
static bool is_nothing(const struct wanted_log *wanted, const struct diag_response *response)
{
	return strcmp(wanted->kind, "logs") == 0 &&
	       (response->status == 400 || response->status == 404);
}

static void push_failure(const struct wanted_log *wanted, const struct diag_response *response)
{
	const char *reason = diag_arena_printf(wanted->fetching->arena, "%s of %s on node %s: %s",
					       wanted->container, wanted->pod,
					       wanted->node ? wanted->node : "unknown",
					       response->reason ? response->reason : "no answer");

	diag_sink_state(wanted->fetching->sink, wanted->kind, wanted->namespace_,
			response->code == DIAG_E_FORBIDDEN ? DIAG_FORBIDDEN : DIAG_FAILED, reason);
}

static void log_done(void *context, const struct diag_response *response)
{
	const struct wanted_log *wanted = context;
	const struct diag_log log = {
		.namespace_ = wanted->namespace_,
		.pod = wanted->pod,
		.container = wanted->container,
		.previous = wanted->previous,
		.bytes = response->body ? response->body : "",
		.length = response->length,
		.truncated = response->length >= DIAG_MAX_LOG_BYTES,
	};

	if (response->code == DIAG_OK)
		diag_sink_log(wanted->fetching->sink, &log);
	else if (!is_nothing(wanted, response))
		push_failure(wanted, response);
}

static void ask(struct fetching *fetching, const struct wanted_log *what, const char *path)
{
	struct wanted_log *wanted = diag_arena_alloc(fetching->arena, sizeof(*wanted));
	const struct diag_request request = {
		.path = path,
		.accept = "*/*",
		.max_bytes = DIAG_MAX_LOG_BYTES,
		.cut = true,
		.done = log_done,
		.context = wanted,
	};

	*wanted = *what;
	/* Both become part of a path. */
	if (!diag_k8s_is_label(what->namespace_) || !diag_k8s_is_subdomain(what->pod))
		return;
	if (fetching->asked >= fetching->live->options.max_logs) {
		fetching->left_out++;
		return;
	}
	fetching->asked++;
	diag_transport_queue(fetching->live->transport, &request);
}

static void ask_log(struct fetching *fetching, const json_t *pod, const char *container,
		    bool previous)
{
	struct diag_ref ref = diag_ref_of(pod);
	const struct wanted_log wanted = {
		fetching,
		ref.namespace_,
		ref.name,
		container,
		diag_json_str(pod, "spec", "nodeName"),
		previous,
		"logs",
	};

	ask(fetching, &wanted,
	    diag_arena_printf(
		    fetching->arena,
		    "/api/v1/namespaces/%s/pods/%s/log?container=%s&tailLines=%d&limitBytes=%zu"
		    "&timestamps=true%s",
		    ref.namespace_, ref.name, container, TAIL_LINES, DIAG_MAX_LOG_BYTES,
		    previous ? "&previous=true" : ""));
}

/* A container that has never run has no log. */
static void ask_container(struct fetching *fetching, const json_t *pod, const json_t *status)
{
	const char *name = diag_json_str(status, "name");
	bool ended = diag_json_object(status, "lastState", "terminated") != NULL;

	if (!diag_k8s_is_label(name))
		return;
	if (ended || diag_json_object(status, "state", "running") ||
	    diag_json_object(status, "state", "terminated"))
		ask_log(fetching, pod, name, false);
	if (ended || diag_json_int(status, 0, "restartCount") > 0)
		ask_log(fetching, pod, name, true);
}

static void ask_pod(struct fetching *fetching, const json_t *pod)
{
	static const char *const lists[] = { "initContainerStatuses", "containerStatuses" };
	json_t *status;
	size_t i;

	for (size_t l = 0; l < DIAG_ARRAY_SIZE(lists); l++)
		json_array_foreach(diag_json_array(pod, "status", lists[l]), i, status)
			ask_container(fetching, pod, status);
}

static void ask_metrics(struct fetching *fetching, const json_t *pod)
{
	struct diag_ref ref = diag_ref_of(pod);
	const struct wanted_log wanted = {
		.fetching = fetching,
		.namespace_ = ref.namespace_,
		.pod = ref.name,
		.container = "metrics",
		.node = diag_json_str(pod, "spec", "nodeName"),
		.kind = "metrics",
	};

	if (diag_pod_is_ready(pod))
		ask(fetching, &wanted,
		    diag_arena_printf(fetching->arena,
				      "/api/v1/namespaces/%s/pods/%s:%s/proxy/metrics",
				      ref.namespace_, ref.name,
				      fetching->live->options.domain->metrics_port));
}

static bool selects(const json_t *deployment, const json_t *pod)
{
	json_t *labels = diag_json_object(deployment, "spec", "selector", "matchLabels");
	json_t *value;
	const char *key;

	if (!labels ||
	    !diag_str_eq(diag_ref_of(deployment).namespace_, diag_ref_of(pod).namespace_))
		return false;
	json_object_foreach(labels, key, value) {
		if (!json_equal(value, diag_json_get(pod, "metadata", "labels", key)))
			return false;
	}
	return true;
}

static void ask_operator(struct fetching *fetching)
{
	const struct diag_domain *domain = fetching->live->options.domain;
	json_t *deployment, *pod;
	size_t i, j;

	json_array_foreach(diag_snapshot_list(fetching->snapshot, "deployments.apps"), i,
			   deployment) {
		if (!domain->is_operator(deployment))
			continue;
		json_array_foreach(diag_snapshot_list(fetching->snapshot, "pods"), j, pod) {
			if (!selects(deployment, pod))
				continue;
			ask_pod(fetching, pod);
			ask_metrics(fetching, pod);
		}
	}
}

static void ask_subjects(struct fetching *fetching)
{
	const json_t *pod;

	diag_snapshot_foreach(fetching->snapshot, "pods", pod) {
		if (diag_pod_state(pod).trouble != DIAG_POD_READY)
			ask_pod(fetching, pod);
	}
}

static void push_left_out(const struct fetching *fetching)
{
	if (fetching->left_out)
		diag_sink_state(fetching->sink, "logs", NULL, DIAG_TRUNCATED,
				diag_arena_printf(fetching->arena,
						  "%zu logs were read, %zu more left out",
						  fetching->asked, fetching->left_out));
}

int diag_live_logs(struct diag_source *source, const struct diag_snapshot *snapshot,
		   struct diag_sink *sink, struct diag_error *err DIAG_UNUSED)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	struct fetching fetching = {
		.live = (struct live *)source,
		.snapshot = snapshot,
		.sink = sink,
		.arena = arena,
	};

	if (!diag_sink_wants(sink, "logs"))
		return DIAG_OK;
	ask_operator(&fetching);
	ask_subjects(&fetching);
	push_left_out(&fetching);
	diag_transport_run(fetching.live->transport, NULL);
	return DIAG_OK;
}
