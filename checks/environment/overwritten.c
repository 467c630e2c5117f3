/* F50: neither scope nor provider is in the name of a variable: of two dependencies with one
 * capability the last one wins. */
#include <string.h>

#include "checks/environment/dependencies.h"

static const char *where(const struct bindery_binding *binding)
{
	return binding->member->service;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *member, const struct bindery_binding *lost,
		   const struct bindery_binding *won)
{
	struct diag_finding *finding = find_environment_fault(
		ctx, workload, member, won,
		"%s depends on %s of %s (scope %s) and of %s (scope %s), and sees only the address of "
		"%s",
		member->module, won->capability, lost->provider, lost->scope, won->provider,
		won->scope, where(won));

	diag_finding_related(finding, bindery_ref_manifest(lost->namespace_, lost->provider));
	diag_finding_related(finding, bindery_ref_manifest(won->namespace_, won->provider));
	diag_finding_related(finding,
			     diag_ref_make("CapabilityBinding", lost->namespace_, lost->name));
	diag_finding_related(finding,
			     diag_ref_make("CapabilityBinding", won->namespace_, won->name));
	diag_finding_note(finding, "%s:%lld is overwritten by %s:%lld", where(lost),
			  (long long)lost->member->port, where(won), (long long)won->member->port);
	diag_finding_edit(finding, "keep one requirement for %s in %s", won->capability,
			  member->module);
}

static bool is_address(const struct bindery_binding *dependency)
{
	/* Root bindings count as dependencies of a module named like its world: F53 tells that. */
	return is_injected(dependency) && !dependency->root;
}

/* Contenders for one binding name take turns (F27, F28): only one of them is there. */
static bool competes(const struct bindery_binding *a, const struct bindery_binding *b)
{
	return strcmp(a->capability, b->capability) == 0 && strcmp(a->name, b->name) != 0 &&
	       (strcmp(where(a), where(b)) != 0 || a->member->port != b->member->port);
}

/* Dependencies are sorted by capability, in the order in which they are injected. */
static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		  const struct bindery_member *member)
{
	const struct bindery_binding *before = NULL;

	for (size_t i = 0; i < member->dependency_count; i++) {
		const struct bindery_binding *dependency = member->dependencies[i];

		if (!is_address(dependency))
			continue;
		if (before && competes(before, dependency))
			report(ctx, workload, member, before, dependency);
		before = dependency;
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_consumer(ctx, check);
	return DIAG_OK;
}

DIAG_CHECK(environment_overwritten) = {
	.id = "environment.overwritten",
	.title = "Each injected variable has one value",
	.fault = "F50",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module connects to one of its providers where it means the other.",
	.hint = "Require the capability once.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
