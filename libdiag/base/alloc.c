#include "base/alloc.h"

#include <string.h>
#include <unistd.h>

static void *check(void *ptr)
{
	static const char message[] = "out of memory\n";

	if (ptr)
		return ptr;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(3);
	_exit(3);
}

void *diag_xalloc(size_t size)
{
	return check(malloc(size ? size : 1));
}

void *diag_xcalloc(size_t count, size_t size)
{
	return check(calloc(count ? count : 1, size ? size : 1));
}

void *diag_xrealloc(void *ptr, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		return check(NULL);
	return check(realloc(ptr, bytes ? bytes : 1));
}

char *diag_xstrdup(const char *text)
{
	return text ? diag_xstrndup(text, strlen(text)) : NULL;
}

char *diag_xstrndup(const char *text, size_t length)
{
	char *copy = diag_xalloc(length + 1);

	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void *diag_xgrow(void *items, size_t count, size_t *ret_cap, size_t item_size)
{
	if (count < *ret_cap)
		return items;
	*ret_cap = *ret_cap ? *ret_cap * 2 : 8;
	return diag_xrealloc(items, *ret_cap, item_size);
}
