/* A support bundle as a source: ours, or one made by replicatedhq/troubleshoot; archive or folder.
 */
#pragma once

#include "base/cancel.h"
#include "base/error.h"
#include "model/source.h"

/**
 * Open a bundle for loading. Nothing is read before diag_source_load(); nothing is written, ever.
 *
 * @path   archive or folder
 * @cancel borrowed, may be NULL
 *
 * Returns DIAG_OK, or NOT_FOUND.
 */
int diag_bundle_open(const char *path, const struct diag_cancel *cancel,
		     struct diag_source **ret_source, struct diag_error *err);
