/* What of the predicted objects the API server would refuse (bindery-platform.md section 3.2). */
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "bindery/predict_internal.h"
#include "text/json.h"
#include "text/k8sname.h"

static void add(struct bindery_prediction *p, struct bindery_refusal refusal)
{
	p->refusals = diag_xgrow(p->refusals, p->refusal_count, &p->refusal_capacity,
				 sizeof(*p->refusals));
	p->refusals[p->refusal_count++] = refusal;
}

/* The first label of an object that is no label value. */
static void check_labels(struct bindery_prediction *p, const json_t *object,
			 struct bindery_refusal refusal)
{
	const char *key;
	json_t *value;

	json_object_foreach(diag_json_object(object, "metadata", "labels"), key, value) {
		const char *text = json_string_value(value);

		if (!text || diag_k8s_is_label_value(text))
			continue;
		refusal.rule = BINDERY_REFUSED_LABEL;
		refusal.kind = diag_json_str(object, "kind");
		refusal.name = diag_json_str(object, "metadata", "name");
		refusal.label = key;
		refusal.value = text;
		add(p, refusal);
		return;
	}
}

static void check_binding(struct bindery_prediction *p, const struct bindery_binding *binding)
{
	struct bindery_refusal refusal = {
		.kind = "CapabilityBinding",
		.name = binding->name,
		.world = binding->world,
		.binding = binding,
	};

	check_labels(p, binding->object, refusal);
	if (binding->world)
		return;
	if (!*binding->provider || !diag_k8s_is_subdomain(binding->name)) {
		refusal.rule = BINDERY_REFUSED_BINDING_NAME;
		refusal.value = binding->name;
		add(p, refusal);
	}
	if (*binding->version && !diag_k8s_is_strict_version(binding->version)) {
		refusal.rule = BINDERY_REFUSED_VERSION;
		refusal.value = binding->version;
		add(p, refusal);
	}
}

static void check_member(struct bindery_prediction *p, const struct bindery_workload *workload,
			 const struct bindery_member *member)
{
	struct bindery_refusal refusal = {
		.world = workload->world,
		.workload = workload,
		.member = member,
	};

	check_labels(p, member->service_object, refusal);
	if (!diag_k8s_is_service_name(member->service)) {
		refusal.rule = BINDERY_REFUSED_SERVICE_NAME;
		refusal.kind = "Service";
		refusal.name = refusal.value = member->service;
		add(p, refusal);
	}
	if (workload->strategy == BINDERY_GROUP_POD && !diag_k8s_is_label(member->module)) {
		refusal.rule = BINDERY_REFUSED_CONTAINER;
		refusal.kind = "Deployment";
		refusal.name = workload->name;
		refusal.value = member->module;
		add(p, refusal);
	}
}

static void check_workload(struct bindery_prediction *p, const struct bindery_workload *workload)
{
	struct bindery_refusal refusal = { .world = workload->world, .workload = workload };
	const struct bindery_storage *storage = &workload->storage;

	for (size_t i = 0; i < workload->member_count; i++)
		check_member(p, workload, &workload->members[i]);
	if (workload->strategy != BINDERY_ALONE)
		check_labels(p, workload->object, refusal);
	if (storage->effective && diag_str_eq(storage->scope, "world-shard") &&
	    !*storage->shard_ref) {
		refusal.rule = BINDERY_REFUSED_CLAIM;
		refusal.kind = "WorldStorageClaim";
		refusal.name = storage->claim;
		refusal.value = "";
		add(p, refusal);
	}
}

/* Shards of one world differ in nothing that could be refused: the first stands for all. */
static void check_shards(struct bindery_prediction *p, const struct bindery_world *world)
{
	const json_t *shard;
	size_t i;

	json_array_foreach(p->shards, i, shard) {
		if (diag_str_eq(diag_json_str(shard, "spec", "worldRef", "name"), world->name)) {
			check_labels(p, shard, (struct bindery_refusal){ .world = world });
			return;
		}
	}
}

void bindery_predict_refusals(struct bindery_prediction *p)
{
	for (size_t i = 0; i < p->world_count; i++)
		if (strlen(p->worlds[i].name) > 63 || strlen(p->worlds[i].booklet_name) > 63)
			check_shards(p, &p->worlds[i]);
	for (size_t i = 0; i < p->binding_count; i++)
		check_binding(p, &p->bindings[i]);
	for (size_t i = 0; i < p->workload_count; i++)
		check_workload(p, &p->workloads[i]);
}
