/* All checks of the Bindery platform, and the rules by which their findings explain each other. */
#pragma once

#include "check/check.h"

/** The set that the tools run. */
const struct diag_check_set *checks_bindery(void);

/** Which finding explains which (checks/causes.c); ends with a NULL cause. */
extern const struct diag_cause_rule checks_bindery_rules[];
