/* Who should have acted: the controller that makes an object or writes its status, and its state.
 */
#pragma once

#include "checks/support.h"

/* What finding_actor() reads, for `enriches`. */
#define ACTOR_RESOURCES                                                                            \
	"deployments.apps", "replicasets.apps", "pods", "logs", "leases.coordination.k8s.io",      \
		"clusterroles.rbac.authorization.k8s.io",                                          \
		"clusterrolebindings.rbac.authorization.k8s.io"

/**
 * Say on a finding which controller makes objects of this kind, and in what state it is: its
 * Deployment, restarts, lease, rights, and the last error in its log that names the object.
 *
 * What is not visible is not mentioned. A lease is only described, never judged (F107 is
 * operator.no-leader's). Does nothing for kinds that people make.
 *
 * @object the missing or stale object; its kind decides. Kind WorldInstance means its status
 */
void finding_actor(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		   struct diag_ref object);

/** The last line of the operator's log that is an error and names the object, and its length; or
 * NULL. Borrowed. */
const char *actor_last_error(const char *log, const char *name, size_t *ret_length);
