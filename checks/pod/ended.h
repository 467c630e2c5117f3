/* Pods that ended as a whole, and that nothing has replaced yet. */
#pragma once

#include "checks/pod/pods.h"

/**
 * Call `report` for each workload without a healthy pod whose pod was ended with this reason
 * ("Evicted", "Preempted"); not when a later pod tells of another trouble.
 */
void each_ended_pod(const struct diag_check_ctx *ctx, const char *reason,
		    void (*report)(const struct diag_check_ctx *ctx,
				   const struct troubled_pod *found));
