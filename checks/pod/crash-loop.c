/* F62: the module's process ends again and again. */
#include <inttypes.h>

#include "checks/pod/exit-code.h"
#include "checks/pod/pods.h"

/* The kubelet says so when it was the one that ended the container (K06). */
static void explain_probe(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			  const struct troubled_pod *found)
{
	struct diag_ref pod = diag_ref_of(found->pod);
	const json_t *killed = newest_event(ctx, pod, "Killing", "failed liveness probe");
	const json_t *unhealthy = newest_event(ctx, pod, "Unhealthy", "Liveness probe failed");

	if (!killed)
		return;
	diag_finding_event(finding, killed);
	if (unhealthy)
		diag_finding_event(finding, unhealthy);
	diag_finding_edit(finding, "correct the liveness probe of the container: the operator "
				   "sets none, so something else put it there");
}

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	struct diag_finding *finding = diag_check_find(
		ctx, workload_subject(found),
		"%s crashes again and again: container %s ended with exit code %" PRId64 "%s",
		found->runtime->name, found->state.container, found->state.exit_code,
		exit_code_meaning(&found->state));

	finding_about_pod(finding, found);
	finding_add_last_words(ctx, finding, found);
	explain_probe(ctx, finding, found);
	diag_finding_command(finding, "kubectl", "-n", found->runtime->namespace_, "logs",
			     diag_ref_of(found->pod).name, "-c", found->state.container,
			     "--previous", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_troubled_pod(ctx, DIAG_POD_CRASH, report);
	return DIAG_OK;
}

DIAG_CHECK(pod_crash_loop) = {
	.id = "pod.crash-loop",
	.title = "Modules keep running",
	.fault = "F62",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module does not serve, and what waits for it does not start.",
	.hint = "Read the log of the last run and mend what ends the process.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.enriches = DIAG_RESOURCES("logs", "events"),
	.run = run,
};
