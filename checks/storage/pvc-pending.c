/* F73: a world's claim is not bound: no class, no provisioner, no capacity. */
#include "base/str.h"
#include "model/event.h"
#include "text/json.h"

#include "checks/storage/storage.h"

static const json_t *default_class(const struct diag_check_ctx *ctx)
{
	const json_t *class;
	size_t i;

	json_array_foreach(diag_snapshot_list(ctx->snapshot, "storageclasses.storage.k8s.io"), i,
			   class) {
		if (diag_str_eq(diag_json_str(class, "metadata", "annotations",
					      "storageclass.kubernetes.io/is-default-class"),
				"true"))
			return class;
	}
	return NULL;
}

static const json_t *class_of(const struct diag_check_ctx *ctx, const json_t *claim)
{
	const char *name = diag_json_str(claim, "spec", "storageClassName");

	return name ? diag_snapshot_get(ctx->snapshot, "storageclasses.storage.k8s.io", NULL, name)
		    : default_class(ctx);
}

/* What is known of the reason. */
static void explain(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		    const json_t *claim)
{
	const char *name = diag_json_str(claim, "spec", "storageClassName");
	const json_t *event = newest_event(ctx, diag_ref_of(claim), "ProvisioningFailed", NULL);

	if (event)
		diag_finding_event(finding, event);
	if (!diag_snapshot_has(ctx->snapshot, "storageclasses.storage.k8s.io", NULL))
		return;
	if (!name && !default_class(ctx)) {
		diag_finding_note(finding,
				  "the claim names no class, and the cluster has no default "
				  "StorageClass");
		diag_finding_edit(finding, "mark a StorageClass as default, or set the operator's "
					   "BINDERY_STORAGECLASS_* variables");
	} else if (name && !class_of(ctx, claim)) {
		diag_finding_note(finding, "there is no StorageClass %s", name);
		diag_finding_edit(finding,
				  "create StorageClass %s, or correct the operator's "
				  "BINDERY_STORAGECLASS_* variables",
				  name);
	}
}

static void report(const struct diag_check_ctx *ctx, const json_t *claim)
{
	struct diag_ref ref = diag_ref_of(claim);
	const char *name = diag_json_str(claim, "spec", "storageClassName");
	const char *world = diag_json_str(claim, "metadata", "labels", BINDERY_LABEL "world");
	struct diag_finding *finding =
		diag_check_find(ctx, ref, "claim %s is not bound; its class is %s", ref.name,
				name ? name : "the cluster's default");

	diag_finding_at(finding, "pvc", ref.namespace_, ref.name);
	diag_finding_at(finding, "world", ref.namespace_, world);
	diag_finding_field(finding, ref, "status.phase", "Pending");
	explain(ctx, finding, claim);
	diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "describe", "pvc", ref.name,
			     NULL);
}

/* With WaitForFirstConsumer a claim is bound only once its pod has a node. */
static bool waits_for_its_pod(const struct diag_check_ctx *ctx, const json_t *claim)
{
	return diag_str_eq(diag_json_str(class_of(ctx, claim), "volumeBindingMode"),
			   "WaitForFirstConsumer");
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *claim;

	diag_snapshot_foreach(ctx->snapshot, "persistentvolumeclaims", claim) {
		if (!diag_json_str(claim, "metadata", "labels", BINDERY_LABEL "world") ||
		    !diag_str_eq(diag_json_str(claim, "status", "phase"), "Pending") ||
		    waits_for_its_pod(ctx, claim))
			continue;
		if (diag_check_is_young(ctx, diag_created_at(claim)))
			diag_check_progress(ctx, diag_ref_of(claim), "not bound yet");
		else
			report(ctx, claim);
	}
	return DIAG_OK;
}

DIAG_CHECK(storage_pvc_pending) = {
	.id = "storage.pvc-pending",
	.title = "Claims of worlds are bound",
	.fault = "F73",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The pods that mount the claim cannot be scheduled.",
	.hint = "Create the class or its provisioner, or choose another for the operator.",
	.requires = DIAG_RESOURCES("persistentvolumeclaims"),
	.enriches = DIAG_RESOURCES("storageclasses.storage.k8s.io", "events"),
	.run = run,
};
