/* F70: a Service selects other labels than the operator computes: by hand, or left from a
 * colocation. */
#include "base/str.h"
#include "bindery/objects.h"
#include "text/json.h"

#include "checks/support.h"

/* The first label in which the two selectors differ. */
static const char *difference(json_t *real, json_t *wanted)
{
	const char *key;
	json_t *value;

	json_object_foreach(wanted, key, value) {
		if (!json_equal(json_object_get(real, key), value))
			return key;
	}
	json_object_foreach(real, key, value) {
		if (!json_object_get(wanted, key))
			return key;
	}
	return NULL;
}

static const char *text(const json_t *labels, const char *key)
{
	const char *value = json_string_value(json_object_get(labels, key));

	return value ? value : "absent";
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *member, const json_t *service,
		   const json_t *wanted, const char *key)
{
	const json_t *real = diag_json_object(service, "spec", "selector");
	struct diag_ref ref = diag_ref_of(service);
	struct diag_finding *finding =
		diag_check_find(ctx, ref, "Service %s selects %s=%s, but the pods of %s have %s",
				ref.name, key, text(real, key), workload->name, text(wanted, key));

	finding_about_workload(finding, workload);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	diag_finding_field(finding, ref, "spec.selector", "%s=%s", key, text(real, key));
	if (member->binding_count)
		finding_poke(finding, "capbind", workload->namespace_, member->bindings[0]->name);
}

static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		  const struct bindery_member *member)
{
	const json_t *service =
		diag_snapshot_get(ctx->snapshot, "services", workload->namespace_, member->service);
	json_auto_t *predicted = NULL;
	json_t *wanted;
	const char *key;

	/* A contested name has another owner's selector: that is told elsewhere (F43). */
	if (!service || workload->contested ||
	    !diag_str_eq(diag_json_str(service, "metadata", "labels", BINDERY_LABEL "module"),
			 member->module))
		return;
	predicted = bindery_service_object(workload, member);
	wanted = diag_json_object(predicted, "spec", "selector");
	key = difference(diag_json_object(service, "spec", "selector"), wanted);
	if (key &&
	    diag_workloads_backends(view_of(ctx)->workloads, workload->namespace_, member->service)
			    .ready == 0)
		report(ctx, workload, member, service, wanted, key);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			for (size_t i = 0; i < workload->member_count; i++)
				check(ctx, workload, &workload->members[i]);
	return DIAG_OK;
}

DIAG_CHECK(service_selector_mismatch) = {
	.id = "service.selector-mismatch",
	.title = "Services select the pods of their workload",
	.fault = "F70",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The Service has no endpoint although pods run.",
	.hint = "Annotate the module's binding: the operator writes the selector again.",
	.requires = DIAG_RESOURCES("services", "endpointslices.discovery.k8s.io",
				   "modulemanifests.bindery.platform", "booklets.bindery.platform",
				   "worldinstances.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
