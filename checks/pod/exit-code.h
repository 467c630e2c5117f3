/* What an exit code says besides that it is not zero. */
#pragma once

#include "model/pod.h"

/**
 * The meaning in brackets with a space before it, " (SIGSEGV: …)", or "" when the code is the
 * program's own. Source: POSIX shell, exit status (126, 127, 128 + signal); signal(7).
 */
const char *exit_code_meaning(const struct diag_pod_state *state);
