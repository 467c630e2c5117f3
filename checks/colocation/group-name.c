/* F102: a group's name becomes a label value, and is otherwise free text. */
#include <string.h>

#include "checks/colocation/refused.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_refusal *refusal)
{
	const struct bindery_workload *workload = refusal->workload;
	bool pod = workload->strategy == BINDERY_GROUP_POD;
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_booklet(workload->world),
		"the modules of group '%.70s' get no %sDeployment: the group's name is used as a "
		"label, and %s",
		refusal->value, pod ? "Service and no " : "",
		strlen(refusal->value) > 63 ? "has more than 63 characters" : "is no label value");

	diag_finding_discriminate(finding, refusal->value);
	finding_about_refused_group(ctx, finding, refusal);
	diag_finding_field(finding, bindery_ref_booklet(workload->world), "spec.colocation",
			   "name: %s", refusal->value);
	diag_finding_at_line(finding, diag_snapshot_position_key(
					      ctx->snapshot, workload->colocation->object, "name"));
	finding_at_spec(ctx, finding, workload->world->booklet->object, "colocation");
	diag_finding_edit(finding,
			  "in Booklet %s, give spec.colocation[%zu] a name of at most 63 letters, "
			  "digits and -_. with a letter or digit at both ends",
			  workload->world->booklet->name, workload->colocation->index);
}

static bool is_ours(const struct bindery_refusal *refusal)
{
	return refusal->rule == BINDERY_REFUSED_LABEL && refusal->workload &&
	       refusal->workload->colocation &&
	       strcmp(refusal->label, BINDERY_LABEL "coloc-group") == 0;
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p)
		for (size_t i = 0; i < p->refusal_count; i++)
			if (is_ours(&p->refusals[i]) && !was_refused_before(p, &p->refusals[i]))
				report(ctx, &p->refusals[i]);
	return DIAG_OK;
}

DIAG_CHECK(colocation_group_name) = {
	.id = "colocation.group-name",
	.title = "Names of colocation groups are label values",
	.fault = "F102",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "No module of the group runs.",
	.hint = "Rename the group.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform", "events"),
	.run = run,
};
