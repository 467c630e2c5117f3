#include "kube/retry.h"

#include <stdlib.h>
#include <string.h>

#include "base/macros.h"
#include "base/timestamp.h"

enum {
	MOST_THROTTLED = 5,
	MOST_UNASKED = 1, /* when the server does not say how long: an aggregated API that is dead
			   * says 503 for ever */
	MOST_BROKEN = 2,
	MOST_WAIT_MS = 60 * 1000, /* of one request, over all its attempts */
	UNASKED_WAIT_MS = 500,
	LEAST_WAIT_MS = 50, /* "Retry-After: 0" */
	BROKEN_WAIT_MS = 100,
	JITTER_MS = 250, /* at most; a quarter of the wait when that is less */
};

/* Later, never earlier: all clients that were refused come back at different times. */
static int64_t with_jitter(int64_t wait_ms)
{
	int64_t spread = DIAG_MIN(wait_ms / 4, (int64_t)JITTER_MS);

	return wait_ms + (int64_t)arc4random_uniform((uint32_t)spread + 1);
}

static bool may_pass(const struct diag_retry_answer *answer)
{
	if (answer->status == 429 || answer->status == 503)
		return true;
	return answer->status >= 500 && (answer->retry_after_ms >= 0 || answer->server_timeout);
}

int64_t diag_retry_throttled(struct diag_retry *retry, const struct diag_retry_answer *answer,
			     bool *ret_shared)
{
	bool asked = answer->retry_after_ms >= 0;
	int64_t wait_ms =
		asked ? DIAG_MAX(answer->retry_after_ms, (int64_t)LEAST_WAIT_MS) : UNASKED_WAIT_MS;

	*ret_shared = asked;
	if (!may_pass(answer) || retry->throttled >= (asked ? MOST_THROTTLED : MOST_UNASKED) ||
	    wait_ms > MOST_WAIT_MS - retry->waited_ms)
		return -1;
	retry->throttled++;
	retry->waited_ms += wait_ms;
	return with_jitter(wait_ms);
}

int64_t diag_retry_broken(struct diag_retry *retry)
{
	if (retry->broken >= MOST_BROKEN)
		return -1;
	return with_jitter(BROKEN_WAIT_MS << retry->broken++);
}

int64_t diag_retry_seconds(const char *header)
{
	size_t digits = strspn(header, "0123456789");

	if (!digits || digits > 9 || header[digits + strspn(header + digits, " \t")])
		return -1;
	return strtoll(header, NULL, 10) * DIAG_SECOND_MS;
}
