/* Names inside a bundle: which are safe, and what a link means. */
#pragma once

#include <stdbool.h>

/**
 * Normalise the name of an entry in place-free form.
 *
 * @name       any bytes, terminated
 * @ret_reason why it is refused, when it is; a constant
 *
 * Returns a malloc'ed name without "." parts and doubled slashes ("" for the top itself), or NULL
 * when it is absolute, climbs with "..", is too long, or holds control characters.
 */
char *diag_bundle_name(const char *name, const char **ret_reason);

/** True when the link `target`, written in the entry `name`, stays inside the bundle. */
bool diag_bundle_link_is_inside(const char *name, const char *target);
