/*
 * What of the predicted objects the API server would refuse (bindery-platform.md section 3.2, the
 * CRDs, and Kubernetes validation), and what does not come because of it.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "bindery/names.h"
#include "bindery/predict_internal.h"
#include "text/json.h"
#include "text/k8sname.h"
#include "text/quantity.h"

static void add(struct bindery_prediction *p, const struct bindery_refusal *about,
		enum bindery_refusal_rule rule, const char *kind, const char *name,
		const char *value)
{
	struct bindery_refusal refusal = *about;

	refusal.rule = rule;
	refusal.kind = kind;
	refusal.name = name;
	refusal.value = value;
	p->refusals = diag_xgrow(p->refusals, p->refusal_count, &p->refusal_capacity,
				 sizeof(*p->refusals));
	p->refusals[p->refusal_count++] = refusal;
}

struct label {
	const char *key, *value; /* a NULL value is no label */
};

/* Of one object only the first bad label is told. */
static bool check_labels(struct bindery_prediction *p, const struct bindery_refusal *about,
			 const char *kind, const char *name, const struct label *labels,
			 size_t count)
{
	struct bindery_refusal refusal = *about;

	for (size_t i = 0; i < count; i++) {
		if (!labels[i].value || diag_k8s_is_label_value(labels[i].value))
			continue;
		refusal.label = labels[i].key;
		add(p, &refusal, BINDERY_REFUSED_LABEL, kind, name, labels[i].value);
		return false;
	}
	return true;
}

static bool check_binding(struct bindery_prediction *p, const struct bindery_binding *binding)
{
	struct bindery_refusal about = { .world = binding->world, .binding = binding };
	const struct label labels[] = {
		{ BINDERY_LABEL "world", binding->world ? binding->world->name : NULL },
		{ BINDERY_LABEL "game", binding->world ? binding->world->booklet_name : NULL },
		{ BINDERY_LABEL "realm", binding->realm ? binding->realm->name : NULL },
	};
	bool fine = check_labels(p, &about, "CapabilityBinding", binding->name, labels,
				 DIAG_ARRAY_SIZE(labels));

	if (binding->world)
		return fine;
	if (!*binding->provider || !diag_k8s_is_subdomain(binding->name)) {
		add(p, &about, BINDERY_REFUSED_BINDING_NAME, "CapabilityBinding", binding->name,
		    binding->name);
		fine = false;
	}
	if (*binding->version && !diag_k8s_is_strict_version(binding->version)) {
		add(p, &about, BINDERY_REFUSED_VERSION, "CapabilityBinding", binding->name,
		    binding->version);
		fine = false;
	}
	return fine;
}

/* A realm's entries are written in order, and the first that is refused ends the pass (5.6). */
static void check_bindings(struct bindery_prediction *p)
{
	diag_autofree size_t *first = diag_xcalloc(p->realm_count, sizeof(*first));

	for (size_t i = 0; i < p->realm_count; i++)
		first[i] = SIZE_MAX;
	for (size_t i = 0; i < p->binding_count; i++) {
		struct bindery_binding *binding = &p->bindings[i];
		size_t *limit;

		binding->refused = !check_binding(p, binding);
		if (!binding->refused || !binding->realm)
			continue;
		limit = &first[binding->realm - p->realms];
		*limit = DIAG_MIN(*limit, binding->realm_entry->index);
	}
	for (size_t i = 0; i < p->binding_count; i++) {
		struct bindery_binding *binding = &p->bindings[i];

		if (binding->realm &&
		    binding->realm_entry->index > first[binding->realm - p->realms])
			binding->refused = true;
	}
}

static bool is_access_mode(const char *mode)
{
	return diag_str_in(mode, "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany",
			   "ReadWriteOncePod", NULL);
}

/* The first mode that Kubernetes refuses, or NULL. */
static const char *bad_access_mode(const struct bindery_storage *storage)
{
	bool exclusive = false;

	for (size_t i = 0; i < storage->access_mode_count; i++) {
		if (!is_access_mode(storage->access_modes[i]))
			return storage->access_modes[i];
		exclusive |= strcmp(storage->access_modes[i], "ReadWriteOncePod") == 0;
	}
	return exclusive && storage->access_mode_count > 1 ? "ReadWriteOncePod" : NULL;
}

static bool is_size(const char *text)
{
	struct diag_quantity quantity;

	return diag_quantity_parse(text, &quantity, NULL) == 0 && quantity.value > 0;
}

/* The claim itself is refused by its CRD, and then nothing of the module follows. */
static void check_claim(struct bindery_prediction *p, const struct bindery_refusal *about,
			struct bindery_storage *storage)
{
	const char *kind = "WorldStorageClaim";

