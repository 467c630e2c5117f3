#include "base/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { CHUNK = 16 * 1024 };

struct chunk {
	struct chunk *next;
	size_t used;
	size_t size;
	alignas(max_align_t) char data[];
};

struct diag_arena {
	struct chunk *chunks;
};

struct diag_arena *diag_arena_new(void)
{
	return diag_xcalloc(1, sizeof(struct diag_arena));
}

void diag_arena_free(struct diag_arena *arena)
{
	if (!arena)
		return;
	while (arena->chunks) {
		struct chunk *next = arena->chunks->next;

		free(arena->chunks);
		arena->chunks = next;
	}
	free(arena);
}

void *diag_arena_alloc(struct diag_arena *arena, size_t size)
{
	struct chunk *chunk = arena->chunks;
	void *memory;

	size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
	if (!chunk || chunk->size - chunk->used < size) {
		size_t room = DIAG_MAX(size, (size_t)CHUNK);

		chunk = diag_xalloc(sizeof(*chunk) + room);
		*chunk = (struct chunk){ .next = arena->chunks, .size = room };
		arena->chunks = chunk;
	}
	memory = chunk->data + chunk->used;
	chunk->used += size;
	return memset(memory, 0, size);
}

char *diag_arena_strndup(struct diag_arena *arena, const char *text, size_t length)
{
	char *copy = diag_arena_alloc(arena, length + 1);

	if (length)
		memcpy(copy, text, length);
	return copy;
}

char *diag_arena_strdup(struct diag_arena *arena, const char *text)
{
	return text ? diag_arena_strndup(arena, text, strlen(text)) : NULL;
}

char *diag_arena_vprintf(struct diag_arena *arena, const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	text = diag_arena_alloc(arena, (size_t)DIAG_MAX(length, 0) + 1);
	vsnprintf(text, (size_t)DIAG_MAX(length, 0) + 1, format, again);
	va_end(again);
	return text;
}

char *diag_arena_printf(struct diag_arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = diag_arena_vprintf(arena, format, args);
	va_end(args);
	return text;
}
