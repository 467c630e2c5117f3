#include "text/position.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

struct slot {
	const json_t *container; /* NULL: free slot */
	uint64_t key;
	const char *file;
	int line;
	int column;
};

struct diag_positions {
	struct slot *slots; /* open addressing, a power of two */
	size_t capacity;
	size_t count;
	struct diag_map *files; /* name -> its own copy */
};

enum { SELF = 1, INDEX = 2, KEY = 3 };

/* FNV-1a, 64 bit: two keys of one object with equal hashes are not to be expected. */
static uint64_t hash(int kind, const void *bytes, size_t length)
{
	uint64_t h = 0xcbf29ce484222325u ^ (uint64_t)kind;
	const unsigned char *p = bytes;

	for (size_t i = 0; i < length; i++)
		h = (h ^ p[i]) * 0x100000001b3u;
	return h;
}

struct diag_positions *diag_positions_new(void)
{
	struct diag_positions *positions = diag_xcalloc(1, sizeof(*positions));

	positions->files = diag_map_new();
	return positions;
}

static void free_file(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	free(value);
}

void diag_positions_free(struct diag_positions *positions)
{
	if (!positions)
		return;
	diag_map_each(positions->files, free_file, NULL);
	diag_map_free(positions->files);
	free(positions->slots);
	free(positions);
}

const char *diag_positions_file(struct diag_positions *positions, const char *file)
{
	char *copy = diag_map_get(positions->files, file);

	if (!copy) {
		copy = diag_xstrdup(file);
		diag_map_set(positions->files, file, copy);
	}
	return copy;
}

static struct slot *slot_of(struct slot *slots, size_t capacity, const json_t *container,
			    uint64_t key)
{
	uint64_t start = ((uint64_t)(uintptr_t)container >> 4) * 0x9e3779b97f4a7c15u ^ key;

	for (size_t i = 0;; i++) {
		struct slot *slot = &slots[(start + i) & (capacity - 1)];

		if (!slot->container || (slot->container == container && slot->key == key))
			return slot;
	}
}

static void grow(struct diag_positions *positions)
{
	size_t capacity = positions->capacity ? positions->capacity * 2 : 256;
	struct slot *slots = diag_xcalloc(capacity, sizeof(*slots));

	for (size_t i = 0; i < positions->capacity; i++) {
		const struct slot *old = &positions->slots[i];

		if (old->container)
			*slot_of(slots, capacity, old->container, old->key) = *old;
	}
	free(positions->slots);
	positions->slots = slots;
	positions->capacity = capacity;
}

static void set(struct diag_positions *positions, const json_t *container, uint64_t key,
		struct diag_position where)
{
	struct slot *slot;

	if (!container)
		return;
	if (positions->count * 2 >= positions->capacity)
		grow(positions);
	slot = slot_of(positions->slots, positions->capacity, container, key);
	positions->count += !slot->container;
	*slot = (struct slot){ container, key, where.file, where.line, where.column };
}

static struct diag_position get(const struct diag_positions *positions, const json_t *container,
				uint64_t key)
{
	const struct slot *slot;

	if (!positions || !positions->capacity || !container)
		return (struct diag_position){ 0 };
	slot = slot_of(positions->slots, positions->capacity, container, key);
	return (struct diag_position){ slot->file, slot->line, slot->column };
}

void diag_positions_set_key(struct diag_positions *positions, const json_t *container,
			    const char *key, struct diag_position where)
{
	set(positions, container, hash(KEY, key, strlen(key)), where);
}

void diag_positions_set_index(struct diag_positions *positions, const json_t *container,
			      size_t index, struct diag_position where)
{
	set(positions, container, hash(INDEX, &index, sizeof(index)), where);
}

void diag_positions_set_self(struct diag_positions *positions, const json_t *value,
			     struct diag_position where)
{
	set(positions, value, hash(SELF, NULL, 0), where);
}

struct diag_position diag_positions_key(const struct diag_positions *positions,
					const json_t *container, const char *key)
{
	return get(positions, container, hash(KEY, key, strlen(key)));
}

struct diag_position diag_positions_index(const struct diag_positions *positions,
					  const json_t *container, size_t index)
{
	return get(positions, container, hash(INDEX, &index, sizeof(index)));
}

struct diag_position diag_positions_self(const struct diag_positions *positions,
					 const json_t *value)
{
	return get(positions, value, hash(SELF, NULL, 0));
}
