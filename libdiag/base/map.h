/* A map from strings to pointers, over the C library's balanced tree (tsearch). */
#pragma once

#include <stddef.h>

#include "base/macros.h"

struct diag_map;

/** A new, empty map; the caller frees it. */
struct diag_map *diag_map_new(void);

/** Free the map and its keys, not the values; NULL is fine. */
void diag_map_free(struct diag_map *map);

/** Insert or replace; the key is copied, the value borrowed and must not be NULL. */
void diag_map_set(struct diag_map *map, const char *key, void *value);

/** The value of a key, or NULL. */
void *diag_map_get(const struct diag_map *map, const char *key);

/** Number of keys. */
size_t diag_map_count(const struct diag_map *map);

/** Call `each` for every entry, in byte order of the keys. The map must not change meanwhile. */
void diag_map_each(const struct diag_map *map,
		   void (*each)(const char *key, void *value, void *arg), void *arg);

DIAG_GUARD(diag_map_auto, struct diag_map *, diag_map_free);
#define diag_map_auto DIAG_CLEANUP(diag_map_auto)
