/* F40: the API server refuses the Service: a webhook, a quota, a policy. */
#include <string.h>

#include "base/str.h"
#include "model/event.h"
#include "text/json.h"

#include "checks/support.h"

/* What comes after `Failed to ensure Service "NAME": `. */
static const char *reason_of(const char *message)
{
	const char *at = strstr(message, "\": ");

	return at ? at + 3 : message;
}

static bool is_refused(const struct diag_check_ctx *ctx, const struct bindery_member *member,
		       const struct bindery_binding *binding, const json_t **ret_event)
{
	const json_t *real = bindery_view_binding(view_of(ctx), binding);

	if (!real || bindery_binding_endpoint(real) || strlen(member->service) > 63)
		return false;
	*ret_event = newest_event(ctx, diag_ref_of(real), "EnsureServiceFailed", NULL);
	return *ret_event != NULL;
}

/* A finding of this check for the same reason: one webhook refuses many Services. */
static struct diag_finding *same_reason(const struct diag_check_ctx *ctx, const char *reason)
{
	size_t count;
	struct diag_finding *const *all = diag_findings_all(ctx->out, &count);

	for (size_t i = 0; i < count; i++)
		if (diag_str_eq(all[i]->check, ctx->check->id) && all[i]->evidence_count &&
		    diag_str_eq(reason_of(all[i]->evidence[0].value), reason))
			return all[i];
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *member, const struct bindery_binding *binding,
		   const json_t *event)
{
	const char *reason = reason_of(diag_event_message(event));
	struct diag_finding *finding = same_reason(ctx, reason);

	if (!finding) {
		finding = diag_check_find(
			ctx, diag_ref_make("CapabilityBinding", binding->namespace_, binding->name),
			"Service %s is refused by the API server: %s", member->service, reason);
		diag_finding_event(finding, event);
		if (strstr(reason, "failed calling webhook"))
			diag_finding_command(finding, "kubectl", "get",
					     "validatingwebhookconfigurations,"
					     "mutatingwebhookconfigurations",
					     NULL);
		else
			diag_finding_command(finding, "kubectl", "-n", binding->namespace_,
					     "describe", "capbind", binding->name, NULL);
	}
	diag_finding_related(finding,
			     diag_ref_make("Service", binding->namespace_, member->service));
	diag_finding_related(
		finding, diag_ref_make("CapabilityBinding", binding->namespace_, binding->name));
	finding_about_workload(finding, workload);
}

static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		  const struct bindery_member *member)
{
	for (size_t i = 0; i < member->binding_count; i++) {
		const json_t *event;

		if (!is_refused(ctx, member, member->bindings[i], &event))
			continue;
		report(ctx, workload, member, member->bindings[i], event);
		return;
	}
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

DIAG_CHECK(service_refused) = {
	.id = "service.refused",
	.title = "The API server takes the Services of workloads",
	.fault = "F40",
	.severity = DIAG_SEVERITY_ERROR,
	.impact =
		"The binding has no address, and since the Service comes first, no Deployment is made.",
	.hint = "Act on the API server's message.",
	.requires = DIAG_RESOURCES("events", "capabilitybindings.bindery.platform",
				   "worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.supplementary = true,
	.run = run,
};
