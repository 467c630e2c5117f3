/* Pods of the operator's workloads: which one tells why a workload does not come up. */
#pragma once

#include "model/pod.h"

#include "checks/support.h"

/* One pod of a workload's current template, with what troubles it. */
struct troubled_pod {
	const struct bindery_runtime *runtime;
	const json_t *pod;
	struct diag_pod_state state;
};

/**
 * Find the first current pod of a workload that has this trouble.
 *
 * Pods younger than the grace are reported as in progress instead, unless the trouble has repeated.
 */
bool find_troubled_pod(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		       enum diag_pod_trouble trouble, struct troubled_pod *ret_found);

/** The init container that the operator adds. */
bool is_wait_container(const struct diag_pod_state *state);

/** What to edit: the ModuleManifest whose container it is, else the Deployment. */
struct diag_ref workload_subject(const struct troubled_pod *found);

/** Name the pod, Deployment and manifest, and what the finding is about. */
void finding_about_pod(struct diag_finding *finding, const struct troubled_pod *found);

/** The finding is about a real workload, whether predicted or not. */
void finding_about_runtime(struct diag_finding *finding, const struct bindery_runtime *runtime);

/** Evidence: restarts, exit code and the last line the container wrote. */
void finding_add_last_words(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			    const struct troubled_pod *found);

/** Command: annotate a binding that makes the workload, so that a changed manifest is rolled out.
 */
void finding_roll_out(struct diag_finding *finding, const struct bindery_runtime *runtime);

/** The image as spec.containers[].image asks for it: the status may name another. Never NULL. */
const char *asked_image(const struct troubled_pod *found);

/** What says that the registry wants other credentials (K14): the kubelet's message or its newest
 * event; NULL when nothing does. A registry that only hides what is not there says neither 401 nor
 * 403. */
const char *pull_refusal(const struct diag_check_ctx *ctx, const struct troubled_pod *found);

/** A kubelet message without what only repeats it: at most one line of `limit` bytes. */
const char *brief_message(const char *message, char *ret_text, size_t size);

/** Call `report` for each workload with a pod in this trouble. */
void each_troubled_pod(const struct diag_check_ctx *ctx, enum diag_pod_trouble trouble,
		       void (*report)(const struct diag_check_ctx *ctx,
				      const struct troubled_pod *found));
