#include "base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void diag_buf_init(struct diag_buf *buf, size_t ceiling)
{
	assert(ceiling > 0);
	*buf = (struct diag_buf){ .ceiling = ceiling };
}

void diag_buf_done(struct diag_buf *buf)
{
	free(buf->data);
	*buf = (struct diag_buf){ .ceiling = buf->ceiling };
}

void diag_buf_clear(struct diag_buf *buf)
{
	buf->length = 0;
	buf->overflow = false;
	if (buf->data)
		buf->data[0] = '\0';
}

static bool reserve(struct diag_buf *buf, size_t more)
{
	size_t need;

	if (buf->overflow || more > buf->ceiling - buf->length) {
		buf->overflow = true;
		return false;
	}
	need = buf->length + more + 1;
	if (need > buf->capacity) {
		size_t capacity = DIAG_MAX(need, buf->capacity * 2);

		buf->data = diag_xrealloc(buf->data, capacity, 1);
		buf->capacity = capacity;
	}
	return true;
}

void diag_buf_add(struct diag_buf *buf, const void *bytes, size_t length)
{
	if (!reserve(buf, length))
		return;
	if (length)
		memcpy(buf->data + buf->length, bytes, length);
	buf->length += length;
	buf->data[buf->length] = '\0';
}

void diag_buf_puts(struct diag_buf *buf, const char *text)
{
	diag_buf_add(buf, text, strlen(text));
}

void diag_buf_putc(struct diag_buf *buf, char c)
{
	diag_buf_add(buf, &c, 1);
}

void diag_buf_vprintf(struct diag_buf *buf, const char *format, va_list args)
{
	va_list again;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	if (length >= 0 && reserve(buf, (size_t)length)) {
		vsnprintf(buf->data + buf->length, (size_t)length + 1, format, again);
		buf->length += (size_t)length;
	}
	va_end(again);
}

void diag_buf_printf(struct diag_buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diag_buf_vprintf(buf, format, args);
	va_end(args);
}

bool diag_buf_failed(const struct diag_buf *buf)
{
	return buf->overflow;
}

const char *diag_buf_str(const struct diag_buf *buf)
{
	return buf->data ? buf->data : "";
}

char *diag_buf_steal(struct diag_buf *buf)
{
	char *data = buf->data ? buf->data : diag_xstrdup("");

	*buf = (struct diag_buf){ .ceiling = buf->ceiling };
	return data;
}
