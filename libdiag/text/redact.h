/*
 * Redaction: what the sink does to every object and log before anything is kept. Secret values
 * become tokens such as ***HIDDEN-17***, the same value the same token, numbered by first
 * appearance, so that nothing can be guessed from them. Three nets, each enough on its own for what
 * it knows:
 *
 *   places    a Secret's data, env variables and settings whose name looks like a credential
 *   patterns  tokens, keys, headers, URLs, connection strings, key=value (text/redact_table.c)
 *   values    what the first two saw is masked wherever else it occurs: plain, base64 at any
 *             alignment, URL- and JSON-escaped
 *
 * Objects should come before logs, and Secrets before other objects: a value found late cannot be
 * taken out of what was already passed. diag_redact_learnt() tells whether there were any such.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/macros.h"

#define DIAG_REDACT_WITHHELD   "[line withheld: redaction gave up]"
#define DIAG_REDACT_MIN_VALUE  ((size_t)6)        /* shorter values are not hunted */
#define DIAG_REDACT_MAX_VALUE  ((size_t)4096)     /* longer ones are hunted in pieces */
#define DIAG_REDACT_MAX_LONG   ((size_t)16384)    /* bytes of a longer one that are */
#define DIAG_REDACT_MAX_BYTES  ((size_t)32 << 20) /* all hunted forms together */
#define DIAG_REDACT_MAX_TOKENS ((size_t)200000)   /* past it masks carry no number */

struct diag_redact;

struct diag_redact *diag_redact_new(void);
void diag_redact_free(struct diag_redact *redact); /* NULL is fine */

/**
 * Hunt this value from now on: any bytes, as they are, base64 at any alignment, URL- and
 * JSON-escaped.
 *
 * Surrounding white space is not part of it. Values under DIAG_REDACT_MIN_VALUE bytes, numbers,
 * addresses and common words (true, default, localhost ...) are not learnt: masking them everywhere
 * would hide more than it protects.
 */
void diag_redact_learn(struct diag_redact *redact, const char *value, size_t length);

/** Different values hunted so far; when it grows, text redacted before may hold one of the new. */
size_t diag_redact_learnt(const struct diag_redact *redact);

/**
 * Add a pattern of the user's: group 1 (or the whole match without groups) is masked on every line.
 *
 * A pattern that reaches its limits on a line gets that line withheld, and from then on half the
 * steps per line (down to a floor), so that the time it can cost is bounded.
 *
 * Returns DIAG_OK, INVALID or LIMIT.
 */
int diag_redact_add_pattern(struct diag_redact *redact, const char *pattern,
			    struct diag_error *err);

/**
 * Mask secrets in text: a log or a piece of it that begins and ends at line boundaries, a message.
 *
 * Cost: one pass for the patterns' literals and one for learnt values, both linear in the text and
 * independent of the number of values but for a logarithmic look-up at likely places.
 *
 * @text, @length any bytes
 * @ret           opened by the caller; the masked copy is appended. What exceeds its ceiling is
 *                missing there (diag_buf_failed())
 *
 * Returns false, with nothing appended, when the text may be kept as it is.
 */
bool diag_redact_text(struct diag_redact *redact, const char *text, size_t length,
		      struct diag_buf *ret);

/**
 * Mask secrets in one Kubernetes object, in place, and learn the values found.
 *
 * Secrets keep keys and sizes: `***HIDDEN-3*** (17 bytes)`. Names, labels, selectors and references
 * are never touched. Objects of kinds that cannot hold foreign text cost a few look-ups; an object
 * of a kind we do not know is searched whole. Redacting twice changes nothing more.
 */
void diag_redact_object(struct diag_redact *redact, json_t *object);

/** Whether a learnt value occurs in the text in any form: for a last check of what was written. */
bool diag_redact_finds(const struct diag_redact *redact, const char *text, size_t length);

/** Bytes of the longest hunted form: what two pieces of a stream must overlap by, less one. */
size_t diag_redact_longest(const struct diag_redact *redact);

/** Lines withheld because a pattern gave up on them. */
size_t diag_redact_withheld(const struct diag_redact *redact);

/** Places masked so far. */
size_t diag_redact_masked(const struct diag_redact *redact);

DIAG_GUARD(diag_redact_auto, struct diag_redact *, diag_redact_free);
#define diag_redact_auto DIAG_CLEANUP(diag_redact_auto)
