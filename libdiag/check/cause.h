/* The cause graph: which finding explains which, from the keys of the findings and one rule table.
 */
#pragma once

#include "check/check.h"

/**
 * Link the findings, name the root causes, and order them: root causes first, most severe and most
 * damaging first, each followed later by what it explains. Every finding that is no root is
 * explained by a chain that ends at one; of a circle without an outside cause, the worst member
 * becomes the root. What follows from findings that do not count, and from nothing else, does not
 * count either.
 *
 * @rules table that ends with a NULL cause
 */
void diag_cause_graph(struct diag_findings *findings, const struct diag_cause_rule *rules);
