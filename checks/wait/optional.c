/* F57: the init container waits for optional dependencies like for any other. */
#include <string.h>

#include "checks/wait/blocked.h"

static const struct bindery_wait *wait_for(const struct blocked_pod *blocked)
{
	const struct bindery_workload *predicted = blocked->found.runtime->predicted;

	for (size_t i = 0; predicted && i < predicted->wait_count; i++)
		if (strcmp(predicted->waits[i].service, blocked->service) == 0)
			return &predicted->waits[i];
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct blocked_pod *blocked,
		   const struct bindery_wait *wait)
{
	struct diag_finding *finding =
		diag_check_find(ctx, workload_subject(&blocked->found),
				"%s is kept from starting by %s, which it requires only optionally",
				blocked->found.runtime->name, wait->binding->capability);
	const struct bindery_requirement *r = wait->binding->desired->requirement;

	finding_about_blocked(ctx, finding, blocked);
	diag_finding_discriminate(finding, wait->binding->capability);
	diag_finding_edit(finding,
			  "make %s run, or remove spec.requires[%zu] from ModuleManifest %s",
			  wait->binding->provider, r->index, wait->binding->consumer);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_runtime *runtime;
	struct blocked_pod blocked;

	foreach_runtime(ctx, runtime) {
		const struct bindery_wait *wait;

		if (!find_blocked_pod(ctx, runtime, &blocked))
			continue;
		wait = wait_for(&blocked);
		if (wait && wait->optional)
			report(ctx, &blocked, wait);
	}
	return DIAG_OK;
}

DIAG_CHECK(wait_optional) = {
	.id = "wait.optional",
	.title = "Nothing optional keeps a module from starting",
	.fault = "F57",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module does not start although it could do without.",
	.hint = "Make the provider run, or drop the requirement.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps", "services",
				   "endpointslices.discovery.k8s.io"),
	.enriches = DIAG_RESOURCES("logs", "worldinstances.bindery.platform",
				   "booklets.bindery.platform", "modulemanifests.bindery.platform"),
	.run = run,
};
