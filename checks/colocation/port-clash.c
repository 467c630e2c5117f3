/* F97: modules of one Pod group share a network namespace: equal ports clash. */
#include <inttypes.h>

#include "checks/support.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *a, const struct bindery_member *b)
{
	struct diag_finding *finding =
		diag_check_find(ctx, bindery_ref_booklet(workload->world),
				"%s and %s share a pod (group %s) and both listen on port %" PRId64,
				a->module, b->module, workload->group, a->port);

	diag_finding_discriminate(finding, workload->group);
	finding_about_workload(finding, workload);
	diag_finding_at(finding, "group", workload->namespace_, workload->name);
	diag_finding_related(finding, bindery_ref_world(workload->world));
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	diag_finding_related(finding, bindery_ref_manifest(workload->namespace_, a->module));
	diag_finding_related(finding, bindery_ref_manifest(workload->namespace_, b->module));
	finding_at_spec(ctx, finding, workload->world->booklet->object, "colocation");
	diag_finding_edit(finding,
			  "give %s another spec.runtime.port, and let its process listen there",
			  b->module);
}

/* The first two members with equal ports. */
static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload)
{
	for (size_t i = 1; i < workload->member_count; i++) {
		for (size_t j = 0; j < i; j++) {
			if (workload->members[i].port != workload->members[j].port)
				continue;
			report(ctx, workload, &workload->members[j], &workload->members[i]);
			return;
		}
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			if (workload->strategy == BINDERY_GROUP_POD && workload->shard <= 0)
				check(ctx, workload);
	return DIAG_OK;
}

DIAG_CHECK(colocation_port_clash) = {
	.id = "colocation.port-clash",
	.title = "Modules that share a pod listen on different ports",
	.fault = "F97",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "One container crash-loops, and both Services reach whichever bound first.",
	.hint = "Give each module of the group its own port.",
	.requires = DIAG_RESOURCES("booklets.bindery.platform", "modulemanifests.bindery.platform",
				   "worldinstances.bindery.platform"),
	.run = run,
};
