#include "tests/support/operator-objects.h"

#include <stdio.h>
#include <string.h>

#include "base/macros.h"
#include "base/str.h"
#include "text/json.h"

static void differ(struct difference *d, const char *path, const char *how)
{
	if (!*d->where)
		snprintf(d->where, sizeof(d->where), "%s %s", path, how);
}

static void compare_values(const json_t *want, const json_t *got, const char *path,
			   struct difference *d);

static const json_t *named(const json_t *array, const char *name)
{
	const json_t *item;
	size_t i;

	json_array_foreach(array, i, item) {
		if (diag_str_eq(diag_json_str(item, "name"), name))
			return item;
	}
	return NULL;
}

/* The same items, by name where they have names. */
static void compare_arrays(const json_t *want, const json_t *got, const char *path,
			   struct difference *d)
{
	const json_t *item;
	size_t i;

	if (json_array_size(want) != json_array_size(got)) {
		differ(d, path, "has another number of items");
		return;
	}
	json_array_foreach(want, i, item) {
		const char *name = diag_json_str(item, "name");
		char deeper[256];

		snprintf(deeper, sizeof(deeper), "%s[%s]", path, name ? name : "");
		compare_values(item, name ? named(got, name) : json_array_get(got, i), deeper, d);
	}
}

/* Maps that the operator sets as a whole: what it did not write must not be there. */
static bool is_whole(const char *path)
{
	static const char *const ends[] = { ".labels",       ".selector", ".matchLabels",
					    ".nodeSelector", ".provider", ".consumer",
					    ".requirement",  ".worldRef", ".shardRef",
					    ".requests" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(ends); i++)
		if (diag_str_ends(path, ends[i]))
			return true;
	return false;
}

/* Everything in `want` is in `got`. */
static void compare_objects(const json_t *want, const json_t *got, const char *path,
			    struct difference *d)
{
	const char *key;
	json_t *value;

	if (is_whole(path) && json_object_size(want) != json_object_size(got))
		differ(d, path, "has other keys");
	json_object_foreach((json_t *)(uintptr_t)want, key, value) {
		char deeper[256];

		snprintf(deeper, sizeof(deeper), "%s.%s", path, key);
		compare_values(value, json_object_get(got, key), deeper, d);
	}
}

static void compare_values(const json_t *want, const json_t *got, const char *path,
			   struct difference *d)
{
	if (json_is_array(want) && json_is_array(got))
		compare_arrays(want, got, path, d);
	else if (json_is_object(want) && json_is_object(got))
		compare_objects(want, got, path, d);
	else if (!json_equal(want, got))
		differ(d, path, got ? "differs" : "is missing");
}

/* Fields that only the operator sets: absent in the prediction means absent. */
static void compare_absent(const json_t *want, const json_t *got, const char *const *keys,
			   size_t count, struct difference *d)
{
	for (size_t i = 0; i < count; i++)
		if (!json_object_get(want, keys[i]) && json_object_get(got, keys[i]))
			differ(d, keys[i], "is there");
}

static void compare_pods(const json_t *want, const json_t *got, struct difference *d)
{
	static const char *const of_pod[] = {
		"initContainers", "volumes",     "nodeSelector",
		"affinity",       "tolerations", "priorityClassName"
	};
	static const char *const of_container[] = { "command", "args", "env", "lifecycle",
						    "volumeMounts" };
	const json_t *container;
	size_t i;

	want = diag_json_object(want, "spec", "template", "spec");
	got = diag_json_object(got, "spec", "template", "spec");
	compare_absent(want, got, of_pod, DIAG_ARRAY_SIZE(of_pod), d);
	json_array_foreach(json_object_get(want, "containers"), i, container)
		compare_absent(
			container,
			named(json_object_get(got, "containers"), diag_json_str(container, "name")),
			of_container, DIAG_ARRAY_SIZE(of_container), d);
}

/* Each pass appends the affinity of strategy Node once more (F101): count equal terms once. */
static void drop_repeated_terms(json_t *deployment)
{
	json_t *terms =
		diag_json_array(deployment, "spec", "template", "spec", "affinity", "podAffinity",
				"requiredDuringSchedulingIgnoredDuringExecution");

	for (size_t i = json_array_size(terms); i > 1; i--)
		if (json_equal(json_array_get(terms, i - 1), json_array_get(terms, i - 2)))
			json_array_remove(terms, i - 1);
}

/* What depends on which contender holds a binding's name. */
static void drop_injected(json_t *deployment)
{
	json_t *pod = diag_json_object(deployment, "spec", "template", "spec"), *container;
	size_t i;

	json_object_del(pod, "initContainers");
	json_array_foreach(json_object_get(pod, "containers"), i, container)
		json_object_del(container, "env");
}

void compare_operator_objects(const json_t *want, const json_t *got, bool unsettled,
			      struct difference *d)
{
	json_t *mine = json_deep_copy(want), *real = json_deep_copy(got);

	drop_repeated_terms(real);
	if (unsettled) {
		drop_injected(mine);
		drop_injected(real);
	}
	compare_values(mine, real, "", d);
	if (diag_str_eq(diag_json_str(mine, "kind"), "Deployment"))
		compare_pods(mine, real, d);
	json_decref(mine);
	json_decref(real);
}
