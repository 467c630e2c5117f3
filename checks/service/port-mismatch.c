/* F71: the ports along the way differ: what a binding publishes, what the Service has, where it
 * sends, what the container declares. A port that all agree on and nobody serves is told by
 * wait.not-answering. */
#include <inttypes.h>

#include "base/str.h"
#include "text/json.h"

#include "checks/support.h"

/* One hop: two numbers that ought to be equal. */
struct hop {
	struct diag_ref from, to;
	const char *from_field, *to_field;
	int64_t is, should;
	const char *words; /* "%1 … %2" is written out in report() */
};

static const json_t *service_port(const json_t *service)
{
	return json_array_get(diag_json_array(service, "spec", "ports"), 0);
}

/* The container that serves the module, in the Deployment as it really is. */
static int64_t container_port(const json_t *deployment, const struct bindery_workload *workload,
			      const struct bindery_member *member)
{
	const json_t *container;
	size_t i;

	json_array_foreach(diag_json_array(deployment, "spec", "template", "spec", "containers"), i,
			   container) {
		if (workload->strategy != BINDERY_GROUP_POD ||
		    diag_str_eq(diag_json_str(container, "name"), member->module))
			return diag_json_int(json_array_get(diag_json_array(container, "ports"), 0),
					     0, "containerPort");
	}
	return 0;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *member, struct diag_ref service,
		   const struct hop *hop)
{
	struct diag_finding *finding =
		diag_check_find(ctx, service, "%s: %s %" PRId64 ", but %s %" PRId64, service.name,
				hop->from_field, hop->is, hop->to_field, hop->should);

	diag_finding_discriminate(finding, hop->words);
	finding_about_workload(finding, workload);
	diag_finding_at(finding, "service", service.namespace_, service.name);
	diag_finding_related(finding, hop->from);
	diag_finding_related(finding, hop->to);
	diag_finding_related(finding, bindery_ref_manifest(workload->namespace_, member->module));
	diag_finding_field(finding, hop->from, hop->words, "%" PRId64, hop->is);
	diag_finding_note(finding, "ModuleManifest %s asks for port %" PRId64, member->module,
			  member->port);
	if (member->binding_count)
		finding_poke(finding, "capbind", workload->namespace_, member->bindings[0]->name);
}

/* What consumers are told against what the Service has. */
static void check_published(const struct diag_check_ctx *ctx,
			    const struct bindery_workload *workload,
			    const struct bindery_member *member, const json_t *service)
{
	int64_t port = diag_json_int(service_port(service), 0, "port");

	for (size_t i = 0; i < member->binding_count; i++) {
		const json_t *real = bindery_view_binding(view_of(ctx), member->bindings[i]);
		int64_t published =
			diag_json_int(real, 0, "status", "provider", "endpoint", "port");
		struct hop hop = { diag_ref_of(real),
				   diag_ref_of(service),
				   "consumers are told port",
				   "the Service has port",
				   published,
				   port,
				   "status.provider.endpoint.port" };

		if (!real || !diag_str_eq(bindery_binding_endpoint(real), member->service) ||
		    published <= 0 || published == port)
			continue;
		report(ctx, workload, member, diag_ref_of(service), &hop);
		return;
	}
}

/* Where the Service sends against what the container declares. */
static void check_target(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
			 const struct bindery_member *member, const json_t *service)
{
	const json_t *deployment = diag_snapshot_get(ctx->snapshot, "deployments.apps",
						     workload->namespace_, workload->name);
	int64_t target = diag_json_int(service_port(service), 0, "targetPort");
	int64_t declared = container_port(deployment, workload, member);
	struct hop hop = { diag_ref_of(service),
			   diag_ref_of(deployment),
			   "the Service sends to port",
			   "the container declares port",
			   target,
			   declared,
			   "spec.ports[0].targetPort" };

	if (target > 0 && declared > 0 && target != declared)
		report(ctx, workload, member, diag_ref_of(service), &hop);
}

static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload)
{
	for (size_t i = 0; i < workload->member_count; i++) {
		const struct bindery_member *member = &workload->members[i];
		const json_t *service = diag_snapshot_get(ctx->snapshot, "services",
							  workload->namespace_, member->service);

		/* A Service of somebody else is told elsewhere (F43). */
		if (!service || workload->contested || bindery_is_deleting(service) ||
		    !diag_str_eq(
			    diag_json_str(service, "metadata", "labels", BINDERY_LABEL "module"),
			    member->module))
			continue;
		check_published(ctx, workload, member, service);
		check_target(ctx, workload, member, service);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			if (!workload->world || !bindery_is_deleting(workload->world->object))
				check(ctx, workload);
	return DIAG_OK;
}

DIAG_CHECK(service_port_mismatch) = {
	.id = "service.port-mismatch",
	.title = "One port from the published address to the container",
	.fault = "F71",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Connections are refused although everything is Ready.",
	.hint = "Annotate the module's binding: the operator writes Service and Deployment again.",
	.requires = DIAG_RESOURCES("services", "deployments.apps",
				   "capabilitybindings.bindery.platform",
				   "modulemanifests.bindery.platform", "booklets.bindery.platform",
				   "worldinstances.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
