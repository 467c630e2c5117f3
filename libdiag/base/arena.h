/* Memory that is freed all at once: findings, predictions and the like live in one arena each. */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "base/macros.h"

struct diag_arena;

/** A new, empty arena; the caller frees it. */
struct diag_arena *diag_arena_new(void);

/** Free the arena and everything in it; NULL is fine. */
void diag_arena_free(struct diag_arena *arena);

/** `size` zeroed bytes, aligned for any type, living as long as the arena. */
void *diag_arena_alloc(struct diag_arena *arena, size_t size);

char *diag_arena_strdup(struct diag_arena *arena, const char *text); /* NULL gives NULL */
char *diag_arena_strndup(struct diag_arena *arena, const char *text, size_t length);
char *diag_arena_printf(struct diag_arena *arena, const char *format, ...) DIAG_PRINTF(2, 3);
char *diag_arena_vprintf(struct diag_arena *arena, const char *format, va_list args)
	DIAG_PRINTF(2, 0);

DIAG_GUARD(diag_arena_auto, struct diag_arena *, diag_arena_free);
#define diag_arena_auto DIAG_CLEANUP(diag_arena_auto)
