/* What the operator may do, as far as RBAC objects show it. */
#pragma once

#include "checks/support.h"

enum operator_right {
	OPERATOR_RIGHT_UNKNOWN,   /* the operator or the objects are not visible */
	OPERATOR_MAY,             /* a ClusterRole bound cluster-wide grants it */
	OPERATOR_NO_CLUSTER_ROLE, /* none does; a Role in one namespace still might */
};

/**
 * Look through the ClusterRoles that are bound to the operator's service account or its groups.
 *
 * @resource "deployments.apps", "services" or "worldinstances/status.bindery.platform"
 */
enum operator_right operator_right(const struct diag_check_ctx *ctx, const char *verb,
				   const char *resource);
