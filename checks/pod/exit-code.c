#include "checks/pod/exit-code.h"

#include "base/macros.h"

static const struct {
	int64_t code;
	const char *meaning;
} codes[] = {
	{ 126, " (the command is there, but cannot be executed)" },
	{ 127, " (the command is not found)" },
	{ 132, " (SIGILL: an instruction that this processor does not have)" },
	{ 134, " (SIGABRT: the process gave up by itself)" },
	{ 137, " (SIGKILL: killed from outside, and not reported as out of memory)" },
	{ 139, " (SIGSEGV: the process used memory that is not its own)" },
	{ 143, " (SIGTERM: it was asked to end)" },
};

const char *exit_code_meaning(const struct diag_pod_state *state)
{
	if (state->trouble == DIAG_POD_OOM)
		return state->exit_code == 137 ? " (SIGKILL: out of memory, OOMKilled)" : "";
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(codes); i++)
		if (state->exit_code == codes[i].code)
			return codes[i].meaning;
	return "";
}
