/*
 * What every tool does before and after its work: process-wide set-up, the source options, loading
 * a snapshot, writing the report. The only place that prints.
 */
#pragma once

#include <stddef.h>

#include "base/cancel.h"
#include "base/error.h"
#include "cli/exit.h"
#include "cli/kube.h"
#include "cli/opt.h"
#include "model/snapshot.h"

/* Where the objects come from; part of each tool's option struct, named `source`. */
struct diag_source_options {
	const char *bundle;
	struct diag_opt_list filenames;
	struct diag_opt_list namespaces;
	bool all_namespaces;
	int64_t at_ms;
	struct diag_kube_options kube;
};

/* clang-format off */
/* The rows of the option table for `struct TYPE { …; struct diag_source_options source; … }`. */
#define DIAG_OPT_SOURCE(type)                                                                      \
	{ 'f', "filename", "PATH", "manifests: a YAML or JSON file, a folder with all below it, or - for stdin; may be repeated", \
	  "Source", DIAG_OPT_PATHS, offsetof(type, source.filenames), .values = DIAG_VALUES_FILE }, \
	{ 0, "bundle", "PATH", "a support bundle, as an archive or a folder",                      \
	  "Source", DIAG_OPT_STRING, offsetof(type, source.bundle), .values = DIAG_VALUES_FILE },  \
	{ 'n', "namespace", "NS", "look at this namespace; may be repeated (default: the context's; with --bundle or -f all that hold a world or module)", \
	  "Source", DIAG_OPT_LIST, offsetof(type, source.namespaces), .values = DIAG_VALUES_NAMESPACE }, \
	{ 'A', "all-namespaces", NULL, "look at every namespace",                                  \
	  "Source", DIAG_OPT_FLAG, offsetof(type, source.all_namespaces) },                        \
	{ 0, "at", "TIME", "take this as the time of the snapshot (RFC 3339) instead of its own",  \
	  "Source", DIAG_OPT_TIME, offsetof(type, source.at_ms) }
/* clang-format on */

/** Process-wide set-up: signals that cancel, a closed pipe that ends quietly. Returns the cancel
 * flag. */
const struct diag_cancel *diag_app_start(void);

/**
 * Load a snapshot from whatever the source options name.
 *
 * @wants what to load, as in struct diag_snapshot_options
 *
 * Returns DIAG_OK; INVALID for options that contradict each other or name nothing; else the
 * source's error.
 */
int diag_app_load(const struct diag_source_options *options, const char *const *wants,
		  const struct diag_cancel *cancel, struct diag_snapshot **ret_snapshot,
		  struct diag_error *err);

/** Write text to a file ("-" for stdout), completely or not at all, see diag_file_replace(). A
 * closed pipe is no error. */
int diag_app_write(const char *file, const char *text, struct diag_error *err);

/** Print "TOOL: MESSAGE" to stderr, cleaned, and return the exit status that fits the error. */
int diag_app_fail(const char *tool, const struct diag_error *err);

/** Print one line to stderr, cleaned. */
void diag_app_warn(const char *tool, const char *format, ...) DIAG_PRINTF(2, 3);
