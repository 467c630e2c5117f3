/* Questions about who waits for whom. */
#include <stdlib.h>

#include "base/alloc.h"
#include "bindery/predict.h"

const struct bindery_wait *bindery_wait_between(const struct bindery_workload *from,
						const struct bindery_workload *to)
{
	for (size_t i = 0; i < from->wait_count; i++)
		if (from->waits[i].target == to)
			return &from->waits[i];
	return NULL;
}

/* Breadth first: how each workload was reached, by the wait that led there. */
struct search {
	const struct bindery_prediction *p;
	const struct bindery_wait **reached;
	const struct bindery_workload **queue;
	size_t head, tail;
};

static bool expand(struct search *s, const struct bindery_workload *workload,
		   const struct bindery_workload *to)
{
	for (size_t i = 0; i < workload->wait_count; i++) {
		const struct bindery_wait *wait = &workload->waits[i];
		size_t index = (size_t)(wait->target - s->p->workloads);

		if (s->reached[index])
			continue;
		s->reached[index] = wait;
		if (wait->target == to)
			return true;
		s->queue[s->tail++] = wait->target;
	}
	return false;
}

static size_t path_to(const struct search *s, const struct bindery_workload *from,
		      const struct bindery_workload *to, const struct bindery_wait ***ret_path)
{
	const struct bindery_workload *at = to;
	const struct bindery_wait **path;
	size_t length = 0, i;

	do {
		at = s->reached[at - s->p->workloads]->waiter;
		length++;
	} while (at != from);
	path = diag_xcalloc(length, sizeof(*path));
	at = to;
	for (i = length; i > 0; i--) {
		path[i - 1] = s->reached[at - s->p->workloads];
		at = path[i - 1]->waiter;
	}
	*ret_path = path;
	return length;
}

size_t bindery_wait_path(const struct bindery_prediction *prediction,
			 const struct bindery_workload *from, const struct bindery_workload *to,
			 const struct bindery_wait ***ret_path)
{
	size_t count = prediction->workload_count;
	diag_autofree const struct bindery_wait **reached = diag_xcalloc(count, sizeof(*reached));
	/* Each is entered once by a wait, and `from` once more. */
	diag_autofree const struct bindery_workload **queue =
		diag_xcalloc(count + 1, sizeof(*queue));
	struct search s = { .p = prediction, .reached = reached, .queue = queue };

	*ret_path = NULL;
	queue[s.tail++] = from;
	while (s.head < s.tail)
		if (expand(&s, queue[s.head++], to))
			return path_to(&s, from, to, ret_path);
	return 0;
}
