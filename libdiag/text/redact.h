/*
 * Masking what must not leave the cluster, before anything is kept. Two ways: values learnt from
 * Secrets and environment variables are hunted wherever they occur; patterns find what looks like a
 * credential. The same secret always gets the same mask, numbered by first appearance, so that a
 * mask tells nothing of what it hides.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct diag_redact;

struct diag_redact *diag_redact_new(void);
void diag_redact_free(struct diag_redact *redact);

/**
 * Hunt this value from now on: as it is, base64 at any alignment, URL-escaped, JSON-escaped. Values
 * under six bytes and everyday words are not learnt: masking them would hide the report, not a
 * secret.
 */
void diag_redact_learn(struct diag_redact *redact, const char *value, size_t length);

/**
 * Mask one text, line by line where patterns are concerned.
 *
 * @ret_masked opened by the caller with its ceiling; written only when something had to change
 *
 * Returns true when `ret_masked` holds the masked copy, false when the text may stay as it is.
 */
bool diag_redact_text(struct diag_redact *redact, const char *text, size_t length,
		      struct diag_buf *ret_masked);

/**
 * Mask one Kubernetes object in place: Secret data; environment values with a credential's name or
 * look; commands, arguments, annotations, ConfigMap data and messages by pattern. Keys stay.
 */
void diag_redact_object(struct diag_redact *redact, json_t *object);

/** Lines withheld whole because the pattern engine gave up on them. */
size_t diag_redact_withheld(const struct diag_redact *redact);
