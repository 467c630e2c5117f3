#include "checks/manifest/manifests.h"

#include "base/str.h"
#include "text/json.h"

static const char *const resources[] = { MANIFEST_REQUIRES, MANIFEST_ENRICHES };

void each_manifest(const struct diag_check_ctx *ctx,
		   void (*visit)(const struct diag_check_ctx *ctx, json_t *object, void *arg),
		   void *arg)
{
	for (size_t r = 0; r < DIAG_ARRAY_SIZE(resources); r++) {
		const json_t *list = diag_snapshot_subjects(ctx->snapshot, resources[r]);
		json_t *object;
		size_t i;

		json_array_foreach(list, i, object) {
			visit(ctx, object, arg);
		}
	}
}

bool is_from_file(const struct diag_check_ctx *ctx, const json_t *object)
{
	return diag_snapshot_position_self(ctx->snapshot, object).file != NULL;
}

struct validation {
	const struct diag_check_ctx *ctx;
	void (*tell)(const struct diag_check_ctx *ctx, json_t *object,
		     const struct diag_schema_fault *fault, const char *crd);
	/* Of the kind that is looked at: objects come kind by kind. */
	const char *kind;
	json_t *schema;
	const char *crd;
	json_t *object;
	size_t objects, told;
};

static void tell_one(const struct diag_schema_fault *fault, void *arg)
{
	struct validation *validation = arg;

	if (validation->told++ < MANIFEST_MAX_FAULTS)
		validation->tell(validation->ctx, validation->object, fault, validation->crd);
}

static void validate(const struct diag_check_ctx *ctx, json_t *object, void *arg)
{
	struct validation *validation = arg;
	const char *kind = diag_ref_of(object).kind;

	if (!is_from_file(ctx, object))
		return;
	validation->objects++;
	if (!diag_str_eq(kind, validation->kind)) {
		json_decref(validation->schema);
		validation->schema = bindery_schema(ctx->snapshot, kind, &validation->crd);
		validation->kind = kind;
	}
	validation->object = object;
	validation->told = 0;
	if (validation->schema)
		diag_schema_validate(object, validation->schema, tell_one, validation);
}

size_t each_schema_fault(const struct diag_check_ctx *ctx,
			 void (*tell)(const struct diag_check_ctx *ctx, json_t *object,
				      const struct diag_schema_fault *fault, const char *crd))
{
	struct validation validation = { .ctx = ctx, .tell = tell };

	each_manifest(ctx, validate, &validation);
	json_decref(validation.schema);
	return validation.objects;
}

void finding_at_fault(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		      const json_t *object, const struct diag_schema_fault *fault)
{
	if (fault->container && fault->key)
		diag_finding_at_line(finding, diag_snapshot_position_key(
						      ctx->snapshot, fault->container, fault->key));
	else if (fault->container)
		diag_finding_at_line(finding,
				     diag_snapshot_position_index(ctx->snapshot, fault->container,
								  fault->index));
	finding_at_spec(ctx, finding, object, NULL);
}

void finding_about_manifest(struct diag_finding *finding, const json_t *object)
{
	static const struct {
		const char *kind, *key;
	} keys[] = {
		{ "ModuleManifest", "module" },
		{ "Booklet", "booklet" },
		{ "Realm", "realm" },
		{ "WorldInstance", "world" },
	};
	struct diag_ref ref = diag_ref_of(object);

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(keys); i++)
		if (diag_str_eq(ref.kind, keys[i].kind))
			diag_finding_at(finding, keys[i].key, ref.namespace_, ref.name);
}

const char *const *manifest_annotations(size_t *ret_count)
{
	static const char *const names[] = {
		"runtime-image",    "runtime-port",         "termination-grace-period",
		"pre-stop-command", "storage-tier",         "storage-size",
		"storage-scope",    "storage-access-modes", "storage-mount-path",
	};

	*ret_count = DIAG_ARRAY_SIZE(names);
	return names;
}

/* Source: bindery-platform.md section 13. */
const struct former_field *former_field_of(const json_t *object)
{
	static const struct former_field fields[] = {
		{ "WorldInstance", "bookletRef", "gameRef" },
		{ "WorldInstance", "gameDefinitionRef", "gameRef" },
		{ "Booklet", "bookletId", "gameId" },
	};
	const json_t *spec = diag_json_object(object, "spec");

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(fields); i++)
		if (diag_str_eq(diag_json_str(object, "kind"), fields[i].kind) &&
		    json_object_get(spec, fields[i].former) &&
		    !json_object_get(spec, fields[i].now))
			return &fields[i];
	return NULL;
}
