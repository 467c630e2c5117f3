/* The schema of a kind: found in a CRD, or built from our table. */
#include "bindery/schema.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"
#include "text/json.h"

/* The member of an object, made as an empty one when absent; borrowed. */
static json_t *member(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!value) {
		value = json_object();
		json_object_set_new(object, key, value);
	}
	return value;
}

static void set_type(json_t *schema, const char *type)
{
	json_object_set_new(schema, "type", json_string(type));
}

static void require(json_t *schema, const char *name)
{
	json_t *list = json_object_get(schema, "required");

	if (!list) {
		list = json_array();
		json_object_set_new(schema, "required", list);
	}
	json_array_append_new(list, json_string(name));
}

/* Step into one part of a path: "name", then any "[]" or "{}". `*ret_parent` is what it is a
 * property of, NULL when it is no property. */
static json_t *step(json_t *schema, const char *part, size_t length, json_t **ret_parent,
		    char **ret_name)
{
	size_t name = strcspn(part, "[{.");
	const char *rest = part + name;

	*ret_name = diag_xstrndup(part, name);
	*ret_parent = schema;
	set_type(schema, "object");
	schema = member(member(schema, "properties"), *ret_name);
	for (; rest < part + length; rest += 2) {
		*ret_parent = NULL;
		set_type(schema, *rest == '[' ? "array" : "object");
		schema = member(schema, *rest == '[' ? "items" : "additionalProperties");
	}
	return schema;
}

static void set_values(json_t *schema, const char *values)
{
	json_t *list = json_array();

	for (const char *at = values; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		json_array_append_new(list, json_stringn(at, length));
		at += length;
	}
	json_object_set_new(schema, "enum", list);
}

static void set_bounds(json_t *schema, const struct bindery_field *field)
{
	const char *least = strcmp(field->type, "string") == 0  ? "minLength"
			    : strcmp(field->type, "array") == 0 ? "minItems"
								: "minimum";
	bool number = diag_str_in(field->type, "integer", "number", NULL);

	/* Numbers of a manifest are not negative, unless nobody checks them. */
	if (field->least || (number && !(field->flags & BINDERY_FIELD_UNBOUNDED)))
		json_object_set_new(schema, least, json_integer(field->least));
	if (field->most)
		json_object_set_new(schema, "maximum", json_integer(field->most));
}

static void add_field(json_t *root, const struct bindery_field *field)
{
	json_t *schema = root, *parent = NULL;

	for (const char *part = field->path;;) {
		size_t length = strcspn(part, ".");
		char *name;
		bool last = !part[length];

		schema = step(schema, part, length, &parent, &name);
		if (last && parent && (field->flags & BINDERY_FIELD_REQUIRED))
			require(parent, name);
		free(name);
		if (last)
			break;
		part += length + 1;
	}
	set_type(schema, field->type);
	if (field->flags & BINDERY_FIELD_OPEN)
		json_object_set_new(schema, "x-kubernetes-preserve-unknown-fields", json_true());
	if (field->values)
		set_values(schema, field->values);
	if (field->pattern)
		json_object_set_new(schema, "pattern", json_string(field->pattern));
	set_bounds(schema, field);
}

static json_t *from_table(const char *kind)
{
	const struct bindery_field *fields = bindery_fields(kind);
	json_t *schema = fields ? json_object() : NULL;

	for (; fields && fields->path; fields++)
		add_field(schema, fields);
	return schema;
}

static const json_t *crd_of(const struct diag_snapshot *snapshot, const char *kind)
{
	const json_t *crd;
	size_t i;

	json_array_foreach(
		diag_snapshot_list(snapshot, "customresourcedefinitions.apiextensions.k8s.io"), i,
		crd) {
		if (diag_str_eq(diag_json_str(crd, "spec", "group"), "bindery.platform") &&
		    diag_str_eq(diag_json_str(crd, "spec", "names", "kind"), kind))
			return crd;
	}
	return NULL;
}

/* Of the version that we know; borrowed. */
static json_t *schema_of(const json_t *crd)
{
	const json_t *version;
	size_t i;

	json_array_foreach(diag_json_array(crd, "spec", "versions"), i, version) {
		json_t *schema = diag_json_object(version, "schema", "openAPIV3Schema");

		if (schema && diag_str_eq(diag_json_str(version, "name"), "v1alpha1"))
			return schema;
	}
	return NULL;
}

/* What every object has beside spec; status is a subresource, and dropped when it is applied. */
static json_t *whole_object(const json_t *schema)
{
	json_t *root = json_pack("{s:s, s:{s:{s:s}, s:{s:s}, s:{s:s}, s:{}}}", "type", "object",
				 "properties", "apiVersion", "type", "string", "kind", "type",
				 "string", "metadata", "type", "object", "status");
	json_t *spec = diag_json_get(schema, "properties", "spec");
	json_t *required = json_object_get(schema, "required");

	if (spec)
		json_object_set(json_object_get(root, "properties"), "spec", spec);
	if (required)
		json_object_set(root, "required", required);
	return root;
}

json_t *bindery_schema(const struct diag_snapshot *snapshot, const char *kind, const char **ret_crd)
{
	const json_t *crd = snapshot ? crd_of(snapshot, kind) : NULL;
	json_t *schema = schema_of(crd);
	json_auto_t *table = schema ? NULL : from_table(kind);

	*ret_crd = schema ? diag_json_str(crd, "metadata", "name") : NULL;
	return schema || table ? whole_object(schema ? schema : table) : NULL;
}
