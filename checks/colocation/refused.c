#include "checks/colocation/refused.h"

#include <string.h>

/* The API server's own words, on whichever binding of the member carries them. */
static void add_event(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		      const struct bindery_member *member)
{
	static const char *const reasons[] = { "EnsureDeploymentFailed", "EnsureServiceFailed" };

	for (size_t i = 0; i < member->binding_count; i++) {
		struct diag_ref ref =
			diag_ref_make("CapabilityBinding", member->bindings[i]->namespace_,
				      member->bindings[i]->name);

		for (size_t r = 0; r < DIAG_ARRAY_SIZE(reasons); r++) {
			const json_t *event = newest_event(ctx, ref, reasons[r], "Invalid value");

			if (!event)
				continue;
			diag_finding_related(finding, ref);
			diag_finding_event(finding, event);
			return;
		}
	}
}

static bool is_same(const struct bindery_refusal *a, const struct bindery_refusal *b)
{
	return a->rule == b->rule && a->workload &&
	       a->workload->colocation == b->workload->colocation &&
	       strcmp(a->value, b->value) == 0;
}

static void add_workload(struct diag_finding *finding, const struct bindery_workload *workload)
{
	finding_about_workload(finding, workload);
	diag_finding_at(finding, "group", workload->namespace_, workload->name);
	for (size_t i = 0; i < workload->member_count; i++)
		for (size_t b = 0; b < workload->members[i].binding_count; b++)
			diag_finding_at(finding, "binding", workload->namespace_,
					workload->members[i].bindings[b]->name);
}

void finding_about_refused_group(const struct diag_check_ctx *ctx, struct diag_finding *finding,
				 const struct bindery_refusal *refusal)
{
	const struct bindery_workload *workload = refusal->workload;
	const struct bindery_prediction *p =
		bindery_view_prediction(view_of(ctx), workload->namespace_);

	for (size_t i = 0; i < p->refusal_count; i++)
		if (is_same(&p->refusals[i], refusal))
			add_workload(finding, p->refusals[i].workload);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	if (workload->world)
		diag_finding_related(finding, bindery_ref_world(workload->world));
	add_event(ctx, finding, refusal->member);
}

bool was_refused_before(const struct bindery_prediction *p, const struct bindery_refusal *refusal)
{
	const struct bindery_refusal *other;

	for (other = p->refusals; other < refusal; other++)
		if (is_same(other, refusal))
			return true;
	return false;
}
