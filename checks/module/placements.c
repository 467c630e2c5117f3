#include "checks/module/placements.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"

struct placements {
	struct diag_map *bits; /* "world/module", world empty for shared ones -> bits */
	struct diag_buf key;
};

/* Neither name can hold a slash. */
static const char *key_of(struct placements *placements, const char *world, const char *module)
{
	diag_buf_clear(&placements->key);
	diag_buf_puts(&placements->key, world);
	diag_buf_putc(&placements->key, '/');
	diag_buf_puts(&placements->key, module);
	return diag_buf_str(&placements->key);
}

static unsigned get(struct placements *placements, const char *world, const char *module)
{
	return (unsigned)(uintptr_t)diag_map_get(placements->bits,
						 key_of(placements, world, module));
}

static void add(struct placements *placements, const struct bindery_workload *workload,
		const char *module)
{
	const char *world = workload->world ? workload->world->name : "";
	unsigned bit = workload->global       ? PLACED_SHARED
		       : workload->shard >= 0 ? PLACED_PER_SHARD
					      : PLACED_IN_WORLD;
	unsigned bits = get(placements, world, module) | bit;

	/* NOLINTNEXTLINE(performance-no-int-to-ptr): bits, never followed */
	diag_map_set(placements->bits, diag_buf_str(&placements->key), (void *)(uintptr_t)bits);
}

struct placements *placements_new(const struct bindery_prediction *p)
{
	struct placements *placements = diag_xcalloc(1, sizeof(*placements));
	const struct bindery_workload *workload;

	placements->bits = diag_map_new();
	diag_buf_init(&placements->key, 4 * DIAG_MAX_FILE_BYTES);
	foreach_workload(p, workload)
		for (size_t i = 0; i < workload->member_count; i++)
			add(placements, workload, workload->members[i].module);
	return placements;
}

void placements_free(struct placements *placements)
{
	if (!placements)
		return;
	diag_map_free(placements->bits);
	diag_buf_done(&placements->key);
	free(placements);
}

unsigned placements_of(struct placements *placements, const struct bindery_world *world,
		       const char *module)
{
	return get(placements, world->name, module) | get(placements, "", module);
}

const char *placements_text(unsigned placed)
{
	static const char *const texts[] = {
		"nowhere",
		"once in the world",
		"per shard",
		"once in the world and per shard",
		"shared by all worlds",
		"once in the world and shared by all worlds",
		"per shard and shared by all worlds",
		"once in the world, per shard and shared by all worlds",
	};

	return texts[placed & (DIAG_ARRAY_SIZE(texts) - 1)];
}
