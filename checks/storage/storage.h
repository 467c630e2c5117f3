/* What the storage checks share: workloads that ask for storage, each MM once. */
#pragma once

#include "checks/support.h"

/** Start a finding on that module's manifest: it is about the workload and the claims it mounts. */
struct diag_finding *find_storage_fault(const struct diag_check_ctx *ctx,
					const struct bindery_workload *workload, const char *format,
					...) DIAG_PRINTF(3, 4);

/** The same fault in every shard: the claims that the module's other workloads of that world mount,
 * too. */
void finding_about_all_shards(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			      const struct bindery_workload *workload);

/** Shards repeat a fault: only the first workload of a world and module is looked at. */
bool is_first_shard(const struct bindery_workload *workload);

/** File and line of an annotation `bindery.dev/NAME` of the module. */
void finding_at_annotation(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			   const struct bindery_member *member, const char *name);
