#include "cli/decide.h"

#include <string.h>
#include <time.h>

#include "base/timestamp.h"

static void look_unsettled(void *arg, const char *resource DIAG_UNUSED,
			   const char *namespace_ DIAG_UNUSED, enum diag_availability state,
			   const char *reason DIAG_UNUSED)
{
	bool *unsettled = arg;

	*unsettled |= state == DIAG_FAILED || state == DIAG_TRUNCATED;
}

static bool is_unsettled(const struct diag_snapshot *snapshot, const struct diag_run *run)
{
	bool unsettled = false;
	size_t count;

	diag_findings_progress(diag_run_findings(run), &count);
	diag_snapshot_each_state(snapshot, look_unsettled, &unsettled);
	return count > 0 || unsettled;
}

enum diag_verdict diag_decide(const struct diag_snapshot *snapshot, const struct diag_run *run,
			      const char *before, const struct diag_finding **ret_finding)
{
	size_t count;
	struct diag_finding *const *findings = diag_findings_all(diag_run_findings(run), &count);

	*ret_finding = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct diag_finding *finding = findings[i];

		if (finding->severity < DIAG_SEVERITY_ERROR || !finding->root || !finding->lasting)
			continue;
		if (!*ret_finding || strcmp(finding->fingerprint, before) == 0)
			*ret_finding = finding;
	}
	if (*ret_finding)
		return strcmp((*ret_finding)->fingerprint, before) == 0 ? DIAG_VERDICT_NEVER
									: DIAG_VERDICT_OPEN;
	return diag_run_fails(run) || is_unsettled(snapshot, run) ? DIAG_VERDICT_OPEN
								  : DIAG_VERDICT_GOOD;
}

/* A signal ends the sleep; one that came just before it delays the end by a tenth of a second. */
bool diag_pause(int64_t ms, const struct diag_cancel *cancel)
{
	int64_t end = diag_clock_ms() + ms, left;

	while (!diag_cancelled(cancel) && (left = end - diag_clock_ms()) > 0) {
		int64_t step = DIAG_MIN(left, (int64_t)100);
		struct timespec nap = { .tv_nsec = (long)(step * 1000000) };

		nanosleep(&nap, NULL);
	}
	return !diag_cancelled(cancel);
}
