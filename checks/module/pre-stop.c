/* F67: the hook always runs through /bin/sh, which images without a shell do not have. */
#include <string.h>

#include "base/arena.h"
#include "model/event.h"

#include "checks/support.h"

/* Images that are known by name to hold no shell at /bin/sh. */
static bool has_no_shell(const char *image)
{
	return strstr(image, "distroless") || strstr(image, "/chainguard/static") ||
	       strstr(image, "/pause:");
}

/* The kubelet tells it about the pod that ends, which is gone by now: its name tells whose it was.
 */
static const json_t *failed_hook(const struct diag_check_ctx *ctx,
				 const struct bindery_workload *workload)
{
	const json_t *event;
	size_t length = strlen(workload->name);

	diag_snapshot_foreach(ctx->snapshot, "events", event) {
		struct diag_ref about = diag_event_object(event);

		if (strcmp(diag_event_reason(event), "FailedPreStopHook") == 0 && about.name &&
		    about.namespace_ && strcmp(about.namespace_, workload->namespace_) == 0 &&
		    strncmp(about.name, workload->name, length) == 0 && about.name[length] == '-')
			return event;
	}
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		   const struct bindery_member *member, const char *command, const json_t *event)
{
	struct diag_ref subject = bindery_ref_manifest(workload->namespace_, member->module);
	struct diag_finding *finding =
		event ? diag_check_find(ctx, subject, "the preStop command of %s fails",
					member->module)
		      : diag_check_find(ctx, subject,
					"the preStop command of %s needs /bin/sh, which image %s "
					"does not hold",
					member->module, member->image);

	diag_finding_discriminate(finding, workload->name);
	if (workload->world)
		finding_about_world(finding, workload->world);
	diag_finding_related(finding,
			     diag_ref_make("Deployment", workload->namespace_, workload->name));
	diag_finding_field(finding, subject, "spec.runtime", "preStopCommand: %s", command);
	diag_finding_field(finding, subject, "spec.runtime", "image: %s", member->image);
	if (event)
		diag_finding_event(finding, event);
	finding_at_spec(ctx, finding, member->manifest, "runtime");
	diag_finding_edit(finding,
			  "use an image with a shell and the command's tools, or remove "
			  "spec.runtime.preStopCommand of %s and let the process end on SIGTERM",
			  member->module);
}

static void check(const struct diag_check_ctx *ctx, const struct bindery_workload *workload,
		  const struct bindery_member *member)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	const char *command = bindery_manifest_pre_stop(arena, member->manifest);
	const json_t *event = command ? failed_hook(ctx, workload) : NULL;

	if (command && (event || has_no_shell(member->image)))
		report(ctx, workload, member, command, event);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;
	const struct bindery_workload *workload;

	foreach_prediction(ctx, p)
		foreach_workload(p, workload)
			for (size_t i = 0; workload->shard <= 0 && i < workload->member_count; i++)
				check(ctx, workload, &workload->members[i]);
	return DIAG_OK;
}

DIAG_CHECK(module_pre_stop) = {
	.id = "module.pre-stop",
	.title = "Commands before termination can run",
	.fault = "F67",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The module ends abruptly or late when a shard goes or a new version comes.",
	.hint = "Use an image with a shell.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform", "booklets.bindery.platform",
				   "modulemanifests.bindery.platform"),
	.enriches = DIAG_RESOURCES("realms.bindery.platform", "events"),
	.run = run,
};
