/*
 * Foreign text made safe for each format. Every function first does what diag_clean_add() does, so
 * that a control character or a byte that is no UTF-8 reaches none of them.
 */
#pragma once

#include "base/buf.h"

/** XML and HTML, content and quoted attributes (XML 1.0, section 2.4); newlines are kept. */
void diag_escape_xml(struct diag_buf *out, const char *text);

/** The message of a GitHub workflow command. Source: actions/toolkit, escapeData(). */
void diag_escape_github(struct diag_buf *out, const char *text);

/** A property of a GitHub workflow command. Source: actions/toolkit, escapeProperty(). */
void diag_escape_github_property(struct diag_buf *out, const char *text);

/** The value of a label. Source: Prometheus, text-based exposition format. */
void diag_escape_prometheus(struct diag_buf *out, const char *text);

/** The description of a test point. Source: TAP version 14, "Escaping". */
void diag_escape_tap(struct diag_buf *out, const char *text);

/** A double-quoted YAML string, with its quotes, on one line. */
void diag_escape_yaml(struct diag_buf *out, const char *text);

/**
 * Running text of GitHub's and GitLab's Markdown, on one line: no markup, no HTML, no mention of a
 * person, no reference to an issue. Source: CommonMark 2.4.
 */
void diag_escape_markdown(struct diag_buf *out, const char *text);

/** A Markdown code span of the text, on one line. Source: CommonMark 6.1. */
void diag_escape_markdown_code(struct diag_buf *out, const char *text);

/** A relative path as a URI reference (RFC 3986): any byte may be in it. */
void diag_escape_uri(struct diag_buf *out, const char *path);
