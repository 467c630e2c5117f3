/*
 * The parts of which JSON reports are made: those of docs/schema/findings.schema.json, in one place
 * for `json` and `ndjson`, and text as every JSON format needs it. New values are the caller's.
 */
#pragma once

#include <jansson.h>

#include "report/report.h"

/** A string, null for NULL; bytes that are no UTF-8 become '?'. */
json_t *diag_report_json_text(const char *value);

/** As diag_clean_add() makes it, newlines kept: for formats that people read; not NULL. */
json_t *diag_report_json_clean(const char *value);

/** Set a key unless the value is NULL. */
void diag_report_json_set(json_t *object, const char *key, const char *value);

json_t *diag_report_json_ref(struct diag_ref ref);
json_t *diag_report_json_finding(const struct diag_finding *finding);
json_t *diag_report_json_result(const struct diag_result *result);
json_t *diag_report_json_progress(const struct diag_progress *progress);
json_t *diag_report_json_problem(const struct diag_problem *problem);
json_t *diag_report_json_source(const struct diag_report *report);
json_t *diag_report_json_tool(const struct diag_report *report);

/** Append a value and a newline; `flags` as for json_dumps(). */
void diag_report_json_write(const json_t *value, size_t flags, struct diag_buf *out);
