/* YAML 1.1 as kubectl reads it (sigs.k8s.io/yaml over go-yaml), through libyaml. */
#pragma once

#include <jansson.h>
#include <stddef.h>

#include "base/error.h"
#include "text/position.h"

/**
 * Load YAML text with any number of documents; empty documents are left out.
 *
 * Plain scalars are typed as kubectl types them: y/n/yes/no/on/off in any of the three usual cases
 * are booleans, 0o17 and 017 are octal, 0x1f hexadecimal, 1_000 a number, .inf and .nan strings
 * (JSON has none); quoted scalars are strings. Object keys become strings (`1:` is "1", `yes:` is
 * "true"). A duplicate key is an error, as in kubectl. Anchors, aliases and merge keys (<<) work
 * within limits.
 *
 * Parameters as diag_json_load(). Returns DIAG_OK, PARSE or LIMIT, with err->line set.
 */
int diag_yaml_load(const char *text, size_t length, struct diag_positions *positions,
		   const char *file, int first_line, json_t **ret_documents,
		   struct diag_error *err);
