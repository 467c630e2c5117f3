/* Manifests over what was observed: the objects as they would be once they are applied. */
#include "model/snapshot_internal.h"
#include "text/json.h"

/* What the API server and controllers write, and no manifest changes. */
static const char *const kept[] = {
	"uid",
	"creationTimestamp",
	"generation",
	"resourceVersion",
	"deletionTimestamp",
	"deletionGracePeriodSeconds",
	"managedFields",
	"ownerReferences",
	"finalizers",
};

static bool says_the_same(json_t *wanted, json_t *there);

static bool same_array(json_t *wanted, json_t *there)
{
	if (json_array_size(wanted) != json_array_size(there))
		return false;
	for (size_t i = 0; i < json_array_size(wanted); i++)
		if (!says_the_same(json_array_get(wanted, i), json_array_get(there, i)))
			return false;
	return true;
}

/* True when applying `wanted` changes nothing: the server may have added defaults. Depth is that of
 * parsed JSON, which is limited. */
static bool says_the_same(json_t *wanted, json_t *there)
{
	json_t *value;
	const char *key;

	if (json_is_array(wanted) && json_is_array(there))
		return same_array(wanted, there);
	if (!json_is_object(wanted) || !json_is_object(there))
		return json_equal(wanted, there);
	json_object_foreach(wanted, key, value) {
		if (!says_the_same(value, json_object_get(there, key)))
			return false;
	}
	return true;
}

void diag_snapshot_inherit(json_t *object, const json_t *old)
{
	json_t *metadata = json_object_get(object, "metadata");
	const json_t *before = json_object_get(old, "metadata");
	int64_t generation = diag_json_int(before, 0, "generation");

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(kept); i++) {
		json_t *value = json_object_get(before, kept[i]);

		if (value && !json_object_get(metadata, kept[i]))
			json_object_set(metadata, kept[i], value);
	}
	if (json_object_get(old, "status"))
		json_object_set(object, "status", json_object_get(old, "status"));
	if (generation > 0 &&
	    !says_the_same(json_object_get(object, "spec"), json_object_get(old, "spec")))
		json_object_set_new(metadata, "generation", json_integer(generation + 1));
}

void diag_snapshot_overlay(struct diag_snapshot *snapshot)
{
	snapshot->overlaying = true;
}