	if (!diag_str_in(storage->scope, "world", "world-shard", NULL)) {
		add(p, about, BINDERY_REFUSED_CLAIM_SCOPE, kind, storage->claim, storage->scope);
		storage->claim_refused = true;
	}
	if (storage->shard_ref && !*storage->shard_ref) {
		add(p, about, BINDERY_REFUSED_CLAIM, kind, storage->claim, storage->shard_ref);
		storage->claim_refused = true;
	}
	if (strlen(storage->size) < 2) {
		add(p, about, BINDERY_REFUSED_SIZE, kind, storage->claim, storage->size);
		storage->claim_refused = true;
	}
}

static void check_pvc(struct bindery_prediction *p, const struct bindery_refusal *about,
		      struct bindery_storage *storage)
{
	const char *mode = bad_access_mode(storage);

	if (storage->claim_refused)
		return;
	if (!is_size(storage->size)) {
		add(p, about, BINDERY_REFUSED_SIZE, "PersistentVolumeClaim", storage->pvc,
		    storage->size);
		storage->pvc_refused = true;
	} else if (mode) {
		add(p, about, BINDERY_REFUSED_ACCESS_MODE, "PersistentVolumeClaim", storage->pvc,
		    mode);
		storage->pvc_refused = true;
	}
}

static bool check_service(struct bindery_prediction *p, const struct bindery_refusal *about)
{
	const struct bindery_workload *workload = about->workload;
	const struct bindery_member *member = about->member;
	bool pod = workload->strategy == BINDERY_GROUP_POD;
	const struct label labels[] = {
		{ BINDERY_LABEL "world", workload->world ? workload->world->name : NULL },
		{ BINDERY_LABEL "coloc-group", pod ? workload->group : NULL },
		{ BINDERY_LABEL "module", member->module },
	};
	bool fine =
		check_labels(p, about, "Service", member->service, labels, DIAG_ARRAY_SIZE(labels));

	if (diag_k8s_is_service_name(member->service))
		return fine;
	add(p, about, BINDERY_REFUSED_SERVICE_NAME, "Service", member->service, member->service);
	return false;
}

static bool check_environment(struct bindery_prediction *p, const struct bindery_refusal *about)
{
	json_t *env = diag_json_object(about->member->manifest, "spec", "runtime", "env"), *value;
	const char *name;

	json_object_foreach(env, name, value) {
		if (diag_k8s_is_env_name_relaxed(name))
			continue;
		add(p, about, BINDERY_REFUSED_ENV_NAME, "Deployment", about->workload->name, name);
		return false;
	}
	return true;
}

static bool check_deployment(struct bindery_prediction *p, const struct bindery_refusal *about)
{
	const struct bindery_workload *workload = about->workload;
	bool fine = check_environment(p, about);

	if (workload->strategy == BINDERY_GROUP_NODE) {
		const struct label label = { BINDERY_LABEL "coloc-group", workload->group };

		fine &= check_labels(p, about, "Deployment", workload->name, &label, 1);
	}
	if (workload->strategy == BINDERY_GROUP_POD && !diag_k8s_is_label(about->member->module)) {
		add(p, about, BINDERY_REFUSED_CONTAINER, "Deployment", workload->name,
		    about->member->module);
		fine = false;
	}
	return fine;
}

/* When nobody may ask for it, it does not come. */
static bool nobody_asks(const struct bindery_member *member)
{
	for (size_t i = 0; i < member->binding_count; i++)
		if (!member->bindings[i]->refused)
			return false;
	return true;
}

static void check_member(struct bindery_prediction *p, struct bindery_workload *workload,
			 struct bindery_member *member)
{
	struct bindery_refusal about = {
		.world = workload->world,
		.workload = workload,
		.member = member,
	};
	bool fine = !nobody_asks(member);

	if (member->storage.effective) {
		check_claim(p, &about, &member->storage);
		check_pvc(p, &about, &member->storage);
		fine &= !member->storage.claim_refused;
	}
	fine &= check_service(p, &about);
	fine &= check_deployment(p, &about);
	member->refused = !fine;
	if (workload->storage.member == member)
		workload->storage = member->storage;
}

/* Shards of one world differ in nothing that could be refused: the first stands for all. */
static void check_shards(struct bindery_prediction *p, const struct bindery_world *world)
{
	struct bindery_refusal about = { .world = world };
	const struct label labels[] = {
		{ BINDERY_LABEL "world", world->name },
		{ BINDERY_LABEL "game", world->booklet_name },
	};

	check_labels(p, &about, "WorldShard", bindery_name_shard(p->arena, world->name, 0), labels,
		     DIAG_ARRAY_SIZE(labels));
}

void bindery_predict_refusals(struct bindery_prediction *p)
{
	for (size_t i = 0; i < p->world_count; i++)
		check_shards(p, &p->worlds[i]);
	check_bindings(p);
	for (size_t i = 0; i < p->workload_count; i++)
		for (size_t m = 0; m < p->workloads[i].member_count; m++)
			check_member(p, &p->workloads[i], &p->workloads[i].members[m]);
}
