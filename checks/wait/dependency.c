/* F55: a pod waits for a module that is not up. */
#include <inttypes.h>

#include "checks/wait/blocked.h"

static void report(const struct diag_check_ctx *ctx, const struct blocked_pod *blocked)
{
	struct diag_finding *finding =
		diag_check_find(ctx, workload_subject(&blocked->found),
				"%s waits for %s:%" PRId64 ", which has no ready pod",
				blocked->found.runtime->name, blocked->service, blocked->port);

	finding_about_blocked(ctx, finding, blocked);
	diag_finding_command(finding, "kubectl", "-n", blocked->found.runtime->namespace_, "get",
			     "pods", "-l", "bindery.platform/managed-by=runtimeorchestrator", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_blocked_pod(ctx, BLOCKED_NOT_READY, report);
	return DIAG_OK;
}

DIAG_CHECK(wait_dependency) = {
	.id = "wait.dependency",
	.title = "What pods wait for is up",
	.fault = "F55",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module does not start before its dependency does.",
	.hint = "Look at the pods of the module it waits for.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps", "services",
				   "endpointslices.discovery.k8s.io"),
	.enriches = DIAG_RESOURCES("logs", "modulemanifests.bindery.platform"),
	.run = run,
};
