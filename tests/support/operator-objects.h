/* Whether a real object is what the operator was predicted to write. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Where the first difference is, "" while there is none. */
struct difference {
	char where[512];
};

/**
 * Compare a predicted object with a real one, or NULL: everything predicted is there, maps and
 * lists that the operator writes as a whole hold nothing else, and what only it sets is absent
 * where it is not predicted. Repeated affinity terms count once.
 *
 * @unsettled  leave out what is injected: it depends on which contender holds a binding's name
 * @difference receives the first difference
 */
void compare_operator_objects(const json_t *want, const json_t *got, bool unsettled,
			      struct difference *difference);
