/* A reference to an object, as Kubernetes names one. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct diag_ref {
	const char *kind;       /* "Pod"; never NULL in a finding */
	const char *namespace_; /* NULL for cluster-scoped objects */
	const char *name;
};

/** Reference to a loaded object; strings are borrowed from it. Wrong types read as "". */
struct diag_ref diag_ref_of(const json_t *object);

/** Reference from parts; strings are borrowed. */
struct diag_ref diag_ref_make(const char *kind, const char *namespace_, const char *name);

/** Append "game/ModuleManifest/store"; no namespace for what is in none. */
void diag_ref_name(struct diag_ref ref, struct diag_buf *out);

bool diag_ref_eq(struct diag_ref a, struct diag_ref b);

/** metadata.creationTimestamp, milliseconds; DIAG_TIME_NONE when absent. */
int64_t diag_created_at(const json_t *object);

/**
 * When people or other controllers last wrote it, as managedFields tell (status aside), at least
 * its creation; DIAG_TIME_NONE when it carries no time at all.
 */
int64_t diag_changed_at(const json_t *object);
