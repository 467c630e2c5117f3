/* A support bundle as a source: ours, or one made by replicatedhq/troubleshoot; archive or folder.
 */
#pragma once

#include "base/cancel.h"
#include "base/error.h"
#include "bundle/archive.h"
#include "model/source.h"

/* 0 in any of them: the default. */
struct diag_bundle_options {
	struct diag_archive_options archive; /* limits and the flag that interrupts */
	size_t log_bytes;  /* the end of one log that is kept; DIAG_MAX_LOG_BYTES */
	size_t held_bytes; /* logs kept in memory until the objects are through; 64 MiB */
};

/**
 * Open a bundle for loading. Nothing is read before diag_source_load(); nothing is written, ever.
 *
 * Loading pushes all objects before any log, since the sink learns from objects what to mask in
 * logs, while archives have any order. It goes over the bundle once, keeping logs in memory; a
 * second time for .yaml pages whose .json twin was not readable and for links to files that stand
 * elsewhere; and once more for the logs that did not fit. Most bundles need the first alone, and
 * none needs more memory than `held_bytes` and its largest page.
 *
 * What is pushed besides: facts ("source", "origin", "server-version", "taken", "taken-hint",
 * "newest-file"), states (source/bundle_states.h), and a problem for everything that was refused or
 * unreadable. When a file holds several bundles the first is read and the others are a problem.
 *
 * @path    archive or folder
 * @options copied; NULL for the defaults; `archive.cancel` stays borrowed
 *
 * Returns DIAG_OK, or NOT_FOUND, IO.
 */
int diag_bundle_open_with(const char *path, const struct diag_bundle_options *options,
			  struct diag_source **ret_source, struct diag_error *err);

/** As diag_bundle_open_with(), with defaults; `cancel` borrowed, may be NULL. */
int diag_bundle_open(const char *path, const struct diag_cancel *cancel,
		     struct diag_source **ret_source, struct diag_error *err);
