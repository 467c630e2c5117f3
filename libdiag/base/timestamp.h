/*
 * Points in time and durations. Kubernetes writes RFC 3339 (metav1.Time whole seconds, MicroTime
 * with microseconds); we keep milliseconds since the epoch, UTC.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIAG_TIME_NONE INT64_MIN
#define DIAG_SECOND_MS INT64_C(1000)
#define DIAG_MINUTE_MS (60 * DIAG_SECOND_MS)
#define DIAG_HOUR_MS   (60 * DIAG_MINUTE_MS)
#define DIAG_DAY_MS    (24 * DIAG_HOUR_MS)

/** Milliseconds of a clock that only runs forward. */
int64_t diag_clock_ms(void);

/** Now, milliseconds since the epoch. Never for what a snapshot is judged by: that has its own time.
 */
int64_t diag_time_now(void);

/** Parse RFC 3339 with any fraction and zone; DIAG_TIME_NONE for NULL, "" or anything else. */
int64_t diag_time_parse(const char *text);

/** Write `YYYY-MM-DDTHH:MM:SSZ`; "" for DIAG_TIME_NONE. `size` at least 21. Returns `ret_text`. */
const char *diag_time_format(int64_t time_ms, char *ret_text, size_t size);

/**
 * Parse a Go duration: `1h30m`, `90s`, `250ms`, `1.5h`, `0`. Source: Go time.ParseDuration, without
 * µs and ns.
 *
 * Returns true and milliseconds; false for anything else or more than about 290 million years.
 */
bool diag_duration_parse(const char *text, int64_t *ret_ms);

/** Write a duration as people read it: `45s`, `6m`, `3h12m`, `5d2h`; two units at most. Returns
 * `ret_text`. */
const char *diag_duration_format(int64_t ms, char *ret_text, size_t size);
