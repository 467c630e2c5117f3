/*
 * A baseline: what was found before, so that only what is new counts. One JSON document,
 *
 *   {"version": 1, "findings": [{"fingerprint": "…", "check": "…", "object": "…", "message": "…"}]}
 *
 * sorted, so that a change of it reads well in a review; only the fingerprint is compared.
 */
#pragma once

#include <jansson.h>

#include "base/error.h"
#include "base/map.h"
#include "model/finding.h"

/** What a baseline says of findings; the caller's. Those that are suppressed are left out. */
json_t *diag_baseline_of(const struct diag_findings *findings);

/** Read one. Returns DIAG_OK, NOT_FOUND, IO, PARSE or INVALID. */
int diag_baseline_read(const char *path, json_t **ret_baseline, struct diag_error *err);

/** Write one; the file is complete or not touched. */
int diag_baseline_write(const char *path, const json_t *baseline, struct diag_error *err);

/** Its fingerprints, each with its entry; the caller frees the map, the entries stay its. */
struct diag_map *diag_baseline_index(const json_t *baseline);

/** Its entries that `findings` do not have any more; the caller's. */
json_t *diag_baseline_gone(const json_t *baseline, const struct diag_findings *findings);
