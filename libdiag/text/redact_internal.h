/* What the parts of redaction share: masks (redact.c), hunting (redact_hunt.c), objects
 * (redact_object.c). */
#pragma once

#include "base/map.h"
#include "text/redact.h"
#include "text/regex.h"

/* A learnt value in one of its forms. */
struct needle {
	char *bytes;
	size_t length;
	size_t mask; /* number of the secret */
	size_t next; /* chain of needles with the same first four bytes; index + 1, 0 ends */
};

struct diag_redact {
	struct diag_map *masks; /* secret -> number, as a pointer */
	struct diag_regex **patterns;
	struct needle *needles;
	size_t needle_count, needle_capacity;
	size_t *table; /* hash of four bytes -> index + 1 of the first needle */
	size_t withheld;
};

/** The number of a secret, given when it is new. */
size_t diag_redact_number(struct diag_redact *redact, const char *secret, size_t length);

/** Append "***HIDDEN-N***". */
void diag_redact_put_mask(struct diag_buf *out, size_t number);

/** Add the forms of a learnt value. */
void diag_redact_add_needles(struct diag_redact *redact, const char *value, size_t length,
			     size_t mask);
void diag_redact_free_needles(struct diag_redact *redact);

/** Replace every known value; as diag_redact_text(). Linear in the text. */
bool diag_redact_hunt(const struct diag_redact *redact, const char *text, size_t length,
		      struct diag_buf *ret_masked);
