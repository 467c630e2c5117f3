#include "source/bundle_logs.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/map.h"

/* The names are in the arena, the bytes are malloc'ed: they go first. */
struct held {
	struct diag_log log;
	char *bytes;
};

struct diag_bundle_logs {
	struct diag_arena *arena;
	struct diag_map *files;
	struct held *held;
	size_t count, capacity;
	size_t total, most;
	bool full;
};

struct diag_bundle_logs *diag_bundle_logs_new(size_t most)
{
	struct diag_bundle_logs *logs = diag_xcalloc(1, sizeof(*logs));

	logs->arena = diag_arena_new();
	logs->files = diag_map_new();
	logs->most = most;
	return logs;
}

void diag_bundle_logs_free(struct diag_bundle_logs *logs)
{
	if (!logs)
		return;
	for (size_t i = 0; i < logs->count; i++)
		free(logs->held[i].bytes);
	free(logs->held);
	diag_map_free(logs->files);
	diag_arena_free(logs->arena);
	free(logs);
}

void diag_bundle_logs_hold(struct diag_bundle_logs *logs, const char *file,
			   const struct diag_log *log)
{
	struct held *held;

	if (logs->full || log->length > logs->most - logs->total) {
		logs->full = true;
		return;
	}
	logs->held = diag_xgrow(logs->held, logs->count, &logs->capacity, sizeof(*logs->held));
	held = &logs->held[logs->count++];
	*held = (struct held){ .log = *log, .bytes = diag_xstrndup(log->bytes, log->length) };
	held->log.bytes = held->bytes;
	held->log.namespace_ = diag_arena_strdup(logs->arena, log->namespace_);
	held->log.pod = diag_arena_strdup(logs->arena, log->pod);
	held->log.container = diag_arena_strdup(logs->arena, log->container);
	logs->total += log->length;
	diag_map_set(logs->files, file, logs);
}

bool diag_bundle_logs_has(const struct diag_bundle_logs *logs, const char *file)
{
	return diag_map_get(logs->files, file) != NULL;
}

bool diag_bundle_logs_is_full(const struct diag_bundle_logs *logs)
{
	return logs->full;
}

void diag_bundle_logs_push(struct diag_bundle_logs *logs, struct diag_sink *sink)
{
	for (size_t i = 0; i < logs->count; i++) {
		diag_sink_log(sink, &logs->held[i].log);
		free(logs->held[i].bytes);
		logs->held[i].bytes = NULL;
	}
	logs->count = 0;
}
