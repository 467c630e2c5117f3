/*
 * What keeps a pod from being ready, read from its status as the kubelet and scheduler write it.
 * Source: Kubernetes API reference, PodStatus and ContainerStatus; waiting reasons of the kubelet.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

enum diag_pod_trouble {
	DIAG_POD_READY,         /* nothing: running and ready, or completed */
	DIAG_POD_STARTING,      /* on its way; nothing has failed */
	DIAG_POD_DELETING,      /* has a deletionTimestamp */
	DIAG_POD_EVICTED,       /* phase Failed: evicted, preempted, node lost */
	DIAG_POD_UNSCHEDULABLE, /* no node fits */
	DIAG_POD_IMAGE,         /* an image cannot be pulled */
	DIAG_POD_CONFIG,        /* CreateContainerConfigError: ConfigMap, Secret or key missing */
	DIAG_POD_CREATE,        /* the container cannot be created or started */
	DIAG_POD_OOM,           /* killed for memory, again and again */
	DIAG_POD_CRASH,         /* exits again and again */
	DIAG_POD_INIT,          /* an init container runs and has not ended */
	DIAG_POD_NOT_READY,     /* runs, but is not ready */
	DIAG_POD_UNKNOWN,       /* the node does not report */
};

struct diag_pod_state {
	enum diag_pod_trouble trouble;
	const char *container; /* whose status decided; NULL for the pod as a whole */
	bool init;             /* it is an init container */
	bool repeated;         /* back-off or restarts: not the first failure */
	const char *image;
	const char *reason;  /* "ImagePullBackOff", or NULL */
	const char *message; /* the kubelet's or scheduler's text, or NULL */
	int64_t exit_code;   /* of the last end, 0 when none */
	int64_t restarts;
	int64_t since_ms; /* when this state began, as well as it is known; DIAG_TIME_NONE */
};

/** Judge one pod. All strings are borrowed from it. */
struct diag_pod_state diag_pod_state(const json_t *pod);

/** True when the Ready condition is True. */
bool diag_pod_is_ready(const json_t *pod);
