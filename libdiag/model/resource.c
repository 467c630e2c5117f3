#include "model/resource.h"

#include <string.h>

#include "base/macros.h"
#include "base/str.h"

#define BINDERY "bindery.platform/v1alpha1"

/* Sorted by name, one row a line. The folders are those of replicatedhq/troubleshoot's
 * cluster-resources collector. */
/* clang-format off */
static const struct diag_resource table[] = {
	{ "apiservices.apiregistration.k8s.io", "APIService", "apiregistration.k8s.io/v1", false, false, "apiservices" },
	{ "booklets.bindery.platform", "Booklet", BINDERY, true, true, NULL },
	{ "capabilitybindings.bindery.platform", "CapabilityBinding", BINDERY, true, false, NULL },
	{ "capabilitydefinitions.bindery.platform", "CapabilityDefinition", BINDERY, false, true, NULL },
	{ "clusterrolebindings.rbac.authorization.k8s.io", "ClusterRoleBinding", "rbac.authorization.k8s.io/v1", false, false, "clusterrolebindings" },
	{ "clusterroles.rbac.authorization.k8s.io", "ClusterRole", "rbac.authorization.k8s.io/v1", false, false, "clusterroles" },
	{ "configmaps", "ConfigMap", "v1", true, false, "configmaps" },
	{ "customresourcedefinitions.apiextensions.k8s.io", "CustomResourceDefinition", "apiextensions.k8s.io/v1", false, false, "custom-resource-definitions" },
	{ "daemonsets.apps", "DaemonSet", "apps/v1", true, false, "daemonsets" },
	{ "deployments.apps", "Deployment", "apps/v1", true, false, "deployments" },
	{ "endpoints", "Endpoints", "v1", true, false, "endpoints" },
	{ "endpointslices.discovery.k8s.io", "EndpointSlice", "discovery.k8s.io/v1", true, false, "endpointslices" },
	{ "events", "Event", "v1", true, false, "events" },
	{ "horizontalpodautoscalers.autoscaling", "HorizontalPodAutoscaler", "autoscaling/v2", true, false, "horizontalpodautoscalers" },
	{ "leases.coordination.k8s.io", "Lease", "coordination.k8s.io/v1", true, false, "leases" },
	{ "limitranges", "LimitRange", "v1", true, false, "limitranges" },
	{ "modulemanifests.bindery.platform", "ModuleManifest", BINDERY, true, true, NULL },
	{ "mutatingwebhookconfigurations.admissionregistration.k8s.io", "MutatingWebhookConfiguration", "admissionregistration.k8s.io/v1", false, false, "mutating-webhook-configurations" },
	{ "namespaces", "Namespace", "v1", false, false, "namespaces" },
	{ "networkpolicies.networking.k8s.io", "NetworkPolicy", "networking.k8s.io/v1", true, false, "network-policy" },
	{ "nodes", "Node", "v1", false, false, "nodes" },
	{ "persistentvolumeclaims", "PersistentVolumeClaim", "v1", true, false, "pvcs" },
	{ "persistentvolumes", "PersistentVolume", "v1", false, false, "pvs" },
	{ "poddisruptionbudgets.policy", "PodDisruptionBudget", "policy/v1", true, false, "pod-disruption-budgets" },
	{ "pods", "Pod", "v1", true, false, "pods" },
	{ "priorityclasses.scheduling.k8s.io", "PriorityClass", "scheduling.k8s.io/v1", false, false, "priorityclasses" },
	{ "realms.bindery.platform", "Realm", BINDERY, true, true, NULL },
	{ "replicasets.apps", "ReplicaSet", "apps/v1", true, false, "replicasets" },
	{ "resourcequotas", "ResourceQuota", "v1", true, false, "resource-quota" },
	{ "rolebindings.rbac.authorization.k8s.io", "RoleBinding", "rbac.authorization.k8s.io/v1", true, false, "rolebindings" },
	{ "roles.rbac.authorization.k8s.io", "Role", "rbac.authorization.k8s.io/v1", true, false, "roles" },
	{ "secrets", "Secret", "v1", true, false, "secrets" },
	{ "serviceaccounts", "ServiceAccount", "v1", true, false, "serviceaccounts" },
	{ "services", "Service", "v1", true, false, "services" },
	{ "shardautoscalers.bindery.platform", "ShardAutoscaler", BINDERY, true, true, NULL },
	{ "statefulsets.apps", "StatefulSet", "apps/v1", true, false, "statefulsets" },
	{ "storageclasses.storage.k8s.io", "StorageClass", "storage.k8s.io/v1", false, false, "storage-classes" },
	{ "validatingwebhookconfigurations.admissionregistration.k8s.io", "ValidatingWebhookConfiguration", "admissionregistration.k8s.io/v1", false, false, "validating-webhook-configurations" },
	{ "worldinstances.bindery.platform", "WorldInstance", BINDERY, true, true, NULL },
	{ "worldshards.bindery.platform", "WorldShard", BINDERY, true, false, NULL },
	{ "worldstorageclaims.bindery.platform", "WorldStorageClaim", BINDERY, true, true, NULL },
};
/* clang-format on */

const struct diag_resource *diag_resources(size_t *ret_count)
{
	*ret_count = DIAG_ARRAY_SIZE(table);
	return table;
}

const struct diag_resource *diag_resource_by_name(const char *name)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(table); i++)
		if (diag_str_eq(name, table[i].name))
			return &table[i];
	return NULL;
}

const struct diag_resource *diag_resource_by_folder(const char *folder)
{
	static const char custom[] = "custom-resources/";

	if (diag_str_starts(folder, custom))
		return diag_resource_by_name(folder + sizeof(custom) - 1);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(table); i++)
		if (diag_str_eq(table[i].folder, folder))
			return &table[i];
	return NULL;
}

/* Bytes of the group part of "group/version", 0 for the core group's "v1". */
static size_t group_length(const char *api_version)
{
	const char *slash = strchr(api_version, '/');

	return slash ? (size_t)(slash - api_version) : 0;
}

static bool same_group(const char *a, const char *b)
{
	return group_length(a) == group_length(b) && strncmp(a, b, group_length(a)) == 0;
}

const struct diag_resource *diag_resource_by_kind(const char *kind, const char *api_version)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(table); i++)
		if (diag_str_eq(kind, table[i].kind) &&
		    (!api_version || same_group(api_version, table[i].api_version)))
			return &table[i];
	return NULL;
}
