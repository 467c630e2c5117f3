/*
 * A growing text buffer with a mandatory ceiling. An append past the ceiling sets a sticky flag and
 * changes nothing; check diag_buf_failed() once at the end.
 */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/macros.h"

struct diag_buf {
	char *data; /* always terminated once anything was appended; may be NULL before */
	size_t length;
	size_t capacity;
	size_t ceiling;
	bool overflow;
};

/** Start an empty buffer that never grows past `ceiling` bytes of content. */
void diag_buf_init(struct diag_buf *buf, size_t ceiling);

/** Free the content; the buffer may be initialised again. */
void diag_buf_done(struct diag_buf *buf);

/** Forget content and overflow, keep memory. */
void diag_buf_clear(struct diag_buf *buf);

void diag_buf_add(struct diag_buf *buf, const void *bytes, size_t length);
void diag_buf_puts(struct diag_buf *buf, const char *text);
void diag_buf_putc(struct diag_buf *buf, char c);
void diag_buf_printf(struct diag_buf *buf, const char *format, ...) DIAG_PRINTF(2, 3);
void diag_buf_vprintf(struct diag_buf *buf, const char *format, va_list args) DIAG_PRINTF(2, 0);

/** True when an append did not fit. */
bool diag_buf_failed(const struct diag_buf *buf);

/** The content as a string, "" when empty; borrowed. */
const char *diag_buf_str(const struct diag_buf *buf);

/** Take the content as a malloc'ed string, "" when empty; the buffer is empty afterwards. */
char *diag_buf_steal(struct diag_buf *buf);

static inline void diag_buf_auto_cleanup_(struct diag_buf *buf)
{
	diag_buf_done(buf);
}
#define diag_buf_auto __attribute__((cleanup(diag_buf_auto_cleanup_)))
