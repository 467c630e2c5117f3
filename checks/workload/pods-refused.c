/* F65: the API server refuses the workload's pods: quota, admission, a PriorityClass that is not
 * there. */
#include <string.h>

#include "model/condition.h"
#include "text/json.h"

#include "checks/actor.h"
#include "checks/pod/pods.h"

/* "exceeded quota: NAME," and "failed quota: NAME:" name the object to change. */
static size_t quota_name(const char *message, const char **ret_name)
{
	const char *at = strstr(message, "quota: ");

	if (!at)
		return 0;
	*ret_name = at + strlen("quota: ");
	return strcspn(*ret_name, ":, ");
}

/* What comes after the name of the pod, which is another each time. */
static const char *reason_of(const char *message)
{
	const char *at = strstr(message, " is forbidden: ");

	return at ? at + strlen(" is forbidden: ") : message;
}

static struct diag_ref subject_of(const struct bindery_runtime *runtime, const char *message,
				  char *name, size_t size)
{
	const char *quota;
	size_t length = quota_name(message, &quota);

	if (length && length < size) {
		memcpy(name, quota, length);
		name[length] = '\0';
		return diag_ref_make("ResourceQuota", runtime->namespace_, name);
	}
	if (runtime->predicted && runtime->predicted->member_count)
		return bindery_ref_manifest(runtime->namespace_,
					    runtime->predicted->members[0].module);
	return diag_ref_make("Deployment", runtime->namespace_, runtime->name);
}

/* One quota that refuses many workloads is one finding. */
static struct diag_finding *same_subject(const struct diag_check_ctx *ctx, struct diag_ref subject)
{
	size_t count;
	struct diag_finding *const *all = diag_findings_all(ctx->out, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(all[i]->check, ctx->check->id) == 0 &&
		    diag_ref_eq(all[i]->subject, subject))
			return all[i];
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		   const char *message)
{
	char name[254];
	struct diag_ref subject = subject_of(runtime, message, name, sizeof(name));
	struct diag_finding *finding = same_subject(ctx, subject);

	if (!finding) {
		finding = diag_check_find(ctx, subject, "the pods of %s are refused: %s",
					  runtime->name, reason_of(message));
		diag_finding_field(finding,
				   diag_ref_make("Deployment", runtime->namespace_, runtime->name),
				   "status.conditions[ReplicaFailure]", "%s", message);
		finding_actor(ctx, finding, diag_ref_make("Pod", runtime->namespace_, NULL));
		if (strstr(message, "must specify"))
			diag_finding_edit(finding, "give the namespace a LimitRange with default "
						   "requests and limits: the operator sets none");
		else if (strstr(message, "PriorityClass"))
			diag_finding_edit(finding, "create the PriorityClass, or correct "
						   "spec.scheduling.priorityClassName of the "
						   "ModuleManifest");
		diag_finding_command(finding, "kubectl", "-n", runtime->namespace_, "describe",
				     "replicaset", "-l",
				     "bindery.platform/managed-by=runtimeorchestrator", NULL);
	}
	finding_about_runtime(finding, runtime);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_runtime *runtime;

	foreach_runtime(ctx, runtime) {
		const json_t *condition =
			diag_condition(runtime->real->deployment, "ReplicaFailure");
		const char *message = diag_json_str(condition, "message");

		if (diag_condition_is(runtime->real->deployment, "ReplicaFailure", "True") &&
		    !diag_workload_is_healthy(runtime->real))
			report(ctx, runtime, message ? message : "no reason given");
	}
	return DIAG_OK;
}

DIAG_CHECK(workload_pods_refused) = {
	.id = "workload.pods-refused",
	.title = "The API server takes the pods of workloads",
	.fault = "F65",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The Deployment exists, and no pod does.",
	.hint = "Act on the refusal: quota, LimitRange, policy, PriorityClass.",
	.requires = DIAG_RESOURCES("deployments.apps"),
	.enriches = DIAG_RESOURCES("modulemanifests.bindery.platform"),
	.run = run,
};
