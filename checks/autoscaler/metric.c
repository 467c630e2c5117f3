/*
 * F89: a metric counts only with type Resource, a resource of the metrics API and a target, and
 * only over pods that request that resource. The operator sets no requests.
 */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "text/json.h"

#include "checks/autoscaler/autoscalers.h"

/* A default that a LimitRange gives to containers becomes their request. */
static bool limit_range_sets(const json_t *range, const char *resource)
{
	static const char *const fields[] = { "defaultRequest", "default", "max", "min" };
	const json_t *limit;
	size_t i;

	json_array_foreach(diag_json_array(range, "spec", "limits"), i, limit) {
		if (!diag_str_eq(diag_json_str(limit, "type"), "Container"))
			continue;
		for (size_t f = 0; f < DIAG_ARRAY_SIZE(fields); f++)
			if (diag_json_get(limit, fields[f], resource))
				return true;
	}
	return false;
}

static bool has_default(const struct diag_check_ctx *ctx, const char *namespace_,
			const char *resource)
{
	const json_t *range;

	diag_snapshot_foreach(ctx->snapshot, "limitranges", range) {
		if (diag_str_eq(diag_ref_of(range).namespace_, namespace_) &&
		    limit_range_sets(range, resource))
			return true;
	}
	return false;
}

static bool pod_requests(const json_t *pod, const char *resource)
{
	const json_t *container;
	size_t i;

	json_array_foreach(diag_json_array(pod, "spec", "containers"), i, container) {
		if (diag_json_get(container, "resources", "requests", resource))
			return true;
	}
	return false;
}

/* Whether any pod of the world requests the resource; `*ret_pods` counts them all. */
static bool world_requests(const struct diag_check_ctx *ctx, const char *namespace_,
			   const char *world, const char *resource, size_t *ret_pods)
{
	const json_t *pod;

	*ret_pods = 0;
	diag_snapshot_foreach(ctx->snapshot, "pods", pod) {
		if (!diag_str_eq(diag_ref_of(pod).namespace_, namespace_) ||
		    !diag_str_eq(diag_json_str(pod, "metadata", "labels", BINDERY_LABEL "world"),
				 world))
			continue;
		++*ret_pods;
		if (pod_requests(pod, resource))
			return true;
	}
	return false;
}

/* Known only where pods or LimitRanges could be seen. */
static bool lacks_requests(const struct diag_check_ctx *ctx, const json_t *autoscaler,
			   const char *resource)
{
	const char *namespace_ = diag_ref_of(autoscaler).namespace_;
	size_t pods;

	if (has_default(ctx, namespace_, resource) ||
	    world_requests(ctx, namespace_, autoscaler_world(autoscaler), resource, &pods))
		return false;
	return pods > 0 || diag_snapshot_is_predicted(ctx->snapshot) ||
	       diag_snapshot_has(ctx->snapshot, "limitranges", namespace_);
}

/* Why a metric says nothing, or NULL. */
static const char *flaw(const struct diag_check_ctx *ctx, const json_t *autoscaler,
			const json_t *metric)
{
	const char *resource = diag_json_str(metric, "resource", "name");

	if (!diag_str_eq(diag_json_str(metric, "type"), "Resource"))
		return "its type is not Resource";
	if (!json_is_object(json_object_get(metric, "resource")))
		return "it has no resource";
	if (!diag_str_in(resource, "cpu", "memory", NULL))
		return "its resource is neither cpu nor memory";
	if (!diag_json_get(metric, "resource", "targetAverageUtilization"))
		return "it has no targetAverageUtilization";
	return lacks_requests(ctx, autoscaler, resource)
		       ? "the pods of the world request none of it, and the operator sets no requests"
		       : NULL;
}

static void add_remedy(struct diag_finding *finding, const json_t *autoscaler, const json_t *metric,
		       const char *why, size_t index)
{
	const char *resource = diag_json_str(metric, "resource", "name");

	if (strstr(why, "request"))
		diag_finding_edit(finding,
				  "add a LimitRange of type Container with defaultRequest.%s to "
				  "namespace %s; it holds for pods made after it",
				  resource, diag_ref_of(autoscaler).namespace_);
	else
		diag_finding_edit(
			finding,
			"write spec.metrics[%zu] of ShardAutoscaler %s as type: Resource, "
			"resource: {name: cpu, targetAverageUtilization: 80}",
			index, diag_ref_of(autoscaler).name);
}

static void report(const struct diag_check_ctx *ctx, const json_t *autoscaler, size_t index,
		   const char *why)
{
	struct diag_ref ref = diag_ref_of(autoscaler);
	const json_t *metrics = diag_json_array(autoscaler, "spec", "metrics");
	const json_t *metric = json_array_get(metrics, index);
	const char *resource = diag_json_str(metric, "resource", "name");
	struct diag_finding *finding =
		diag_check_find(ctx, ref, "metric %s of autoscaler %s has no effect: %s",
				resource ? resource : "without a name", ref.name, why);
	char number[24];

	snprintf(number, sizeof(number), "%zu", index);
	diag_finding_discriminate(finding, number);
	finding_about_target(finding, autoscaler);
	diag_finding_field(finding, ref, "spec.metrics", "[%zu]: %s", index, why);
	diag_finding_at_line(finding, diag_snapshot_position_index(ctx->snapshot, metrics, index));
	finding_at_spec(ctx, finding, autoscaler, "metrics");
	add_remedy(finding, autoscaler, metric, why, index);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const json_t *autoscaler, *metric;
	size_t i;

	diag_snapshot_foreach(ctx->snapshot, "shardautoscalers.bindery.platform", autoscaler) {
		json_array_foreach(diag_json_array(autoscaler, "spec", "metrics"), i, metric) {
			const char *why = flaw(ctx, autoscaler, metric);

			if (why)
				report(ctx, autoscaler, i, why);
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(autoscaler_metric) = {
	.id = "autoscaler.metric",
	.title = "Metrics of autoscalers have an effect",
	.fault = "F89",
	.severity = DIAG_SEVERITY_WARNING,
	.impact = "The number of shards does not follow the load.",
	.hint = "Give the pods requests through a LimitRange, and write the metric in full.",
	.requires = DIAG_RESOURCES("shardautoscalers.bindery.platform"),
	.enriches = DIAG_RESOURCES("pods", "limitranges", "worldinstances.bindery.platform"),
	.run = run,
};
