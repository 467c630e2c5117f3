/* What the parts of reading a bundle share while one is being loaded. */
#pragma once

#include <jansson.h>

#include "base/arena.h"
#include "base/map.h"
#include "bundle/archive.h"
#include "bundle/layout.h"
#include "model/sink.h"
#include "source/bundle_logs.h"
#include "source/bundle_states.h"

enum pass {
	PASS_OBJECTS, /* objects and errors; logs are kept in memory */
	PASS_TWINS,   /* .yaml pages that are needed, and files that a link names */
	PASS_LOGS,    /* logs that did not fit into memory */
};

struct loading {
	struct diag_sink *sink;
	struct diag_archive *archive; /* of the current pass */
	enum pass pass;
	size_t log_bytes;
	struct diag_arena *arena;
	struct diag_bundle_states *states;
	struct diag_bundle_logs *logs;
	struct diag_map *alias_targets; /* name of a file -> struct alias to read it as */
	const char *top;                /* of the bundle that is read; NULL until known */
	bool second;                    /* another bundle was told of */
	bool broken;                    /* the bundle could not be read to its end */
	/* Top folder -> value; which one counts is known at the end. */
	struct diag_map *server_versions, *times;
	int64_t newest_ms;
};

void diag_bundle_loading_init(struct loading *loading, size_t held_bytes);
void diag_bundle_loading_done(struct loading *loading);

/**
 * Whether an entry belongs to the bundle that is read: that of the first list or log. Entries that
 * do not tell are taken on trust before that.
 */
bool diag_bundle_is_ours(struct loading *loading, const struct diag_bundle_path *path);

/** Remember that a file is there, whether it is read or not. */
void diag_bundle_note_file(struct loading *loading, const struct diag_bundle_path *path,
			   const struct diag_archive_entry *entry);

/** Push the content of a list's file. */
void diag_bundle_push_page(struct loading *loading, const struct diag_bundle_path *path,
			   const char *file, const char *bytes, size_t length);

/** The content of a list's file cannot be had. */
void diag_bundle_page_lost(struct loading *loading, const struct diag_bundle_path *path,
			   const char *file, const struct diag_error *why);

/** Remember a wanted name that is a link. */
void diag_bundle_note_alias(struct loading *loading, const struct diag_bundle_path *path,
			    const struct diag_archive_entry *entry);

/** Whether some file has to be read under another name. */
bool diag_bundle_has_aliases(const struct loading *loading);

/** The name a file has to be read under, or NULL; it counts as found. */
const char *diag_bundle_alias_of(struct loading *loading, const char *name);

/** Name the links that led to nothing. */
void diag_bundle_aliases_finish(struct loading *loading);

/** Take what a file of facts says; `document` may be of any type, or NULL. */
void diag_bundle_note_fact(struct loading *loading, const struct diag_bundle_path *path,
			   const json_t *document);

/** Push all facts. */
void diag_bundle_push_facts(const struct loading *loading, const char *origin);
