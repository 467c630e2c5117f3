#include "checks/workload/published.h"

#include "base/str.h"
#include "model/condition.h"
#include "text/json.h"

const json_t *publishing_binding(const struct diag_check_ctx *ctx, const char *namespace_,
				 const char *service)
{
	return bindery_view_publisher(view_of(ctx), namespace_, service);
}

const json_t *publishing_binding_of(const struct diag_check_ctx *ctx,
				    const struct bindery_runtime *runtime, const char **ret_service)
{
	const struct bindery_workload *predicted = runtime->predicted;

	*ret_service = runtime->name;
	for (size_t i = 0; predicted && i < predicted->member_count; i++) {
		const json_t *binding =
			publishing_binding(ctx, runtime->namespace_, predicted->members[i].service);

		*ret_service = predicted->members[i].service;
		if (binding)
			return binding;
	}
	/* Without Pod colocation Service and Deployment have one name. */
	return predicted ? NULL : publishing_binding(ctx, runtime->namespace_, runtime->name);
}

int64_t unavailable_since(const struct bindery_runtime *runtime)
{
	const json_t *deployment = runtime->real->deployment;
	int64_t created = diag_created_at(deployment);
	int64_t changed = diag_condition_time(diag_condition(deployment, "Available"));

	return DIAG_MAX(created, changed);
}
