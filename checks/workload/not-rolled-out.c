/* F41: the manifest changed, and the Deployment did not follow: manifests do not trigger the
 * operator. */
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/timestamp.h"
#include "bindery/objects.h"
#include "text/json.h"

#include "checks/actor.h"
#include "checks/pod/pods.h"

static const json_t *container_named(const json_t *deployment, const char *name)
{
	return diag_json_named(
		diag_json_array(deployment, "spec", "template", "spec", "containers"), name);
}

static int64_t port_of(const json_t *container)
{
	return diag_json_int(json_array_get(diag_json_array(container, "ports"), 0), 0,
			     "containerPort");
}

/* Another tool's redaction hides different parts of the two: they cannot be compared. */
static bool is_masked(const json_t *value)
{
	char *text = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
	bool masked = text && strstr(text, "***HIDDEN***");

	free(text);
	return masked;
}

/* The first field in which the real container differs from the manifest's. Environment is left
 * aside: addresses come and go with the providers. */
static const char *difference(const json_t *real, const json_t *wanted)
{
	static const char *const fields[] = { "image", "command", "args" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(fields); i++) {
		json_t *is = json_object_get(real, fields[i]);
		json_t *should = json_object_get(wanted, fields[i]);

		if ((is || should) && !json_equal(is, should) && !is_masked(is) &&
		    !is_masked(should))
			return fields[i];
	}
	return port_of(real) == port_of(wanted) ? NULL : "ports";
}

static const char *text_of(const json_t *container, const char *field)
{
	const char *text = diag_json_str(container, field);

	return text ? text : "another value";
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		   const struct bindery_member *member, const json_t *real, const json_t *wanted,
		   const char *field)
{
	struct diag_ref deployment =
		diag_ref_make("Deployment", runtime->namespace_, runtime->name);
	struct diag_finding *finding = diag_check_find(
		ctx, deployment, "%s has not followed ModuleManifest %s: its %s differs",
		runtime->name, member->module, field);

	finding_about_runtime(finding, runtime);
	diag_finding_discriminate(finding, member->module);
	diag_finding_related(finding, bindery_ref_manifest(runtime->namespace_, member->module));
	diag_finding_field(finding, deployment, "spec.template", "%s: %s", field,
			   text_of(real, field));
	diag_finding_field(finding, bindery_ref_manifest(runtime->namespace_, member->module),
			   "spec.runtime", "%s: %s", field, text_of(wanted, field));
	finding_actor(ctx, finding, deployment);
	finding_roll_out(finding, runtime);
}

/* A changed version changes the binding, and that triggers the operator: it may just be on its way.
 * Any other change triggers nothing, however young it is. */
static bool is_on_its_way(const struct diag_check_ctx *ctx, const struct bindery_member *member)
{
	bool same_version = true;
	const json_t *entry;
	size_t i;

	for (i = 0; i < member->binding_count; i++) {
		const json_t *binding = bindery_view_binding(view_of(ctx), member->bindings[i]);
		const char *version =
			diag_json_str(binding, "spec", "provider", "capabilityVersion");

		same_version &= binding &&
				diag_str_eq(version ? version : "", member->bindings[i]->version);
	}
	if (same_version)
		return false;
	json_array_foreach(diag_json_array(member->manifest, "metadata", "managedFields"), i,
			   entry) {
		if (diag_check_is_young(ctx, diag_time_parse(diag_json_str(entry, "time"))))
			return true;
	}
	return false;
}

static void check(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime)
{
	const struct bindery_workload *predicted = runtime->predicted;
	json_auto_t *deployment = bindery_deployment_object(predicted);

	for (size_t i = 0; i < predicted->member_count; i++) {
		const struct bindery_member *member = &predicted->members[i];
		const char *name =
			predicted->strategy == BINDERY_GROUP_POD ? member->module : "module";
		const json_t *real = container_named(runtime->real->deployment, name);
		const json_t *wanted = container_named(deployment, name);
		const char *field = real ? difference(real, wanted) : NULL;

		if (field && !is_on_its_way(ctx, member))
			report(ctx, runtime, member, real, wanted, field);
	}
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_runtime *runtime;

	/* A contested one may show what a rival of its name asks for (F43). */
	foreach_runtime(ctx, runtime)
		if (runtime->predicted && !runtime->predicted->contested)
			check(ctx, runtime);
	return DIAG_OK;
}

DIAG_CHECK(workload_not_rolled_out) = {
	.id = "workload.not-rolled-out",
	.title = "Deployments follow their ModuleManifest",
	.fault = "F41",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The new image, command or port has no effect.",
	.hint = "Annotate the binding, or raise the version that the binding carries.",
	.requires = DIAG_RESOURCES("deployments.apps", "worldinstances.bindery.platform",
				   "booklets.bindery.platform", "modulemanifests.bindery.platform",
				   "realms.bindery.platform"),
	.run = run,
};
