/* F36: an address is published, and no pod behind it is available: RuntimeReady never looks at
 * pods. */
#include <inttypes.h>

#include "model/condition.h"
#include "text/json.h"

#include "checks/pod/pods.h"
#include "checks/workload/published.h"

static bool any_young_pod(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime)
{
	for (size_t i = 0; i < runtime->real->pod_count; i++)
		if (diag_check_is_young(ctx, diag_created_at(runtime->real->pods[i])))
			return true;
	return false;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		   const json_t *binding, const char *service)
{
	struct diag_ref deployment =
		diag_ref_make("Deployment", runtime->namespace_, runtime->name);
	const json_t *condition = diag_condition(runtime->real->deployment, "Available");
	struct diag_finding *finding = diag_check_find(
		ctx, deployment,
		"%s is published as ready, but none of its %" PRId64 " pods is available", service,
		diag_workload_replicas(runtime->real));

	finding_about_runtime(finding, runtime);
	diag_finding_needs(finding, "workload", runtime->namespace_, runtime->name);
	diag_finding_related(finding, diag_ref_of(binding));
	diag_finding_field(
		finding, deployment, "status.conditions[Available]", "%s: %s",
		diag_json_str(condition, "status") ? diag_json_str(condition, "status") : "absent",
		diag_json_str(condition, "message") ? diag_json_str(condition, "message") : "");
	diag_finding_command(finding, "kubectl", "-n", runtime->namespace_, "describe",
			     "deployment", runtime->name, NULL);
}

static void check(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime)
{
	const json_t *deployment = runtime->real->deployment;
	const char *service;
	const json_t *binding;

	if (diag_json_int(deployment, 0, "status", "availableReplicas") > 0 ||
	    bindery_is_deleting(deployment))
		return;
	binding = publishing_binding_of(ctx, runtime, &service);
	if (!binding)
		return;
	if (diag_check_is_young(ctx, unavailable_since(runtime)) || any_young_pod(ctx, runtime))
		diag_check_progress(ctx, diag_ref_of(deployment), "no pod is available yet");
	else
		report(ctx, runtime, binding, service);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_runtime *runtime;

	foreach_runtime(ctx, runtime)
		check(ctx, runtime);
	return DIAG_OK;
}

DIAG_CHECK(workload_unavailable) = {
	.id = "workload.unavailable",
	.title = "Published workloads have an available pod",
	.fault = "F36",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Everything says ready, and connections fail.",
	.hint = "Look at the workload's pods.",
	.requires = DIAG_RESOURCES("deployments.apps", "replicasets.apps", "pods",
				   "capabilitybindings.bindery.platform"),
	.run = run,
};
