#include "kube/transport_queue.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "kube/transport_internal.h"

static bool goes_before(const struct transfer *a, const struct transfer *b)
{
	return a->priority != b->priority ? a->priority > b->priority : a->order < b->order;
}

static void swap(struct transfer **a, struct transfer **b)
{
	struct transfer *t = *a;

	*a = *b;
	*b = t;
}

static void push(struct transfer_queue *queue, struct transfer *transfer)
{
	size_t at = queue->ready_count;

	queue->ready = diag_xgrow(queue->ready, queue->ready_count, &queue->ready_capacity,
				  sizeof(*queue->ready));
	queue->ready[queue->ready_count++] = transfer;
	for (; at && goes_before(queue->ready[at], queue->ready[(at - 1) / 2]); at = (at - 1) / 2)
		swap(&queue->ready[at], &queue->ready[(at - 1) / 2]);
}

static struct transfer *pop(struct transfer_queue *queue)
{
	struct transfer **heap = queue->ready, *first;
	size_t at = 0;

	if (!queue->ready_count)
		return NULL;
	first = heap[0];
	heap[0] = heap[--queue->ready_count];
	for (;;) {
		size_t best = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
			if (child < queue->ready_count && goes_before(heap[child], heap[best]))
				best = child;
		if (best == at)
			return first;
		swap(&heap[at], &heap[best]);
		at = best;
	}
}

/* Those whose time has come become ready. */
static void wake(struct transfer_queue *queue, int64_t now_ms)
{
	size_t kept = 0;

	for (size_t i = 0; i < queue->delayed_count; i++) {
		struct transfer *transfer = queue->delayed[i];

		if (transfer->not_before_ms <= now_ms)
			push(queue, transfer);
		else
			queue->delayed[kept++] = transfer;
	}
	queue->delayed_count = kept;
}

void transfer_queue_put(struct transfer_queue *queue, struct transfer *transfer, int64_t now_ms)
{
	if (transfer->not_before_ms <= now_ms) {
		push(queue, transfer);
		return;
	}
	queue->delayed = diag_xgrow(queue->delayed, queue->delayed_count, &queue->delayed_capacity,
				    sizeof(struct transfer *));
	queue->delayed[queue->delayed_count++] = transfer;
}

struct transfer *transfer_queue_take(struct transfer_queue *queue, int64_t now_ms)
{
	wake(queue, now_ms);
	return pop(queue);
}

struct transfer *transfer_queue_take_any(struct transfer_queue *queue)
{
	return transfer_queue_take(queue, INT64_MAX);
}

int64_t transfer_queue_next_ms(const struct transfer_queue *queue, int64_t now_ms)
{
	int64_t next = queue->ready_count ? now_ms : INT64_MAX;

	for (size_t i = 0; i < queue->delayed_count; i++)
		next = DIAG_MIN(next, DIAG_MAX(queue->delayed[i]->not_before_ms, now_ms));
	return next;
}

void transfer_queue_done(struct transfer_queue *queue)
{
	assert(!queue->ready_count && !queue->delayed_count);
	free(queue->ready);
	free(queue->delayed);
}
