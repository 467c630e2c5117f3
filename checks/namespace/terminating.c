/* K08: a namespace with worlds is being deleted, and something in it does not go. */
#include "base/str.h"
#include "base/timestamp.h"
#include "model/condition.h"
#include "text/json.h"

#include "checks/support.h"

/* What the namespace controller says is in the way; each is there with status True only then. */
static const char *const obstacles[] = {
	"NamespaceFinalizersRemaining",
	"NamespaceContentRemaining",
	"NamespaceDeletionContentFailure",
	"NamespaceDeletionDiscoveryFailure",
	"NamespaceDeletionGroupVersionParsingFailure",
};

static void report(const struct diag_check_ctx *ctx, const json_t *namespace_)
{
	struct diag_ref ref = diag_ref_of(namespace_);
	const char *since = diag_json_str(namespace_, "metadata", "deletionTimestamp");
	struct diag_finding *finding =
		diag_check_find(ctx, ref, "namespace %s is being deleted since %s and does not go",
				ref.name, since);

	diag_finding_at(finding, "namespace", NULL, ref.name);
	diag_finding_needs(finding, "namespace", NULL, ref.name);
	diag_finding_field(finding, ref, "status.phase", "Terminating");
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(obstacles); i++) {
		const char *message =
			diag_json_str(diag_condition(namespace_, obstacles[i]), "message");

		if (message && diag_condition_is(namespace_, obstacles[i], "True"))
			diag_finding_field(finding, ref, "status.conditions", "%s: %s",
					   obstacles[i], message);
	}
	diag_finding_edit(finding,
			  "remove what is left; nothing can be made in the namespace again "
			  "until it is gone");
	diag_finding_command(finding, "kubectl", "get", "namespace", ref.name, "-o", "yaml", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	size_t count;
	const char *const *names = diag_snapshot_namespaces(ctx->snapshot, &count);

	for (size_t i = 0; i < count; i++) {
		const json_t *namespace_ =
			diag_snapshot_get(ctx->snapshot, "namespaces", NULL, names[i]);

		if (!bindery_is_deleting(namespace_) ||
		    !diag_str_eq(diag_json_str(namespace_, "status", "phase"), "Terminating") ||
		    !bindery_view_prediction(view_of(ctx), names[i]))
			continue;
		if (diag_check_is_young(ctx, diag_time_parse(diag_json_str(namespace_, "metadata",
									   "deletionTimestamp"))))
			diag_check_progress(ctx, diag_ref_of(namespace_), "being deleted");
		else
			report(ctx, namespace_);
	}
	return DIAG_OK;
}

DIAG_CHECK(namespace_terminating) = {
	.id = "namespace.terminating",
	.title = "Namespaces of worlds are not being deleted",
	.fault = "K08",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Nothing can be made in the namespace, and its worlds go away.",
	.hint = "Find what is left in the namespace and who should remove it.",
	.requires = DIAG_RESOURCES("namespaces"),
	.supplementary = true,
	.run = run,
};
