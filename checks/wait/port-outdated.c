/* F58: the pod waits on a port that the Service no longer has. */
#include <inttypes.h>

#include "checks/wait/blocked.h"

static void report(const struct diag_check_ctx *ctx, const struct blocked_pod *blocked)
{
	struct diag_ref service =
		diag_ref_make("Service", blocked->found.runtime->namespace_, blocked->service);
	struct diag_finding *finding =
		diag_check_find(ctx, workload_subject(&blocked->found),
				"%s waits for port %" PRId64 " of %s, whose port is %" PRId64,
				blocked->found.runtime->name, blocked->port, blocked->service,
				blocked->service_port);

	finding_about_blocked(ctx, finding, blocked);
	diag_finding_field(finding, service, "spec.ports[0].port", "%" PRId64,
			   blocked->service_port);
	finding_roll_out(finding, blocked->found.runtime);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_blocked_pod(ctx, BLOCKED_OTHER_PORT, report);
	return DIAG_OK;
}

DIAG_CHECK(wait_port_outdated) = {
	.id = "wait.port-outdated",
	.title = "Pods wait on the port that the Service has",
	.fault = "F58",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module waits for ever although its provider runs.",
	.hint = "Annotate the bindings of provider and consumer, so that both follow the manifest.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps", "services"),
	.enriches = DIAG_RESOURCES("logs", "endpointslices.discovery.k8s.io",
				   "modulemanifests.bindery.platform"),
	.run = run,
};
