/* F69: a published Service without a ready pod behind it. */
#include <stdio.h>

#include "base/str.h"
#include "text/json.h"

#include "checks/pod/pods.h"
#include "checks/workload/published.h"

static void report(const struct diag_check_ctx *ctx, const json_t *service, const json_t *binding,
		   const struct bindery_workload *workload, struct diag_backends backends)
{
	struct diag_ref ref = diag_ref_of(service);
	char selector[300];
	struct diag_finding *finding = diag_check_find(
		ctx, ref,
		backends.not_ready ? "Service %s is published, but none of its %zu pods is ready"
				   : "Service %s is published, but no pod matches its selector",
		ref.name, backends.not_ready);

	diag_finding_at(finding, "service", ref.namespace_, ref.name);
	diag_finding_needs(finding, "service", ref.namespace_, ref.name);
	diag_finding_related(finding, diag_ref_of(binding));
	if (workload) {
		diag_finding_needs(finding, "workload", workload->namespace_, workload->name);
		if (workload->world)
			diag_finding_at(finding, "world", workload->namespace_,
					workload->world->name);
		diag_finding_related(
			finding, diag_ref_make("Deployment", workload->namespace_, workload->name));
	} else {
		diag_finding_needs(finding, "workload", ref.namespace_, ref.name);
	}
	diag_finding_field(finding, ref, "endpoints", "%zu ready, %zu not ready", backends.ready,
			   backends.not_ready);
	snprintf(selector, sizeof(selector), "kubernetes.io/service-name=%s", ref.name);
	diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "get", "endpointslices",
			     "-l", selector, NULL);
}

static bool is_young(const struct diag_check_ctx *ctx, const json_t *service,
		     const struct bindery_workload *workload)
{
	const struct bindery_runtime *runtime =
		workload ? bindery_view_runtime(view_of(ctx), workload->namespace_, workload->name)
			 : NULL;

	return diag_check_is_young(ctx, diag_created_at(service)) ||
	       (runtime && diag_check_is_young(ctx, unavailable_since(runtime)));
}

static void check(const struct diag_check_ctx *ctx, const json_t *service)
{
	struct diag_ref ref = diag_ref_of(service);
	const struct bindery_prediction *p = bindery_view_prediction(view_of(ctx), ref.namespace_);
	const struct bindery_workload *workload =
		p ? bindery_prediction_service(p, ref.name) : NULL;
	struct diag_backends backends =
		diag_workloads_backends(view_of(ctx)->workloads, ref.namespace_, ref.name);
	const json_t *binding;

	if (backends.ready || bindery_is_deleting(service))
		return;
	binding = publishing_binding(ctx, ref.namespace_, ref.name);
	if (!binding)
		return;
	if (is_young(ctx, service, workload))
		diag_check_progress(ctx, ref, "no pod is ready yet");
	else
		report(ctx, service, binding, workload, backends);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *service;

	diag_snapshot_foreach(ctx->snapshot, "services", service) {
		if (diag_str_eq(diag_json_str(service, "metadata", "labels",
					      BINDERY_LABEL "managed-by"),
				"runtimeorchestrator"))
			check(ctx, service);
	}
	return DIAG_OK;
}

DIAG_CHECK(service_no_endpoints) = {
	.id = "service.no-endpoints",
	.title = "Published Services have a ready pod",
	.fault = "F69",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Connections to the published address are refused or time out.",
	.hint = "Compare the Service's selector with the labels of the pods, and look at the pods.",
	.requires = DIAG_RESOURCES("services", "endpointslices.discovery.k8s.io",
				   "capabilitybindings.bindery.platform"),
	.enriches = DIAG_RESOURCES("deployments.apps", "modulemanifests.bindery.platform"),
	.run = run,
};
