/* Pods that sit in wait-for-deps: what exactly do they wait for, and why does it not answer. */
#pragma once

#include "checks/pod/pods.h"

enum blocked_by {
	BLOCKED_SERVICE_MISSING, /* F56: no Service of that name */
	BLOCKED_NOT_READY,       /* F55: no ready pod behind the Service */
	BLOCKED_OTHER_PORT,      /* F58: the Service has another port */
	BLOCKED_NOT_ANSWERING,   /* F71: ready, published, and still no connection */
};

struct blocked_pod {
	struct troubled_pod found;
	enum blocked_by by;
	char service[254];
	int64_t port;
	int64_t service_port;                  /* of the real Service, 0 when it is missing */
	const struct bindery_workload *target; /* predicted workload behind the Service, or NULL */
};

/**
 * Decide what blocks a workload's pod in wait-for-deps.
 *
 * The shell loop tries its targets in order and prints the one it waits for; without that log the
 * first target that is not ready is taken. Returns false when no pod waits, or when it is too
 * early.
 */
bool find_blocked_pod(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		      struct blocked_pod *ret_blocked);

/** Call `report` for each workload that is blocked in this way. */
void each_blocked_pod(const struct diag_check_ctx *ctx, enum blocked_by by,
		      void (*report)(const struct diag_check_ctx *ctx,
				     const struct blocked_pod *blocked));

/** Evidence common to all: the pod, the target, the last line of wait-for-deps. */
void finding_about_blocked(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			   const struct blocked_pod *blocked);
