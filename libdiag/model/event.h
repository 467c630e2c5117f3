/*
 * Events, of both shapes: core/v1 (count, firstTimestamp, lastTimestamp, involvedObject) and the
 * newer one that fills only eventTime and series (scheduler and others). Source: API reference,
 * Event v1.
 */
#pragma once

#include <jansson.h>
#include <stdint.h>

#include "model/ref.h"

/** The object the event is about. Borrowed. */
struct diag_ref diag_event_object(const json_t *event);

/** The uid of that object, or NULL: events of an earlier object of the same name carry another. */
const char *diag_event_object_uid(const json_t *event);

const char *diag_event_reason(const json_t *event);  /* never NULL */
const char *diag_event_message(const json_t *event); /* never NULL */

/**
 * When it was last seen: the latest of lastTimestamp, series.lastObservedTime, eventTime and
 * firstTimestamp; else creationTimestamp; DIAG_TIME_NONE when it carries no time at all.
 */
int64_t diag_event_time(const json_t *event);

/** How often it was seen, at least 1. */
int64_t diag_event_count(const json_t *event);

/** Order for qsort() over json_t pointers: newest first, undated ones last, then by name. */
int diag_event_compare(const void *a, const void *b);
