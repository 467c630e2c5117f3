/*
 * Which finding explains which. A row reads: findings of `cause` about a key of this type explain
 * findings of `effect` that need the same key. Keys:
 *
 *   workload   namespace/Deployment: it does not come up, or not right
 *   service    namespace/Service: nothing answers behind it
 *   module     namespace/ModuleManifest: it is not there, or not usable
 *   booklet    namespace/Booklet: it is not there, or not usable
 *   realm      namespace/Realm: it is not there, or lacks a module
 *   unclaimed  namespace/ModuleManifest: a provider that nobody is bound to
 *   label      namespace/WorldInstance: its name is no label value
 *   pvc        namespace/PersistentVolumeClaim: it is not there or not bound
 *   group      namespace/Deployment of a Pod group: its members do not fit together
 *   ungrouped  namespace/ModuleManifest: a group that means it names it wrongly
 *   node       name: it is not usable
 *   namespace  name: something in it does not go away
 *   name       namespace/Deployment: a name that two worlds compute
 *   operator   the operator itself does not work
 *   shards     namespace/WorldInstance: its shards are not as it asks
 */
#include "checks/checks.h"

const struct diag_cause_rule checks_bindery_rules[] = {
	/* What keeps one workload down explains that it is down, and what waits for it. */
	{ "pod.*", "workload.unavailable", "workload" },
	{ "wait.*", "workload.unavailable", "workload" },
	{ "binding.self", "workload.unavailable", "workload" },
	{ "workload.scaled-to-zero", "workload.unavailable", "workload" },
	{ "workload.pods-refused", "workload.unavailable", "workload" },
	{ "pod.*", "service.no-endpoints", "workload" },
	{ "wait.*", "service.no-endpoints", "workload" },
	{ "binding.self", "service.no-endpoints", "workload" },
	{ "workload.*", "service.no-endpoints", "workload" },
	{ "service.selector-mismatch", "service.no-endpoints", "service" },

	/* Along the waits. */
	{ "pod.*", "wait.*", "workload" },
	{ "workload.*", "wait.*", "workload" },
	{ "wait.*", "wait.*", "workload" },
	{ "binding.self", "wait.*", "workload" },
	{ "service.*", "wait.*", "service" },
	{ "workload.missing", "wait.*", "service" },

	/* What is wrong in the manifests explains what the resolver makes of it. */
	{ "realm.missing", "requirement.no-provider", "realm" },
	{ "realm.module-missing", "requirement.no-provider", "realm" },
	{ "requirement.*", "binding.root-collision", "unclaimed" },
	{ "manifest.refused", "requirement.*", "module" },
	{ "manifest.refused", "booklet.missing", "world" },
	{ "manifest.old-api", "booklet.missing", "world" },
	{ "manifest.old-api", "booklet.missing", "booklet" },
	{ "manifest.old-api", "module.*", "module" },
	{ "name.label-too-long", "service.name-too-long", "label" },
	{ "binding.name-shared", "workload.name-shared", "name" },

	/* A node explains its pods, their workloads, and the operator when it stands there. */
	{ "node.*", "pod.*", "node" },
	{ "node.*", "wait.*", "workload" },
	{ "node.*", "workload.unavailable", "workload" },
	{ "node.*", "service.no-endpoints", "workload" },
	{ "node.*", "operator.*", "operator" },
	{ "pod.evicted", "pod.unschedulable", "workload" },
	{ "pod.preempted", "pod.unschedulable", "workload" },

	/* What does not go keeps its namespace. */
	{ "object.deletion-hangs", "namespace.terminating", "namespace" },
	{ "pod.deletion-hangs", "namespace.terminating", "namespace" },

	/* Storage keeps pods from being scheduled; a group's clash makes its containers crash. */
	{ "storage.*", "pod.unschedulable", "pvc" },
	{ "storage.size-invalid", "storage.pvc-pending", "pvc" },
	{ "colocation.port-clash", "pod.*", "group" },
	{ "colocation.unknown-module", "workload.missing", "ungrouped" },

	/* A group whose Deployment is refused keeps all its members down. */
	{ "colocation.container-name", "wait.*", "workload" },
	{ "colocation.container-name", "wait.*", "service" },
	{ "colocation.container-name", "workload.*", "workload" },
	{ "colocation.container-name", "service.*", "service" },
	{ "colocation.group-name", "wait.*", "workload" },
	{ "colocation.group-name", "wait.*", "service" },
	{ "colocation.group-name", "workload.*", "workload" },
	{ "colocation.group-name", "service.*", "service" },

	/* One object that cannot be decoded stops the operator. */
	{ "module.undecodable", "operator.*", "operator" },
	{ "operator.crd-missing", "operator.down", "operator" },
	{ "operator.out-of-memory", "operator.down", "operator" },
	{ "operator.out-of-memory", "operator.no-leader", "operator" },
	{ "operator.stuck", "operator.no-leader", "operator" },

	/* An operator that does not work makes nothing and updates nothing. */
	{ "operator.*", "workload.missing", "operator" },
	{ "operator.*", "workload.not-rolled-out", "operator" },
	{ "operator.*", "wait.service-missing", "operator" },
	{ "operator.*", "realm.change-unnoticed", "operator" },
	{ "operator.*", "autoscaler.not-applied", "operator" },
	{ "operator.*", "world.unobserved", "operator" },
	{ "operator.*", "world.shards", "operator" },
	{ "operator.*", "binding.missing", "operator" },
	{ "module.undecodable", "workload.missing", "operator" },
	{ "module.undecodable", "wait.service-missing", "operator" },
	{ "module.undecodable", "world.unobserved", "operator" },
	{ "module.undecodable", "world.shards", "operator" },
	{ "module.undecodable", "binding.missing", "operator" },

	/* What the resolver did not do keeps down what it should have made. */
	{ "world.unobserved", "binding.missing", "world" },
	{ "world.shards", "binding.missing", "shards" },
	{ "binding.missing", "workload.*", "workload" },
	{ "binding.missing", "wait.*", "workload" },
	{ "binding.missing", "service.*", "workload" },

	{ NULL, NULL, NULL },
};
