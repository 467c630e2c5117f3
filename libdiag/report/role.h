/* The rights that a run lacked, as RBAC objects. */
#pragma once

#include "base/buf.h"
#include "model/snapshot.h"

/**
 * The smallest ClusterRole and Roles that would have let the source read what it was refused, as
 * YAML documents. Where pods were refused, their logs are in it too, since nobody came to ask for
 * them.
 *
 * @name of the roles
 *
 * Returns how many rights were refused; 0 writes a comment only.
 */
size_t diag_role_render(const struct diag_snapshot *snapshot, const char *name,
			struct diag_buf *out);
