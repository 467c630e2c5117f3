/*
 * Logs of a bundle that wait in memory until all objects were pushed, up to a limit. The first that
 * does not fit ends the keeping: from there on logs are left for a pass of their own.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "model/sink.h"

struct diag_bundle_logs;

/** @most bytes of all logs together */
struct diag_bundle_logs *diag_bundle_logs_new(size_t most);
void diag_bundle_logs_free(struct diag_bundle_logs *logs);

/** Keep a copy of a log, by the name of its file; full when it does not fit. */
void diag_bundle_logs_hold(struct diag_bundle_logs *logs, const char *file,
			   const struct diag_log *log);

/** Whether this log was kept. */
bool diag_bundle_logs_has(const struct diag_bundle_logs *logs, const char *file);

/** Whether some log was not kept. */
bool diag_bundle_logs_is_full(const struct diag_bundle_logs *logs);

/** Push the logs that were kept, in the order they came, and give their memory back. */
void diag_bundle_logs_push(struct diag_bundle_logs *logs, struct diag_sink *sink);
