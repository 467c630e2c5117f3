/*
 * What the layers below the domain have to know of the platform that is diagnosed, as data. The
 * domain defines one (bindery/operator.h).
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct diag_domain {
	const char *title;              /* "Bindery" */
	const char *group;              /* API group of its custom resources */
	const char *operator_selector;  /* label selector of its operator's Deployment and pods */
	const char *operator_namespace; /* where its chart puts the operator */
	const char *metrics_port;       /* of the operator's pods */
	bool (*is_operator)(const json_t *deployment);
};
