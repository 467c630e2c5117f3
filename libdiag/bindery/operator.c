#include "bindery/operator.h"

#include <string.h>

#include "base/str.h"
#include "text/json.h"

static const json_t *manager_of(const json_t *deployment)
{
	const json_t *container;
	size_t i;

	json_array_foreach(diag_json_array(deployment, "spec", "template", "spec", "containers"), i,
			   container) {
		if (diag_str_eq(diag_json_str(container, "name"), "manager"))
			return container;
	}
	return NULL;
}

/* The chart's labels are those of every kubebuilder project: the name or image tells ours. */
static bool is_operator(const json_t *deployment)
{
	const char *name = diag_ref_of(deployment).name;
	const char *image = diag_json_str(manager_of(deployment), "image");

	return diag_str_eq(diag_json_str(deployment, "metadata", "labels", "control-plane"),
			   "controller-manager") &&
	       image && (strstr(image, "bindery") || strstr(name, "bindery"));
}

const struct diag_domain bindery_domain = {
	.title = "Bindery",
	.group = "bindery.platform",
	.operator_selector = "control-plane=controller-manager",
	.operator_namespace = "bindery-system",
	.metrics_port = "8080",
	.is_operator = is_operator,
};

const json_t *bindery_operator(const struct diag_snapshot *snapshot)
{
	const json_t *deployment;
	size_t i;

	json_array_foreach(diag_snapshot_list(snapshot, "deployments.apps"), i, deployment) {
		if (is_operator(deployment))
			return deployment;
	}
	return NULL;
}

const char *bindery_operator_image(const struct diag_snapshot *snapshot)
{
	return diag_json_str(manager_of(bindery_operator(snapshot)), "image");
}
