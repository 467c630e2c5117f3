/* Manifests as a source: files, folders and stdin, YAML or JSON, before anything is applied. */
#pragma once

#include "base/cancel.h"
#include "base/error.h"
#include "model/source.h"

struct diag_manifest_options {
	const char *const *paths; /* files, folders, "-" for stdin; NULL-terminated, borrowed */
	const char *default_namespace; /* for objects that name none; NULL: "default" */
	const struct diag_cancel *cancel;
};

/**
 * Open a set of manifests.
 *
 * A folder is read with all that is below it, in byte order of the paths: *.yaml, *.yml, *.json;
 * hidden files and folders, and files that hold no Kubernetes object (kustomization.yaml,
 * values.yaml) are passed over. A file named by itself is read whatever its name. Every YAML
 * document is read alone, so that a broken one loses only itself.
 *
 * Returns DIAG_OK, or NOT_FOUND for a path that does not exist.
 */
int diag_manifest_open(const struct diag_manifest_options *options, struct diag_source **ret_source,
		       struct diag_error *err);
