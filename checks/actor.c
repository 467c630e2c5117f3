/* Which controller makes what: bindery-platform.md 5; its rights: 9.1. */
#include "checks/actor.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/str.h"
#include "base/timestamp.h"
#include "bindery/operator.h"
#include "model/pod.h"
#include "text/json.h"

#include "checks/operator/operators.h"
#include "checks/operator/rights.h"

#define LEASE "capabilityresolver.bindery.platform"

static const struct actor {
	const char *kind;
	const char *controller; /* as the operator's log names it; NULL: of Kubernetes itself */
	const char *does;
	const char *verb, *resource; /* the right that it takes */
} actors[] = {
	{ "CapabilityBinding", "capabilityresolver", "makes CapabilityBindings", "create",
	  "capabilitybindings.bindery.platform" },
	{ "WorldInstance", "capabilityresolver", "writes the status of worlds", "patch",
	  "worldinstances/status.bindery.platform" },
	{ "WorldShard", "worldshard", "makes WorldShards", "create",
	  "worldshards.bindery.platform" },
	{ "Deployment", "capabilitybinding", "makes Deployments", "create", "deployments.apps" },
	{ "Service", "capabilitybinding", "makes Services", "create", "services" },
	{ "PersistentVolumeClaim", "capabilitybinding", "makes PersistentVolumeClaims", "create",
	  "persistentvolumeclaims" },
	{ "WorldStorageClaim", "capabilitybinding", "makes WorldStorageClaims", "create",
	  "worldstorageclaims.bindery.platform" },
	{ "Realm", "realm", "makes the bindings of realms", "create",
	  "capabilitybindings.bindery.platform" },
	{ "ShardAutoscaler", "shardautoscaler", "sets shardCount of worlds", "update",
	  "worldinstances.bindery.platform" },
	{ "ReplicaSet", NULL, "deployment controller of kube-controller-manager makes ReplicaSets",
	  NULL, NULL },
	{ "Pod", NULL, "replicaset controller of kube-controller-manager makes Pods", NULL, NULL },
	{ "EndpointSlice", NULL,
	  "endpointslice controller of kube-controller-manager makes EndpointSlices", NULL, NULL },
};

static const struct actor *actor_of(const char *kind)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(actors); i++)
		if (diag_str_eq(actors[i].kind, kind))
			return &actors[i];
	return NULL;
}

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '.';
}

/* The name as a whole word: `rt-a` is not in `rt-a-store`. */
static bool names(const char *line, size_t length, const char *name)
{
	size_t size = strlen(name);
	const char *at = line, *end = line + length;

	while (size && (at = memmem(at, (size_t)(end - at), name, size))) {
		if ((at == line || !is_name_char(at[-1])) &&
		    (at + size == end || !is_name_char(at[size])))
			return true;
		at++;
	}
	return false;
}

static bool is_error(const char *line, size_t length)
{
	return memmem(line, length, "\tERROR\t", 7) || memmem(line, length, "forbidden", 9);
}

const char *actor_last_error(const char *log, const char *name, size_t *ret_length)
{
	const char *found = NULL;

	while (log && *log) {
		size_t length = strcspn(log, "\n");

		if (is_error(log, length) && names(log, length, name)) {
			found = log;
			*ret_length = length;
		}
		log += length + (log[length] == '\n');
	}
	return found ? skip_stamp(found, ret_length) : NULL;
}

/* Only the running container's log: what the previous one said may be mended. */
static void add_log(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		    const char *name)
{
	struct diag_ref pod = diag_ref_of(operator_pod(ctx));
	const char *log, *line;
	size_t length;

	if (!pod.name || !name)
		return;
	log = diag_snapshot_log(ctx->snapshot, pod.namespace_, pod.name, "manager", false);
	line = actor_last_error(log, name, &length);
	if (line)
		diag_finding_log(finding, pod, "manager", line, DIAG_MIN(length, (size_t)1000));
}

static void add_pod(const struct diag_check_ctx *ctx, struct diag_finding *finding)
{
	const json_t *pod = operator_pod(ctx);
	struct diag_pod_state state;

	if (!pod)
		return;
	state = diag_pod_state(pod);
	if (state.restarts)
		diag_finding_field(finding, diag_ref_of(pod), "status.restartCount", "%" PRId64,
				   state.restarts);
}

/* How old the lease was when the rest was read; judging that takes more (operator.no-leader). */
static void add_lease(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		      const char *namespace_)
{
	const json_t *lease =
		diag_snapshot_get(ctx->snapshot, "leases.coordination.k8s.io", namespace_, LEASE);
	const char *renewed = diag_json_str(lease, "spec", "renewTime");

	if (renewed)
		diag_finding_field(finding, diag_ref_of(lease), "spec.renewTime", "%s", renewed);
}

static void add_right(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		      const struct actor *actor)
{
	if (operator_right(ctx, actor->verb, actor->resource) == OPERATOR_NO_CLUSTER_ROLE)
		diag_finding_note(finding,
				  "no ClusterRole that is bound to the operator grants %s on %s",
				  actor->verb, actor->resource);
}

void finding_actor(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		   struct diag_ref object)
{
	const struct actor *actor = actor_of(object.kind);
	const json_t *deployment = bindery_operator(ctx->snapshot);
	struct diag_ref ref = diag_ref_of(deployment);

	if (!actor)
		return;
	if (!actor->controller) {
		diag_finding_note(finding, "the %s", actor->does);
		return;
	}
	diag_finding_needs(finding, "operator", NULL, "operator");
	diag_finding_note(finding, "the operator's controller %s %s", actor->controller,
			  actor->does);
	if (!deployment)
		return;
	add_log(ctx, finding, object.name);
	add_right(ctx, finding, actor);
	diag_finding_field(finding, ref, "status.availableReplicas", "%" PRId64,
			   diag_json_int(deployment, 0, "status", "availableReplicas"));
	add_pod(ctx, finding);
	add_lease(ctx, finding, ref.namespace_);
}
