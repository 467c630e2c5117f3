/* Where each kind of Kubernetes object can hold a secret. Only these places are looked at. */
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "text/base64.h"
#include "text/json.h"
#include "text/redact_internal.h"

/* Keys of a Secret whose value names a thing rather than opens one. It is masked, but a plain word
 * there is not hunted: the name of a host or namespace stands in every other message. */
static bool is_identity_key(const char *key)
{
	return diag_str_in(key, "bucket", "database", "db", "dbname", "endpoint", "engine", "host",
			   "hostname", "login", "name", "namespace", "port", "region", "server",
			   "type", "user", "username", NULL);
}

static void learn_secret(struct walk *walk, const char *key, struct slice value)
{
	struct slice text = diag_redact_trim(value);

	/* Certificates are public, and every TLS Secret has one. */
	if (memmem(text.text, text.length, "-----BEGIN CERTIFICATE", 22) &&
	    !memmem(text.text, text.length, "PRIVATE KEY", 11))
		return;
	diag_redact_learn_within(walk->redact, text);
	if (is_identity_key(key))
		diag_redact_learn_found(walk->redact, text);
	else
		diag_redact_learn(walk->redact, text.text, text.length);
}

static void put_secret(struct walk *walk, struct slice value, json_t *map, const char *key)
{
	diag_buf_auto struct diag_buf buf = { 0 };

	diag_buf_init(&buf, 128);
	diag_redact_put_token(walk->redact, diag_redact_trim(value), &buf);
	diag_buf_printf(&buf, " (%zu bytes)", value.length);
	json_object_set_new(map, key, json_string(diag_buf_str(&buf)));
}

static void redact_secret_value(struct walk *walk, json_t *map, const char *key, json_t *value,
				bool encoded)
{
	diag_autofree char *dump = NULL;
	diag_buf_auto struct diag_buf decoded = { 0 };
	struct slice text = diag_redact_text_of(value);

	if (!json_is_string(value)) {
		dump = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
		text = (struct slice){ dump ? dump : "", dump ? strlen(dump) : 0 };
	}
	if (!text.length || json_is_null(value) || diag_redact_is_masked(text))
		return;
	diag_buf_init(&decoded, text.length + 1);
	if (encoded && diag_base64_decode(text.text, text.length, &decoded)) {
		struct slice plain = { diag_buf_str(&decoded), decoded.length };

		learn_secret(walk, key, plain);
		put_secret(walk, plain, map, key);
		return;
	}
	learn_secret(walk, key, text);
	put_secret(walk, text, map, key);
}

static void redact_secret(struct walk *walk, json_t *object)
{
	static const char *const maps[] = { "stringData", "data" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(maps); i++) {
		json_t *map = json_object_get(object, maps[i]);
		const char *key;
		json_t *value;

		json_object_foreach(map, key, value)
			redact_secret_value(walk, map, key, value, i == 1);
	}
}

static void redact_config_map(struct walk *walk, json_t *object)
{
	diag_redact_any(walk, NULL, json_object_get(object, "data"));
	diag_redact_any(walk, NULL, json_object_get(object, "binaryData"));
}

static void redact_event(struct walk *walk, json_t *object)
{
	walk->learn = false;
	diag_redact_any(walk, NULL, json_object_get(object, "message"));
	diag_redact_any(walk, NULL, json_object_get(object, "note"));
}

static void redact_manifest(struct walk *walk, json_t *object)
{
	json_t *runtime = diag_json_get(object, "spec", "runtime");
	const char *name;
	json_t *value;

	json_object_foreach(json_object_get(runtime, "env"), name, value)
		diag_redact_variable(walk, name, value);
	diag_redact_any(walk, NULL, json_object_get(runtime, "command"));
	diag_redact_any(walk, NULL, json_object_get(runtime, "args"));
}

static void redact_volume(struct walk *walk, json_t *object)
{
	diag_redact_any(walk, NULL, diag_json_get(object, "spec", "csi", "volumeAttributes"));
	diag_redact_any(walk, NULL, diag_json_get(object, "spec", "flexVolume", "options"));
	diag_redact_any(walk, NULL, diag_json_get(object, "spec", "mountOptions"));
	diag_redact_any(walk, NULL, json_object_get(object, "parameters"));
	diag_redact_any(walk, NULL, json_object_get(object, "mountOptions"));
}

static void redact_webhooks(struct walk *walk, json_t *object)
{
	json_t *webhook;
	size_t i;

	json_array_foreach(json_object_get(object, "webhooks"), i, webhook)
		diag_redact_any(walk, NULL, diag_json_get(webhook, "clientConfig", "url"));
}

static void redact_nothing(struct walk *walk DIAG_UNUSED, json_t *object DIAG_UNUSED)
{
}

