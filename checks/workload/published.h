/* Which real bindings publish a Service's address. */
#pragma once

#include "checks/support.h"

/** A real binding in the namespace whose endpoint is this Service, or NULL. */
const json_t *publishing_binding(const struct diag_check_ctx *ctx, const char *namespace_,
				 const char *service);

/** The same for any Service of a workload; `ret_service` names it. */
const json_t *publishing_binding_of(const struct diag_check_ctx *ctx,
				    const struct bindery_runtime *runtime,
				    const char **ret_service);

/** When the workload was last seen to lose or not yet have its availability. */
int64_t unavailable_since(const struct bindery_runtime *runtime);
