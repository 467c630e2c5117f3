/*
 * The one way into a snapshot or a bundle: sources push pages of bytes, the sink parses, prunes,
 * limits and redacts them before anything is kept. Nothing that a source reads goes around it.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* What we know about a resource in a namespace. An empty list and a forbidden one differ. */
enum diag_availability {
	DIAG_NOT_COLLECTED = 0, /* nobody asked, or no trace of it */
	DIAG_AVAILABLE,
	DIAG_EMPTY,
	DIAG_FORBIDDEN,
	DIAG_FAILED,
	DIAG_TRUNCATED, /* objects are there, but not all */
};

enum diag_page_format { DIAG_PAGE_JSON, DIAG_PAGE_YAML };

struct diag_page {
	const char *resource;          /* "pods", or NULL: by each object's apiVersion and kind */
	const char *namespace_;        /* the namespace that was listed, or NULL */
	const char *default_namespace; /* given to namespaced objects that name none, or NULL */
	const char *file;              /* where the bytes stand, for messages and positions */
	const char *bytes;
	size_t length;
	enum diag_page_format format;
	int first_line; /* line of the file at which the bytes begin; 0 counts as 1 */
	bool positions; /* remember file and line of every node */
	bool optional;  /* objects of unknown kinds are passed over without a word */
};

struct diag_log {
	const char *namespace_;
	const char *pod;
	const char *container;
	bool previous;
	const char *bytes; /* ends at the newest line */
	size_t length;
	bool truncated; /* the beginning was cut */
};

struct diag_sink;

struct diag_sink_ops {
	int (*page)(struct diag_sink *sink, const struct diag_page *page, struct diag_error *err);
	void (*log)(struct diag_sink *sink, const struct diag_log *log);
	void (*state)(struct diag_sink *sink, const char *resource, const char *namespace_,
		      enum diag_availability state, const char *reason);
	void (*problem)(struct diag_sink *sink, const char *file, int line, const char *message);
	void (*fact)(struct diag_sink *sink, const char *name, const char *value);
	bool (*wants)(const struct diag_sink *sink, const char *resource);
};

struct diag_sink {
	const struct diag_sink_ops *ops;
};

/**
 * Push one page: a List (`items`), a plain array, one object, or several documents.
 *
 * Items without kind take the page's resource. Broken items are recorded as problems and left out.
 *
 * Returns DIAG_OK, or PARSE or LIMIT when the page as a whole could not be read; the caller decides
 * whether that ends the run or is recorded with diag_sink_problem().
 */
int diag_sink_page(struct diag_sink *sink, const struct diag_page *page, struct diag_error *err);

/** Push the log of one container. */
void diag_sink_log(struct diag_sink *sink, const struct diag_log *log);

/** Say what is known of a resource ("pods"); `namespace_` NULL for all namespaces or cluster scope.
 */
void diag_sink_state(struct diag_sink *sink, const char *resource, const char *namespace_,
		     enum diag_availability state, const char *reason);

/** Name something that could not be read; the run is incomplete (exit 4). `line` 0 when unknown. */
void diag_sink_problem(struct diag_sink *sink, const char *file, int line, const char *message);

/**
 * A fact about the source, for the report's header. Names: "source" (bundle, manifest, live),
 * "origin" (file name or context), "cluster", "context", "server-version", "operator-namespace",
 * "requests" (sent to an API
 * server), "overlay" (manifests laid over it), "taken" (RFC 3339: the source knows exactly),
 * "taken-hint" (RFC 3339: perhaps another zone), "newest-file" (RFC 3339: latest modification
 * time).
 */
void diag_sink_fact(struct diag_sink *sink, const char *name, const char *value);

/** Whether anybody asked for this resource ("logs" for container logs); sources may skip the rest.
 */
bool diag_sink_wants(const struct diag_sink *sink, const char *resource);
