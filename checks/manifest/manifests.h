/* What the checks of manifests share: the objects that people write, and how a field is told of. */
#pragma once

#include "bindery/schema.h"
#include "text/schema.h"

#include "checks/support.h"

/* Resources that people write, for descriptors. */
#define MANIFEST_REQUIRES                                                                          \
	"booklets.bindery.platform", "modulemanifests.bindery.platform",                           \
		"worldinstances.bindery.platform"
#define MANIFEST_ENRICHES                                                                          \
	"realms.bindery.platform", "worldstorageclaims.bindery.platform",                          \
		"capabilitydefinitions.bindery.platform", "shardautoscalers.bindery.platform"

/** Call `visit` for each object that people write, of the subject namespaces. */
void each_manifest(const struct diag_check_ctx *ctx,
		   void (*visit)(const struct diag_check_ctx *ctx, json_t *object, void *arg),
		   void *arg);

/** True for an object out of a file; those of a cluster have passed its API server. */
bool is_from_file(const struct diag_check_ctx *ctx, const json_t *object);

/** Validate the objects out of files, each against the schema of its kind; at most
 * MANIFEST_MAX_FAULTS are told of one. Returns how many objects there were. */
size_t each_schema_fault(const struct diag_check_ctx *ctx,
			 void (*tell)(const struct diag_check_ctx *ctx, json_t *object,
				      const struct diag_schema_fault *fault, const char *crd));

#define MANIFEST_MAX_FAULTS 50

/** File and line of the field that a fault is about, else of the object. */
void finding_at_fault(const struct diag_check_ctx *ctx, struct diag_finding *finding,
		      const json_t *object, const struct diag_schema_fault *fault);

/** Keys, so that what follows from an object that is not there is a consequence. */
void finding_about_manifest(struct diag_finding *finding, const json_t *object);

/** Names of the annotations that are read from a ModuleManifest, without `bindery.dev/`;
 * `*ret_count` of them. Source: section 2.2. */
const char *const *manifest_annotations(size_t *ret_count);

/* A field of an earlier release of the platform. */
struct former_field {
	const char *kind;
	const char *former; /* in spec */
	const char *now;
};

/** The former field that an object holds in spec, or NULL. */
const struct former_field *former_field_of(const json_t *object);
