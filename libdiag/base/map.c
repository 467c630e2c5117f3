#include "base/map.h"

#include <assert.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct map_entry {
	void *value;
	const char *key; /* points at text[] for stored entries, at the caller's key for look-ups */
	char text[];
};

struct diag_map {
	void *root;
	size_t count;
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct map_entry *)a)->key, ((const struct map_entry *)b)->key);
}

struct diag_map *diag_map_new(void)
{
	return diag_xcalloc(1, sizeof(struct diag_map));
}

void diag_map_free(struct diag_map *map)
{
	if (!map)
		return;
	tdestroy(map->root, free);
	free(map);
}

static struct map_entry *find(const struct diag_map *map, const char *key)
{
	struct map_entry probe = { .key = key };
	struct map_entry **node = tfind(&probe, &map->root, compare);

	return node ? *node : NULL;
}

void diag_map_set(struct diag_map *map, const char *key, void *value)
{
	struct map_entry *entry = find(map, key);

	assert(value);
	if (!entry) {
		size_t size = strlen(key) + 1;

		entry = diag_xalloc(sizeof(*entry) + size);
		memcpy(entry->text, key, size);
		entry->key = entry->text;
		if (!tsearch(entry, &map->root, compare))
			abort();
		map->count++;
	}
	entry->value = value;
}

void *diag_map_get(const struct diag_map *map, const char *key)
{
	const struct map_entry *entry = find(map, key);

	return entry ? entry->value : NULL;
}

size_t diag_map_count(const struct diag_map *map)
{
	return map->count;
}

struct walk {
	void (*each)(const char *key, void *value, void *arg);
	void *arg;
};

static void visit(const void *node, VISIT which, void *closure)
{
	const struct map_entry *entry = *(struct map_entry *const *)node;
	const struct walk *walk = closure;

	if (which == postorder || which == leaf)
		walk->each(entry->key, entry->value, walk->arg);
}

void diag_map_each(const struct diag_map *map,
		   void (*each)(const char *key, void *value, void *arg), void *arg)
{
	struct walk walk = { each, arg };

	twalk_r(map->root, visit, &walk);
}
