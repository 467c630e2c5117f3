/* Requests that wait to be sent, highest priority first, then in order of queueing. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct transfer;

struct transfer_queue {
	struct transfer **ready; /* a binary heap */
	size_t ready_count, ready_capacity;
	struct transfer **delayed; /* until their time; few */
	size_t delayed_count, delayed_capacity;
};

/** Put a request in; it is owned by the queue until it is taken out. One whose `not_before_ms`
 * lies ahead waits for it. */
void transfer_queue_put(struct transfer_queue *queue, struct transfer *transfer, int64_t now_ms);

/** Take out the next one whose time has come, or NULL. */
struct transfer *transfer_queue_take(struct transfer_queue *queue, int64_t now_ms);

/** Take out any, whether its time has come or not; NULL when the queue is empty. */
struct transfer *transfer_queue_take_any(struct transfer_queue *queue);

/** When something may be taken: `now_ms` or later, INT64_MAX when the queue is empty. */
int64_t transfer_queue_next_ms(const struct transfer_queue *queue, int64_t now_ms);

/** Free the queue, which is empty. */
void transfer_queue_done(struct transfer_queue *queue);