/* What a kind holds beside annotations, pod templates and messages in its status. */
static const struct {
	const char *kind;
	void (*redact)(struct walk *walk, json_t *object);
} kinds[] = {
	{ "Booklet", redact_nothing },
	{ "CapabilityBinding", redact_nothing },
	{ "ClusterRole", redact_nothing },
	{ "ClusterRoleBinding", redact_nothing },
	{ "ConfigMap", redact_config_map },
	{ "ControllerRevision", redact_config_map },
	{ "CronJob", redact_nothing },
	{ "CustomResourceDefinition", redact_nothing },
	{ "DaemonSet", redact_nothing },
	{ "Deployment", redact_nothing },
	{ "EndpointSlice", redact_nothing },
	{ "Endpoints", redact_nothing },
	{ "Event", redact_event },
	{ "Ingress", redact_nothing },
	{ "Job", redact_nothing },
	{ "Lease", redact_nothing },
	{ "LimitRange", redact_nothing },
	{ "ModuleManifest", redact_manifest },
	{ "MutatingWebhookConfiguration", redact_webhooks },
	{ "Namespace", redact_nothing },
	{ "NetworkPolicy", redact_nothing },
	{ "Node", redact_nothing },
	{ "PersistentVolume", redact_volume },
	{ "PersistentVolumeClaim", redact_nothing },
	{ "Pod", redact_nothing },
	{ "PodDisruptionBudget", redact_nothing },
	{ "PodTemplate", redact_nothing },
	{ "PriorityClass", redact_nothing },
	{ "Realm", redact_nothing },
	{ "ReplicaSet", redact_nothing },
	{ "ReplicationController", redact_nothing },
	{ "ResourceQuota", redact_nothing },
	{ "Role", redact_nothing },
	{ "RoleBinding", redact_nothing },
	{ "Secret", redact_secret },
	{ "Service", redact_nothing },
	{ "ServiceAccount", redact_nothing },
	{ "ShardAutoscaler", redact_nothing },
	{ "StatefulSet", redact_nothing },
	{ "StorageClass", redact_volume },
	{ "ValidatingWebhookConfiguration", redact_webhooks },
	{ "WorldInstance", redact_nothing },
	{ "WorldShard", redact_nothing },
	{ "WorldStorageClaim", redact_nothing },
};

/* Messages of conditions, container states and phases, however deep. */
static void redact_messages(struct walk *walk, const char *name, json_t *value)
{
	const char *key;
	json_t *child;
	size_t i;

	if (walk->depth >= DIAG_MAX_DEPTH)
		return;
	walk->depth++;
	if (json_is_string(value) && diag_str_in(name, "message", "note", "error", NULL))
		diag_redact_string(walk, value);
	json_object_foreach(value, key, child)
		redact_messages(walk, key, child);
	json_array_foreach(value, i, child)
		redact_messages(walk, name, child);
	walk->depth--;
}

/* Pod templates stand in one of these places; the pod itself in the first. */
static void redact_templates(struct walk *walk, json_t *object)
{
	const char *const *const places[] = {
		DIAG_PATH("spec", "template"),
		DIAG_PATH("spec", "jobTemplate", "spec", "template"),
		DIAG_PATH("template"),
	};

	diag_redact_pod_spec(walk, json_object_get(object, "spec"));
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(places); i++) {
		json_t *template = diag_json_at(object, places[i]);

		diag_redact_annotations(walk, json_object_get(template, "metadata"), false);
		diag_redact_pod_spec(walk, json_object_get(template, "spec"));
	}
}

/* A kind we do not know: all of it but its names. */
static void redact_unknown(struct walk *walk, json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) {
		walk->learn = strcmp(key, "status") != 0;
		if (!diag_str_in(key, "apiVersion", "kind", "metadata", NULL))
			diag_redact_any(walk, key, value);
	}
}

static void redact_kind(struct walk *walk, const char *kind, json_t *object)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(kinds); i++) {
		if (!diag_str_eq(kind, kinds[i].kind))
			continue;
		redact_templates(walk, object);
		kinds[i].redact(walk, object);
		walk->learn = false;
		redact_messages(walk, NULL, json_object_get(object, "status"));
		return;
	}
	redact_unknown(walk, object);
}

static void redact_list(struct walk *walk, const json_t *items)
{
	json_t *item;
	size_t i;

	json_array_foreach(items, i, item)
		diag_redact_one(walk, item);
}

void diag_redact_one(struct walk *walk, json_t *object)
{
	const char *kind = diag_json_str(object, "kind");
	const json_t *items = diag_json_array(object, "items");
	bool learn = walk->learn;

	if (walk->depth >= DIAG_MAX_DEPTH)
		return;
	/* An object without kind whose data has a type beside it is a Secret of a bare list. */
	if (!kind && diag_json_str(object, "type") && diag_json_object(object, "data"))
		kind = "Secret";
	walk->depth++;
	walk->learn = true;
	if (items && (!kind || diag_str_ends(kind, "List"))) {
		redact_list(walk, items);
	} else {
		redact_kind(walk, kind, object);
		walk->learn = true;
		diag_redact_annotations(walk, json_object_get(object, "metadata"),
					diag_str_eq(kind, "Secret"));
	}
	walk->learn = learn;
	walk->depth--;
}

void diag_redact_object(struct diag_redact *redact, json_t *object)
{
	struct walk walk = { .redact = redact };

	diag_redact_one(&walk, object);
}
