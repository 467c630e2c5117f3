/* What the operator reads of a ModuleManifest beyond provides and requires. Source: sections 2.2
 * and 6. */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "base/arena.h"

#define BINDERY_LABEL "bindery.platform/"

/** The `bindery.dev/NAME` annotation as written, borrowed; NULL: absent or blank. */
const char *bindery_manifest_annotation(const json_t *manifest, const char *name);

/** The same without the white space around it, which is what the operator goes by. */
const char *bindery_manifest_trimmed(struct diag_arena *arena, const json_t *manifest,
				     const char *name);

/**
 * The image of a module as written: spec.runtime.image, else the annotation runtime-image; NULL:
 * neither, or both blank, so that the module is not server-orchestrated. May have white space
 * around it.
 */
const char *bindery_manifest_image(const json_t *manifest);

/** The port: spec.runtime.port when 1..65535, else the annotation when valid, else 50051. */
int64_t bindery_manifest_port(const json_t *manifest);

/** Seconds of grace: spec.runtime, else the annotation when a number from 0; -1: not set. */
int64_t bindery_manifest_grace(const json_t *manifest);

/** The preStop command without the white space around it: spec.runtime, else the annotation, or
 * NULL. */
const char *bindery_manifest_pre_stop(struct diag_arena *arena, const json_t *manifest);
