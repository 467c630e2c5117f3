/* What the operator checks share. */
#pragma once

#include "checks/support.h"

/* Why an operator check is skipped. */
#define OPERATOR_NOT_VISIBLE "the operator's Deployment is not visible"

/** Name the operator's Deployment and the worlds that wait for it; everything it should do is
 * explained. */
struct diag_finding *find_operator_fault(const struct diag_check_ctx *ctx, const json_t *deployment,
					 const char *format, ...) DIAG_PRINTF(3, 4);

/** Add the last line of the operator's log (current, then previous) that contains a text; false
 * when none does. */
bool finding_operator_log(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			  const char *text);

/** A pod of the operator, or NULL. */
const json_t *operator_pod(const struct diag_check_ctx *ctx);
