/* Where each module runs: once in its world, per shard, or shared by all worlds. */
#pragma once

#include "checks/support.h"

enum {
	PLACED_IN_WORLD = 1,
	PLACED_PER_SHARD = 2,
	PLACED_SHARED = 4,
};

struct placements;

/** The placements of a prediction; the caller frees them before it. */
struct placements *placements_new(const struct bindery_prediction *p);
void placements_free(struct placements *placements);

/** How a module runs for one world, 0: not at all. Shared workloads are those of every world. */
unsigned placements_of(struct placements *placements, const struct bindery_world *world,
		       const char *module);

/** "once in the world and per shard". */
const char *placements_text(unsigned placed);

DIAG_GUARD(placements_auto, struct placements *, placements_free);
#define placements_auto DIAG_CLEANUP(placements_auto)
