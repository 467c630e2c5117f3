/* F37: the computed name of a Service has more than 63 characters, or is no Service name at all. */
#include <string.h>

#include "checks/support.h"

static bool was_reported(const struct bindery_prediction *p, const struct bindery_refusal *refusal)
{
	const struct bindery_refusal *other;

	for (other = p->refusals; other < refusal; other++)
		if (other->rule == refusal->rule && other->world == refusal->world &&
		    other->member->manifest == refusal->member->manifest)
			return true;
	return false;
}

/* How many characters world and module may have together. Source: section 3.2. */
static void add_limit(struct diag_finding *finding, const struct bindery_refusal *refusal)
{
	size_t over = strlen(refusal->name) - 63;

	if (strlen(refusal->name) > 63)
		diag_finding_edit(finding, "shorten the name of %smodule %s by %zu character%s",
				  refusal->world ? "the world or of " : "", refusal->member->module,
				  over, over == 1 ? "" : "s");
	else
		diag_finding_edit(finding, "rename the world or module %s",
				  refusal->member->module);
}

static void add_event(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		      const struct bindery_member *member)
{
	for (size_t i = 0; i < member->binding_count; i++) {
		struct diag_ref ref =
			diag_ref_make("CapabilityBinding", member->bindings[i]->namespace_,
				      member->bindings[i]->name);
		const json_t *event = newest_event(ctx, ref, "EnsureServiceFailed", NULL);

		diag_finding_related(finding, ref);
		if (event) {
			diag_finding_event(finding, event);
			return;
		}
	}
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_refusal *refusal)
{
	const struct bindery_member *member = refusal->member;
	struct diag_ref subject =
		bindery_ref_manifest(refusal->workload->namespace_, member->module);
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"%s gets no Service and no Deployment: the name %s has %zu characters, a Service may "
		"have 63",
		member->module, refusal->name, strlen(refusal->name));

	if (refusal->world) {
		diag_finding_discriminate(finding, refusal->world->name);
		finding_about_world(finding, refusal->world);
		diag_finding_needs(finding, "label", refusal->world->namespace_,
				   refusal->world->name);
	}
	finding_about_workload(finding, refusal->workload);
	finding_at_spec(ctx, finding, member->manifest, NULL);
	add_event(ctx, finding, member);
	add_limit(finding, refusal);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p)
		for (size_t i = 0; i < p->refusal_count; i++)
			if (p->refusals[i].rule == BINDERY_REFUSED_SERVICE_NAME &&
			    !was_reported(p, &p->refusals[i]))
				report(ctx, &p->refusals[i]);
	return DIAG_OK;
}

DIAG_CHECK(service_name_too_long) = {
	.id = "service.name-too-long",
	.title = "Computed Service names have at most 63 characters",
	.fault = "F37",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The Service is refused, and since it comes first, no Deployment is made either.",
	.hint = "Shorten the name of the world or of the module.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform", "events"),
	.run = run,
};
