/*
 * What the fields of a manifest may hold, and which of them anybody reads. The schema is that of
 * the CRD where there is one in the snapshot; else section 1.1 of the platform's reference, as a
 * table.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "model/snapshot.h"

enum bindery_field_flags {
	BINDERY_FIELD_REQUIRED = 1,
	BINDERY_FIELD_OPEN = 2,      /* an object without schema: any field is kept */
	BINDERY_FIELD_UNREAD = 4,    /* a setting that no controller reads (F06) */
	BINDERY_FIELD_UNBOUNDED = 8, /* a number that may be anything */
};

/* One field. `[]` in the path stands for each element, `{}` for each value of a map. */
struct bindery_field {
	const char *path;
	const char *type;
	unsigned flags;
	const char *values;  /* allowed ones, separated by blanks */
	const char *pattern; /* regular expression */
	int least;           /* shortest text or list, smallest number; 0: not bounded */
	int most;            /* largest number; 0: not bounded */
};

/** The fields of a kind, ending with a NULL path; NULL: a kind of which we have no table. */
const struct bindery_field *bindery_fields(const char *kind);

/** Kinds of the group bindery.platform that people write; ends with NULL. */
extern const char *const bindery_kinds[];

#define BINDERY_API_VERSION "bindery.platform/v1alpha1"

/* Patterns of the table, to be told in words. */
#define BINDERY_PATTERN_VERSION                                                                    \
	"^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"                                           \
	"(?:-[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$"
#define BINDERY_PATTERN_CAPABILITY "^[a-z][a-z0-9-]*(\\.[a-z][a-z0-9-]*)+$"

/**
 * The schema of a kind's objects, as OpenAPI v3. Metadata and status are open in it.
 *
 * @snapshot searched for the kind's CustomResourceDefinition; may be NULL
 * @ret_crd  name of the CRD it comes from, borrowed; NULL: from the table
 *
 * Returns a new reference, or NULL for a kind that neither knows.
 */
json_t *bindery_schema(const struct diag_snapshot *snapshot, const char *kind,
		       const char **ret_crd);
