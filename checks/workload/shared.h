/* Workloads of different worlds that compute one name. */
#pragma once

#include "check/check.h"

/**
 * Report every pair of workloads of one name and different owners.
 *
 * @global pairs of a world called `global` with a shared workload (F44); else the other pairs (F43)
 */
void report_shared_names(const struct diag_check_ctx *ctx, bool global);
