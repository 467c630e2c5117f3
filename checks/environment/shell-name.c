/* F49: the hyphens of a capability stay in the names of its variables, which no shell can read. */
#include <string.h>

#include "base/arena.h"
#include "bindery/names.h"

#include "checks/environment/dependencies.h"

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *member, const struct bindery_binding *dependency)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	const char *name = diag_arena_printf(arena, "BINDERY_CAPABILITY_%s_ENDPOINT",
					     bindery_name_env(arena, dependency->capability));
	struct diag_finding *finding = find_environment_fault(
		ctx, workload, member, dependency,
		"no shell script in %s can read the address of %s: a hyphen is in %s",
		member->module, dependency->capability, name);

	diag_finding_related(finding,
			     bindery_ref_manifest(dependency->namespace_, dependency->provider));
	diag_finding_field(finding,
			   diag_ref_make("Deployment", workload->namespace_, workload->name),
			   "spec.template", "env: %s", name);
	diag_finding_edit(finding,
			  "read %s through the process's environment (getenv), not in a shell, or "
			  "rename capability %s in %s and %s",
			  name, dependency->capability, dependency->provider, member->module);
}

/* Dependencies are sorted by capability: each is told once. */
static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		  const struct bindery_member *member)
{
	const char *told = "";

	for (size_t i = 0; i < member->dependency_count; i++) {
		const struct bindery_binding *dependency = member->dependencies[i];

		if (!strchr(dependency->capability, '-') || !is_injected(dependency) ||
		    strcmp(dependency->capability, told) == 0)
			continue;
		report(ctx, workload, member, dependency);
		told = dependency->capability;
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_consumer(ctx, check);
	return DIAG_OK;
}

DIAG_CHECK(environment_shell_name) = {
	.id = "environment.shell-name",
	.title = "Injected variables have names that a shell can read",
	.fault = "F49",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "A shell script in the module does not see the address of its dependency.",
	.hint = "Read the variable through the process's environment, or rename the capability.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform"),
	.run = run,
};
