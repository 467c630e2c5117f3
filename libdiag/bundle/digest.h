/* SHA-256 of what is written into a bundle, and of what is read back. */
#pragma once

#include <stddef.h>

#include "base/macros.h"

#define DIAG_DIGEST_HEX 65 /* 64 digits and the end */

struct diag_digest;

struct diag_digest *diag_digest_new(void);
void diag_digest_free(struct diag_digest *digest); /* NULL is fine */

void diag_digest_add(struct diag_digest *digest, const void *bytes, size_t length);

/** The digest of all that was added, in lower-case hexadecimal; it begins anew afterwards. */
void diag_digest_take(struct diag_digest *digest, char ret_hex[DIAG_DIGEST_HEX]);

DIAG_GUARD(diag_digest_auto, struct diag_digest *, diag_digest_free);
#define diag_digest_auto DIAG_CLEANUP(diag_digest_auto)
