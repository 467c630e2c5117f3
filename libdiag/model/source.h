/* A way to fill a sink. Implementations: source/bundle.h, source/live.h, source/manifest.h. */
#pragma once

#include "base/cancel.h"
#include "base/error.h"
#include "base/macros.h"
#include "model/sink.h"
#include "model/snapshot.h"

struct diag_source;

struct diag_source_ops {
	const char *name; /* "bundle", "live", "manifest" */
	int (*load)(struct diag_source *source, struct diag_sink *sink, struct diag_error *err);
	/* Push the logs worth having; NULL: load() pushes them. */
	int (*logs)(struct diag_source *source, const struct diag_snapshot *snapshot,
		    struct diag_sink *sink, struct diag_error *err);
	void (*close)(struct diag_source *source);
};

struct diag_source {
	const struct diag_source_ops *ops;
	const struct diag_cancel *cancel; /* borrowed, may be NULL */
};

/**
 * Push everything the source has and the sink wants.
 *
 * Returns DIAG_OK also when parts were unreadable (they are problems in the sink); an error only
 * when nothing could be read: NOT_FOUND, IO, PARSE, LIMIT, CANCELLED.
 */
int diag_source_load(struct diag_source *source, struct diag_sink *sink, struct diag_error *err);

/**
 * The second step of loading, after diag_snapshot_finish(): push the logs of pods that the snapshot
 * shows to be in trouble. Nothing to do for sources whose first step pushed all logs.
 *
 * Returns DIAG_OK also when logs could not be had, after an interrupt too: states of "logs" say so.
 */
int diag_source_logs(struct diag_source *source, const struct diag_snapshot *snapshot,
		     struct diag_sink *sink, struct diag_error *err);

/** Close and free; NULL is fine. */
void diag_source_close(struct diag_source *source);

DIAG_GUARD(diag_source_auto, struct diag_source *, diag_source_close);
#define diag_source_auto DIAG_CLEANUP(diag_source_auto)
