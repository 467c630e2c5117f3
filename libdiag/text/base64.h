/* Base64, both alphabets. Source: RFC 4648. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Which two characters follow the digits. */
enum diag_base64 {
	DIAG_BASE64_STANDARD, /* + and / */
	DIAG_BASE64_URL,      /* - and _ */
};

/** Append the encoded bytes with their padding. */
void diag_base64_encode(const char *bytes, size_t length, enum diag_base64 alphabet,
			struct diag_buf *ret);

/**
 * Append the bytes as they stand in base64 of a longer text, without the characters that their
 * neighbours have a part in: those would differ each time, and hold at most four bits.
 *
 * @shift bytes into a group of three at which they begin, 0 to 2
 */
void diag_base64_encode_inside(const char *bytes, size_t length, size_t shift,
			       enum diag_base64 alphabet, struct diag_buf *ret);

/**
 * Append the decoded bytes. Both alphabets are taken, line breaks are passed over, padding may be
 * missing.
 *
 * Returns false, and leaves `ret` as it was, for anything else or when it does not fit.
 */
bool diag_base64_decode(const char *text, size_t length, struct diag_buf *ret);
