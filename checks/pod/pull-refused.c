/* K14: the registry wants a login, or refuses the one that it gets. */
#include "text/json.h"

#include "checks/pod/pods.h"

/* Which credentials the kubelet had: the secrets that the pod names, and whether they exist. */
static void explain(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		    const json_t *pod)
{
	struct diag_ref ref = diag_ref_of(pod);
	const json_t *secrets = diag_json_array(pod, "spec", "imagePullSecrets");
	const json_t *secret;
	size_t i;

	if (!json_array_size(secrets))
		diag_finding_field(finding, ref, "spec.imagePullSecrets", "none");
	json_array_foreach(secrets, i, secret) {
		const char *name = diag_json_str(secret, "name");
		bool absent = name && diag_snapshot_has(ctx->snapshot, "secrets", ref.namespace_) &&
			      !diag_snapshot_get(ctx->snapshot, "secrets", ref.namespace_, name);

		if (name)
			diag_finding_field(finding, ref, "spec.imagePullSecrets", "%s%s", name,
					   absent ? ", which does not exist" : "");
	}
}

static void report(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	const char *refusal = pull_refusal(ctx, found);
	const char *account = diag_json_str(found->pod, "spec", "serviceAccountName");
	struct diag_finding *finding;

	if (!refusal)
		return;
	finding = diag_check_find(ctx, workload_subject(found),
				  "%s cannot start: the registry refuses to give image %s to the "
				  "cluster",
				  found->runtime->name, asked_image(found));
	finding_about_pod(finding, found);
	diag_finding_field(finding, diag_ref_of(found->pod), "status.containerStatuses", "%s: %s",
			   found->state.reason ? found->state.reason : "", refusal);
	diag_finding_field(finding, diag_ref_of(found->pod), "spec.containers[].image", "%s",
			   asked_image(found));
	explain(ctx, finding, found->pod);
	diag_finding_edit(finding,
			  "make a pull secret for the registry and add it to imagePullSecrets of "
			  "service account %s: the operator sets none",
			  account ? account : "default");
	diag_finding_command(finding, "kubectl", "-n", found->runtime->namespace_, "get",
			     "serviceaccount", account ? account : "default", "-o", "yaml", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	each_troubled_pod(ctx, DIAG_POD_IMAGE, report);
	return DIAG_OK;
}

DIAG_CHECK(pod_pull_refused) = {
	.id = "pod.pull-refused",
	.title = "Registries give the images of modules",
	.fault = "K14",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The module never starts, and what waits for it does not either.",
	.hint = "Give the service account a pull secret that the registry takes.",
	.requires = DIAG_RESOURCES("pods", "deployments.apps", "replicasets.apps"),
	.enriches = DIAG_RESOURCES("events", "secrets"),
	.run = run,
};
