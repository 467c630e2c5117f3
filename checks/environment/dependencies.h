/* Variables that the operator injects into a module for each dependency with an address. */
#pragma once

#include "checks/support.h"

/** True when the binding puts variables into the consumer's container: its provider has a Service.
 */
bool is_injected(const struct bindery_binding *dependency);

/** Call `check` once for each member of a predicted workload, the first shard for all. */
void each_consumer(const struct diag_check_ctx *ctx,
		   void (*check)(const struct diag_check_ctx *ctx,
				 const struct bindery_workload *workload,
				 const struct bindery_member *member));

/** A finding on the consumer's ModuleManifest about one capability; world, Deployment, line. */
struct diag_finding *find_environment_fault(const struct diag_check_ctx *ctx,
					    const struct bindery_workload *workload,
					    const struct bindery_member *member,
					    const struct bindery_binding *dependency,
					    const char *format, ...) DIAG_PRINTF(5, 6);
