/*
 * Which findings do not count: those that a baseline knows, and those that a configuration or an
 * annotation suppresses. A suppression that is over, or that cannot be read, is a finding itself.
 */
#pragma once

#include "policy/config.h"

/* The check that findings about suppressions carry; it is in no set. */
#define DIAG_POLICY_CHECK "policy.suppression"

struct diag_acceptance {
	struct diag_config *config; /* its suppressions' `used` is set */
	const json_t *baseline;     /* see policy/baseline.h; or NULL */
	const char *annotation;     /* of objects: "bindery-check/suppress" */
	int64_t now_ms;
};

/**
 * Set the standing of the findings, and add one for each suppression that is over (error), cannot
 * be read (error) or suppresses nothing (info). For diag_policy.accept: before the cause graph,
 * which passes the standing on to what follows from accepted findings alone.
 *
 * @acceptance a struct diag_acceptance
 */
void diag_acceptance_apply(struct diag_findings *findings, const struct diag_snapshot *snapshot,
			   void *acceptance);
