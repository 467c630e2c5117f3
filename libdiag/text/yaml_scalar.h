/* What a scalar of a YAML document means, by the rules kubectl's YAML library uses. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/**
 * The value of a scalar.
 *
 * Source: sigs.k8s.io/yaml, goyaml.v2 (YAML 1.1 with Go's number syntax): booleans in the spellings
 * y yes true on / n no false off, each lower, Capitalised or UPPER; null as ~, null or nothing;
 * integers as strconv.ParseInt with base 0 after removing underscores; floats; everything else is
 * text. Numbers JSON cannot hold (.inf, .nan) become text. Timestamps stay text.
 *
 * @text   terminated
 * @plain  not quoted and not a block scalar
 * @tag    full tag URI, or NULL
 *
 * Returns a new value, or NULL when an explicit tag does not fit the text.
 */
json_t *diag_yaml_scalar(const char *text, bool plain, const char *tag);

/**
 * The object key that a scalar gives: numbers and booleans as Go prints them.
 *
 * Returns a malloc'ed string, or NULL for a null key, which JSON cannot have.
 */
char *diag_yaml_key(const char *text, bool plain, const char *tag);
