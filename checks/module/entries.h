/* Booklet entries without a ModuleManifest, required ones and optional ones. */
#pragma once

#include "check/check.h"

/** Report every Booklet entry without manifest whose `required` is as given; worlds that use it are
 * named. */
void report_missing_modules(const struct diag_check_ctx *ctx, bool required);
