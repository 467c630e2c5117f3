/* A reference to an object, as Kubernetes names one. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

struct diag_ref {
	const char *kind;       /* "Pod"; never NULL in a finding */
	const char *namespace_; /* NULL for cluster-scoped objects */
	const char *name;
};

/** Reference to a loaded object; strings are borrowed from it. Wrong types read as "". */
struct diag_ref diag_ref_of(const json_t *object);

/** Reference from parts; strings are borrowed. */
struct diag_ref diag_ref_make(const char *kind, const char *namespace_, const char *name);

bool diag_ref_eq(struct diag_ref a, struct diag_ref b);
