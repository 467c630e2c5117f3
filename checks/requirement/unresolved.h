/*
 * One cause for each unresolved requirement: the candidate that came nearest tells which. The
 * checks requirement.* report one kind each, so that a requirement is never reported twice.
 */
#pragma once

#include "bindery/predict.h"
#include "check/check.h"

enum unresolved_kind {
	UNRESOLVED_INVALID_CONSTRAINT, /* F19 */
	UNRESOLVED_NO_PROVIDER,        /* F14 */
	UNRESOLVED_SCOPE,              /* F15 */
	UNRESOLVED_MULTIPLICITY,       /* F18 */
	UNRESOLVED_VERSION,            /* F16 */
	UNRESOLVED_PRERELEASE,         /* F17 */
	UNRESOLVED_PROVIDER_VERSION,   /* F20 */
};

/** Report every unresolved requirement of that kind, once for all worlds that share it. */
void report_unresolved(const struct diag_check_ctx *ctx, enum unresolved_kind kind);

/** True when a requirement is one that this module was to provide: it provides the capability,
 * though something else does not fit, or one of almost the same name when nobody provides it. */
bool requirement_is_meant_for(const struct bindery_world *world,
			      const struct bindery_requirement *requirement, const char *module);
