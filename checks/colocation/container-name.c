/* F99: in a Pod group a container is named after its module, and container names are stricter. */
#include <string.h>

#include "checks/colocation/refused.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_refusal *refusal)
{
	const struct bindery_workload *workload = refusal->workload;
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_manifest(workload->namespace_, refusal->value),
		"group %s gets no Deployment: its containers are named after their modules, and %.70s "
		"%s",
		workload->group, refusal->value,
		strlen(refusal->value) > 63 ? "has more than 63 characters"
					    : "is no container name");

	diag_finding_discriminate(finding, workload->group);
	finding_about_refused_group(ctx, finding, refusal);
	diag_finding_related(finding, bindery_ref_booklet(workload->world));
	finding_at_spec(ctx, finding, refusal->member->manifest, NULL);
	diag_finding_edit(
		finding,
		"rename the module to at most 63 of a-z, 0-9 and hyphens, without dots, or "
		"take it out of group %s",
		workload->group);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p)
		for (size_t i = 0; i < p->refusal_count; i++)
			if (p->refusals[i].rule == BINDERY_REFUSED_CONTAINER &&
			    !was_refused_before(p, &p->refusals[i]))
				report(ctx, &p->refusals[i]);
	return DIAG_OK;
}

DIAG_CHECK(colocation_container_name) = {
	.id = "colocation.container-name",
	.title = "Modules of a Pod group have names that containers may have",
	.fault = "F99",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The Deployment is refused, so no module of the group runs.",
	.hint = "Rename the module.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform", "events"),
	.run = run,
};
