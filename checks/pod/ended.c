#include "checks/pod/ended.h"

#include "base/str.h"

/* The replacement has its own story, unless it is only that there is no room. */
static bool has_other_story(const struct diag_workload *workload)
{
	for (size_t i = 0; i < workload->pod_count; i++) {
		enum diag_pod_trouble trouble = diag_pod_state(workload->pods[i]).trouble;

		if (trouble != DIAG_POD_EVICTED && trouble != DIAG_POD_UNSCHEDULABLE)
			return true;
	}
	return false;
}

void each_ended_pod(const struct diag_check_ctx *ctx, const char *reason,
		    void (*report)(const struct diag_check_ctx *ctx,
				   const struct troubled_pod *found))
{
	const struct bindery_runtime *runtime;

	foreach_runtime(ctx, runtime) {
		const struct diag_workload *real = runtime->real;

		if (diag_workload_is_healthy(real) || has_other_story(real))
			continue;
		for (size_t i = 0; i < real->pod_count; i++) {
			struct troubled_pod found = { runtime, real->pods[i],
						      diag_pod_state(real->pods[i]) };

			if (found.state.trouble != DIAG_POD_EVICTED ||
			    !diag_str_eq(found.state.reason, reason))
				continue;
			report(ctx, &found);
			break;
		}
	}
}
