/* Names inside a bundle: which are safe, and what a link means. */
#pragma once

#include <stdbool.h>

/**
 * Normalise the name of an entry.
 *
 * @name       any bytes, terminated
 * @ret_reason why it is refused, when it is; a constant
 *
 * Returns a malloc'ed name without "." parts and doubled slashes ("" for the top itself), or NULL
 * when it is absolute, climbs with "..", or holds control characters.
 */
char *diag_bundle_name(const char *name, const char **ret_reason);

/**
 * What a link points at, as a normalised name inside the bundle.
 *
 * Only the text is looked at: links are never followed.
 *
 * @name   normalised name of the link; "" for hard links, whose targets count from the top
 * @target as written in the link, or NULL
 *
 * Returns a malloc'ed name, or NULL when it leads out of the bundle or to its very top.
 */
char *diag_bundle_link_target(const char *name, const char *target);
