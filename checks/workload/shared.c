#include "checks/workload/shared.h"

#include "checks/support.h"

static bool is_global_pair(const struct bindery_workload *a, const struct bindery_workload *b)
{
	return a->global != b->global;
}

static const char *owner(const struct bindery_workload *workload)
{
	return workload->world ? workload->world->name : "the shared modules";
}

/* The world that has to be renamed: the one whose workload is not shared. */
static const struct bindery_world *world_of(const struct bindery_workload *a,
					    const struct bindery_workload *b)
{
	return a->world ? a->world : b->world;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *a,
		   const struct bindery_workload *b)
{
	const struct bindery_world *world = world_of(b, a);
	struct diag_finding *finding = diag_check_find(
		ctx, bindery_ref_world(world),
		"%s (module %s) and %s (module %s) compute one name for "
		"Service and Deployment: %s",
		owner(a), a->members[0].module, owner(b), b->members[0].module, a->name);

	diag_finding_discriminate(finding, a->name);
	diag_finding_related(finding, diag_ref_make("Deployment", a->namespace_, a->name));
	diag_finding_related(finding, diag_ref_make("Service", a->namespace_, a->name));
	if (a->world)
		finding_about_world(finding, a->world);
	if (b->world)
		finding_about_world(finding, b->world);
	finding_about_workload(finding, a);
	diag_finding_needs(finding, "name", a->namespace_, a->name);
	diag_finding_related(finding, bindery_ref_manifest(a->namespace_, a->members[0].module));
	diag_finding_related(finding, bindery_ref_manifest(b->namespace_, b->members[0].module));
	finding_at_spec(ctx, finding, world->object, NULL);
	diag_finding_edit(finding, "rename world %s or one of the two modules", world->name);
}

void report_shared_names(const struct diag_check_ctx *ctx, bool global)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			if (workload->rival && is_global_pair(workload, workload->rival) == global)
				report(ctx, workload, workload->rival);
}
