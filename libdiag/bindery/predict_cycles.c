/*
 * Cycles of waiting (F54, and of one: F53): strongly connected components of the graph of
 * wait-for-deps, by Tarjan's algorithm with its own stack, for chains may be long.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "bindery/predict_internal.h"

struct visit {
	size_t node;
	size_t edge; /* next wait to look at */
};

struct tarjan {
	struct bindery_prediction *p;
	size_t *index; /* 0: not visited */
	size_t *low;
	bool *on_stack;
	size_t *stack;
	size_t depth;
	struct visit *visits;
	size_t visit_count;
	size_t counter;
};

/* Everything above `root` on the stack is one component. */
static void close_component(struct tarjan *t, size_t root)
{
	size_t first = t->depth, number = 0;

	while (t->stack[first - 1] != root)
		first--;
	first--;
	if (t->depth - first > 1 ||
	    bindery_wait_between(&t->p->workloads[root], &t->p->workloads[root]))
		number = ++t->p->cycle_count;
	while (t->depth > first) {
		size_t node = t->stack[--t->depth];

		t->on_stack[node] = false;
		t->p->workloads[node].cycle = number;
	}
}

static void enter(struct tarjan *t, size_t node)
{
	t->index[node] = t->low[node] = ++t->counter;
	t->stack[t->depth++] = node;
	t->on_stack[node] = true;
	t->visits[t->visit_count++] = (struct visit){ node, 0 };
}

static void step(struct tarjan *t)
{
	struct visit *visit = &t->visits[t->visit_count - 1];
	const struct bindery_workload *workload = &t->p->workloads[visit->node];
	size_t node = visit->node, target;

	if (visit->edge < workload->wait_count) {
		target = (size_t)(workload->waits[visit->edge++].target - t->p->workloads);
		if (!t->index[target])
			enter(t, target);
		else if (t->on_stack[target])
			t->low[node] = DIAG_MIN(t->low[node], t->index[target]);
		return;
	}
	t->visit_count--;
	if (t->visit_count) {
		size_t parent = t->visits[t->visit_count - 1].node;

		t->low[parent] = DIAG_MIN(t->low[parent], t->low[node]);
	}
	if (t->low[node] == t->index[node])
		close_component(t, node);
}

/* Members in the order of the workloads. */
static void list_members(struct bindery_prediction *p)
{
	p->cycles = diag_arena_alloc(p->arena, p->cycle_count * sizeof(*p->cycles));
	for (size_t i = 0; i < p->workload_count; i++)
		if (p->workloads[i].cycle)
			p->cycles[p->workloads[i].cycle - 1].count++;
	for (size_t i = 0; i < p->cycle_count; i++) {
		struct bindery_cycle *cycle = &p->cycles[i];

		cycle->members = diag_arena_alloc(p->arena, cycle->count * sizeof(*cycle->members));
		cycle->count = 0;
	}
	for (size_t i = 0; i < p->workload_count; i++) {
		struct bindery_cycle *cycle;

		if (!p->workloads[i].cycle)
			continue;
		cycle = &p->cycles[p->workloads[i].cycle - 1];
		cycle->members[cycle->count++] = &p->workloads[i];
	}
}

void bindery_predict_cycles(struct bindery_prediction *p)
{
	size_t count = p->workload_count;
	struct tarjan t = {
		.p = p,
		.index = diag_xcalloc(count, sizeof(size_t)),
		.low = diag_xcalloc(count, sizeof(size_t)),
		.on_stack = diag_xcalloc(count, sizeof(bool)),
		.stack = diag_xcalloc(count, sizeof(size_t)),
		.visits = diag_xcalloc(count, sizeof(struct visit)),
	};

	for (size_t i = 0; i < count; i++) {
		if (!t.index[i])
			enter(&t, i);
		while (t.visit_count)
			step(&t);
	}
	list_members(p);
	free(t.index);
	free(t.low);
	free(t.on_stack);
	free(t.stack);
	free(t.visits);
}
