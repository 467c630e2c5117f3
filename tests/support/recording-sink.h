/* A sink that writes down what is pushed, a line each, in order. */
#pragma once

#include "base/buf.h"
#include "model/sink.h"

/*
 * The lines:
 *	page RESOURCE NAMESPACE FILE json|yaml ITEMS
 *	log NAMESPACE POD CONTAINER current|previous whole|cut TEXT
 *	state RESOURCE NAMESPACE STATE: REASON
 *	problem FILE:LINE: MESSAGE
 *	fact NAME=VALUE
 * An absent namespace is "-". Of a log's text the first 40 bytes are written, "|" for a line's end.
 */
struct recording_sink {
	struct diag_sink sink; /* first */
	struct diag_buf lines;
	const char *const *wants; /* NULL-terminated; NULL for everything */
};

/** Start with nothing recorded; `wants` borrowed. */
void recording_sink_init(struct recording_sink *recording, const char *const *wants);
void recording_sink_done(struct recording_sink *recording);

/** Fail the test unless some line begins with `start`. */
void recording_sink_has(const struct recording_sink *recording, const char *start);

/** Fail the test when some line begins with `start`. */
void recording_sink_lacks(const struct recording_sink *recording, const char *start);

/** How many lines begin with `start`. */
size_t recording_sink_count(const struct recording_sink *recording, const char *start);

/** Where the first line that begins with `start` stands, in bytes; fails the test without one. */
size_t recording_sink_at(const struct recording_sink *recording, const char *start);
