/* The operator itself: its Deployment, wherever it runs. */
#pragma once

#include "model/domain.h"
#include "model/snapshot.h"

/** What the other layers have to know of Bindery. */
extern const struct diag_domain bindery_domain;

/**
 * The operator's Deployment, or NULL when it is not visible.
 *
 * Found by what its chart sets: label control-plane=controller-manager and a container `manager`.
 */
const json_t *bindery_operator(const struct diag_snapshot *snapshot);

/** The image it runs, or NULL. */
const char *bindery_operator_image(const struct diag_snapshot *snapshot);
