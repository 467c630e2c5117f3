/* The renderers behind the table in report.c; docs/ shows what each prints. */
#pragma once

#include "report/report.h"

void diag_render_text(const struct diag_report *report, struct diag_buf *out);
void diag_render_short(const struct diag_report *report, struct diag_buf *out);
void diag_render_json(const struct diag_report *report, struct diag_buf *out);
void diag_render_ndjson(const struct diag_report *report, struct diag_buf *out);
void diag_render_sarif(const struct diag_report *report, struct diag_buf *out);
void diag_render_junit(const struct diag_report *report, struct diag_buf *out);
void diag_render_tap(const struct diag_report *report, struct diag_buf *out);
void diag_render_markdown(const struct diag_report *report, struct diag_buf *out);
void diag_render_html(const struct diag_report *report, struct diag_buf *out);
void diag_render_github(const struct diag_report *report, struct diag_buf *out);
void diag_render_gitlab(const struct diag_report *report, struct diag_buf *out);
void diag_render_prometheus(const struct diag_report *report, struct diag_buf *out);
