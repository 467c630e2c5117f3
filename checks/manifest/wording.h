/* A schema and a value in words. */
#pragma once

#include <jansson.h>

#include "base/buf.h"
#include "text/schema.h"

/** What a field may hold: "one of 1 and many", "a version X.Y.Z", "an integer from 1 to 65535". */
void say_wanted(struct diag_buf *out, const json_t *schema);

/** What it holds: "the number 1", "'abc'", "a list". */
void say_value(struct diag_buf *out, const json_t *value);

/** The text to write instead, as it would stand in YAML; false when there is no single one. */
bool say_correction(struct diag_buf *out, const struct diag_schema_fault *fault);
