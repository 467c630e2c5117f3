/*
 * Allocation for short-lived programs: small allocations end the program with a message when memory
 * is gone. Sizes that input decides are checked against a limit (base/limits.h) by the caller
 * first.
 */
#pragma once

#include <stdlib.h>

#include "base/macros.h"

/** Allocate `size` bytes, uninitialised; never NULL. */
void *diag_xalloc(size_t size) __attribute__((malloc, returns_nonnull));

/** Allocate `count` zeroed elements of `size` bytes; never NULL. */
void *diag_xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/** Resize to `count` elements of `size` bytes; never NULL. The product is checked for overflow. */
void *diag_xrealloc(void *ptr, size_t count, size_t size) __attribute__((returns_nonnull));

/** Copy a string; the caller frees it. NULL gives NULL. */
char *diag_xstrdup(const char *text);

/** Copy `length` bytes and terminate them. */
char *diag_xstrndup(const char *text, size_t length);

/**
 * Make room for one more element in a growing array.
 *
 * @items     the array, or NULL
 * @count     elements in use
 * @ret_cap   capacity in elements, updated
 * @item_size bytes per element
 *
 * Returns the array, possibly moved.
 */
void *diag_xgrow(void *items, size_t count, size_t *ret_cap, size_t item_size);

static inline void diag_free_cleanup_(void *ptr)
{
	free(*(void **)ptr);
}
#define diag_autofree __attribute__((cleanup(diag_free_cleanup_)))
