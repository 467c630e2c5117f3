/*
 * F71: everything is published and Ready, and still nobody answers: no probe notices a process that
 * listens elsewhere. The only trace is the consumer that goes on waiting.
 */
#include <inttypes.h>

#include "checks/wait/blocked.h"

static struct diag_ref provider_of(const struct blocked_pod *blocked)
{
	if (blocked->target)
		return bindery_ref_manifest(blocked->target->namespace_,
					    blocked->target->members[0].module);
	return diag_ref_make("Service", blocked->found.runtime->namespace_, blocked->service);
}

static void report(const struct diag_check_ctx *ctx, const struct blocked_pod *blocked)
{
	struct diag_finding *finding = diag_check_find(
		ctx, provider_of(blocked),
		"%s is Ready, but nothing answers on its port %" PRId64 ": %s still waits for it",
		blocked->target ? blocked->target->name : blocked->service, blocked->port,
		blocked->found.runtime->name);
	struct diag_backends backends = diag_workloads_backends(
		view_of(ctx)->workloads, blocked->found.runtime->namespace_, blocked->service);

	if (blocked->target) {
		finding_about_workload(finding, blocked->target);
		diag_finding_related(finding,
				     diag_ref_make("Deployment", blocked->target->namespace_,
						   blocked->target->name));
	}
	finding_about_blocked(ctx, finding, blocked);
	diag_finding_field(
		finding,
		diag_ref_make("Service", blocked->found.runtime->namespace_, blocked->service),
		"endpoints", "%zu ready", backends.ready);
	diag_finding_edit(finding,
			  "set spec.runtime.port of %s %s to the port on which its process "
			  "listens, or let it listen on %" PRId64 "; then:",
			  finding->subject.kind, finding->subject.name, blocked->port);
	if (blocked->target)
		finding_poke(finding, "capbind", blocked->target->namespace_,
			     blocked->target->members[0].bindings[0]->name);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_blocked_pod(ctx, BLOCKED_NOT_ANSWERING, report);
	return DIAG_OK;
}

DIAG_CHECK(wait_not_answering) = {
	.id = "wait.not-answering",
	.title = "Ready modules answer on their port",
	.fault = "F71",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Consumers wait for ever for a module that looks healthy.",
	.hint = "Compare the declared port with the one the process listens on.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps", "services",
				   "endpointslices.discovery.k8s.io"),
	.enriches = DIAG_RESOURCES("logs", "modulemanifests.bindery.platform"),
	.run = run,
};
