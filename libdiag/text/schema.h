/*
 * Objects against an OpenAPI v3 schema, as the API server validates custom resources: a wrong type,
 * a missing or unknown field, a value that is not allowed. Defaults are not filled in, and CEL
 * rules (x-kubernetes-validations), allOf, anyOf, oneOf and not are passed over. Source:
 * Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions", structural schemas.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

enum diag_schema_rule {
	DIAG_SCHEMA_TYPE,
	DIAG_SCHEMA_REQUIRED, /* a field that must be there is not */
	DIAG_SCHEMA_ENUM,
	DIAG_SCHEMA_PATTERN,
	DIAG_SCHEMA_LENGTH, /* of a string, or the number of a list's elements */
	DIAG_SCHEMA_RANGE,
	DIAG_SCHEMA_UNKNOWN, /* a field that the API server drops */
};

struct diag_schema_fault {
	enum diag_schema_rule rule;
	const char *path;     /* "spec.provides[0].scope"; of the missing field for REQUIRED */
	const char *field;    /* its last part */
	const json_t *value;  /* NULL for REQUIRED */
	const json_t *schema; /* of the value or the missing field; NULL for UNKNOWN */
	const char *nearest;  /* UNKNOWN: the field that was meant; REQUIRED: the one there is; or
				 NULL */
	/* UNKNOWN: `nearest` is a required field that is not there, so that fault tells of both. */
	bool told;
	/* Where it stands: container[key], or container[index] when key is NULL; all of the missing
	 * field's parent. A NULL container is the root. */
	const json_t *container;
	const char *key;
	size_t index;
};

/**
 * Call `tell` for each fault, in the order of the value; everything it gets lives until it returns.
 *
 * @schema an object; whatever is malformed in it demands nothing
 */
void diag_schema_validate(json_t *value, const json_t *schema,
			  void (*tell)(const struct diag_schema_fault *fault, void *arg),
			  void *arg);
