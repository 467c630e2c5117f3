/* What two checks of Pod and Node groups share: names that the API server refuses. */
#pragma once

#include "checks/support.h"

/** The finding is about a group's workload, which is not made: its Services, waits and pods. */
void finding_about_refused_group(const struct diag_check_ctx *ctx, struct diag_finding *finding,
				 const struct bindery_refusal *refusal);

/** An earlier refusal of the same rule for the same Booklet, group and text: shards and worlds
 * repeat it. */
bool was_refused_before(const struct bindery_prediction *p, const struct bindery_refusal *refusal);
