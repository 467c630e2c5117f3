/* F56: a pod waits for a Service that does not exist. */
#include <inttypes.h>

#include "checks/actor.h"
#include "checks/wait/blocked.h"

static void report(const struct diag_check_ctx *ctx, const struct blocked_pod *blocked)
{
	struct diag_finding *finding =
		diag_check_find(ctx, workload_subject(&blocked->found),
				"%s waits for %s:%" PRId64 ", but there is no Service of that name",
				blocked->found.runtime->name, blocked->service, blocked->port);

	finding_about_blocked(ctx, finding, blocked);
	finding_actor(
		ctx, finding,
		diag_ref_make("Service", blocked->found.runtime->namespace_, blocked->service));
	if (blocked->target)
		diag_finding_command(finding, "kubectl", "-n", blocked->target->namespace_,
				     "describe", "capbind",
				     blocked->target->members[0].bindings[0]->name, NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_blocked_pod(ctx, BLOCKED_SERVICE_MISSING, report);
	return DIAG_OK;
}

DIAG_CHECK(wait_service_missing) = {
	.id = "wait.service-missing",
	.title = "Services that pods wait for exist",
	.fault = "F56",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module never starts.",
	.hint = "Find out why the provider's Service was not made, or was deleted.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps", "services"),
	.enriches = DIAG_RESOURCES("logs", "endpointslices.discovery.k8s.io",
				   "modulemanifests.bindery.platform"),
	.run = run,
};
