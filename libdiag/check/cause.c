#include "check/cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/str.h"

/* All findings at one key. */
struct holders {
	struct diag_finding **items;
	size_t count, capacity;
};

struct graph {
	struct diag_finding *const *findings;
	size_t count;
	const struct diag_cause_rule *rules;
	struct diag_map *at; /* key -> struct holders */
};

static void index_key(struct graph *graph, const char *key, struct diag_finding *finding)
{
	struct holders *holders = diag_map_get(graph->at, key);

	if (!holders) {
		holders = diag_xcalloc(1, sizeof(*holders));
		diag_map_set(graph->at, key, holders);
	}
	holders->items = diag_xgrow(holders->items, holders->count, &holders->capacity,
				    sizeof(*holders->items));
	holders->items[holders->count++] = finding;
}

static void free_holders(const char *key DIAG_UNUSED, void *value, void *arg DIAG_UNUSED)
{
	struct holders *holders = value;

	free(holders->items);
	free(holders);
}

static bool key_has_type(const char *key, const char *type)
{
	size_t length = strlen(type);

	return strncmp(key, type, length) == 0 && key[length] == '/';
}

static bool rule_allows(const struct graph *graph, const struct diag_finding *cause,
			const struct diag_finding *effect, const char *key)
{
	for (const struct diag_cause_rule *rule = graph->rules; rule->cause; rule++)
		if (key_has_type(key, rule->key) && diag_str_glob(rule->cause, cause->check) &&
		    diag_str_glob(rule->effect, effect->check))
			return true;
	return false;
}

static void add_edge(struct diag_finding *cause, struct diag_finding *effect)
{
	for (size_t i = 0; i < effect->explained_by_count; i++)
		if (effect->explained_by[i] == cause)
			return;
	effect->explained_by =
		diag_xgrow(effect->explained_by, effect->explained_by_count,
			   &effect->explained_by_capacity, sizeof(*effect->explained_by));
	effect->explained_by[effect->explained_by_count++] = cause;
}

static void link_finding(const struct graph *graph, struct diag_finding *effect)
{
	for (size_t i = 0; i < effect->needs_count; i++) {
		const char *key = effect->needs[i];
		const struct holders *holders = diag_map_get(graph->at, key);

		for (size_t j = 0; holders && j < holders->count; j++)
			if (holders->items[j] != effect &&
			    rule_allows(graph, holders->items[j], effect, key))
				add_edge(holders->items[j], effect);
	}
}

/* Position of a finding in the list while it is being worked on, kept in `damage`. */
static size_t slot(const struct diag_finding *finding)
{
	return finding->damage;
}

struct reach {
	const struct graph *graph;
	unsigned char *seen; /* one a finding */
	size_t *stack;
	struct {
		size_t *items;
		size_t count, capacity;
	} * effects; /* the reverse of explained_by */
};

static void reverse_edges(struct reach *reach)
{
	const struct graph *graph = reach->graph;

	for (size_t i = 0; i < graph->count; i++) {
		const struct diag_finding *effect = graph->findings[i];

		for (size_t j = 0; j < effect->explained_by_count; j++) {
			size_t cause = slot(effect->explained_by[j]);

			reach->effects[cause].items =
				diag_xgrow(reach->effects[cause].items, reach->effects[cause].count,
					   &reach->effects[cause].capacity, sizeof(size_t));
			reach->effects[cause].items[reach->effects[cause].count++] = i;
		}
	}
}

/* Mark everything that `from` explains, itself included; returns how many were new. */
static size_t mark_reach(struct reach *reach, size_t from)
{
	size_t depth = 0, fresh = 0;

	if (reach->seen[from])
		return 0;
	reach->seen[from] = 1;
	reach->stack[depth++] = from;
	while (depth) {
		size_t at = reach->stack[--depth];

		fresh++;
		for (size_t i = 0; i < reach->effects[at].count; i++) {
			size_t next = reach->effects[at].items[i];

			if (reach->seen[next])
				continue;
			reach->seen[next] = 1;
			reach->stack[depth++] = next;
		}
	}
	return fresh;
}

/* Of the findings that no root reaches (a circle), the most severe, then the first. */
static size_t worst_unreached(const struct reach *reach)
{
	size_t worst = SIZE_MAX;

	for (size_t i = 0; i < reach->graph->count; i++) {
		if (reach->seen[i])
			continue;
		if (worst == SIZE_MAX ||
		    reach->graph->findings[i]->severity > reach->graph->findings[worst]->severity)
			worst = i;
	}
	return worst;
}

static void choose_roots(struct reach *reach)
{
	const struct graph *graph = reach->graph;
	size_t left;

	for (size_t i = 0; i < graph->count; i++) {
		if (graph->findings[i]->explained_by_count)
			continue;
		graph->findings[i]->root = true;
		mark_reach(reach, i);
	}
	while ((left = worst_unreached(reach)) != SIZE_MAX) {
		graph->findings[left]->root = true;
		graph->findings[left]->explained_by_count = 0;
		mark_reach(reach, left);
	}
}

/* Worlds and workloads named by the finding and by all it explains, each counted once. */
static size_t damage_of(const struct reach *reach)
{
	diag_map_auto struct diag_map *held = diag_map_new();

	for (size_t i = 0; i < reach->graph->count; i++) {
		struct diag_finding *finding = reach->graph->findings[i];

		for (size_t j = 0; reach->seen[i] && j < finding->at_count; j++)
			if (key_has_type(finding->at[j], "world") ||
			    key_has_type(finding->at[j], "workload"))
				diag_map_set(held, finding->at[j], finding);
	}
	return diag_map_count(held);
}

static void weigh_roots(struct reach *reach, size_t *damage)
{
	for (size_t i = 0; i < reach->graph->count; i++) {
		struct diag_finding *finding = reach->graph->findings[i];

		damage[i] = 0;
		if (!finding->root)
			continue;
		memset(reach->seen, 0, reach->graph->count);
		finding->effect_count = mark_reach(reach, i) - 1;
		damage[i] = damage_of(reach);
	}
}

static int compare(const void *a, const void *b)
{
	const struct diag_finding *one = *(struct diag_finding *const *)a;
	const struct diag_finding *two = *(struct diag_finding *const *)b;
	int order;

	if (one->root != two->root)
		return one->root ? -1 : 1;
	if (one->severity != two->severity)
		return one->severity > two->severity ? -1 : 1;
	if (one->damage != two->damage)
		return one->damage > two->damage ? -1 : 1;
	if (one->effect_count != two->effect_count)
		return one->effect_count > two->effect_count ? -1 : 1;
	order = strcmp(one->check, two->check);
	if (order == 0)
		order = strcmp(one->subject.namespace_ ? one->subject.namespace_ : "",
			       two->subject.namespace_ ? two->subject.namespace_ : "");
	if (order == 0)
		order = strcmp(one->subject.name, two->subject.name);
	return order ? order : strcmp(one->fingerprint, two->fingerprint);
}

static void link_all(struct graph *graph)
{
	for (size_t i = 0; i < graph->count; i++) {
		struct diag_finding *finding = graph->findings[i];

		finding->damage = i; /* its slot while the graph is built */
		for (size_t j = 0; j < finding->at_count; j++)
			index_key(graph, finding->at[j], finding);
	}
	for (size_t i = 0; i < graph->count; i++)
		link_finding(graph, graph->findings[i]);
}

static const struct diag_finding *counting_cause(const struct diag_finding *finding)
{
	for (size_t i = 0; i < finding->explained_by_count; i++)
		if (finding->explained_by[i]->standing == DIAG_STANDING_NEW)
			return finding->explained_by[i];
	return NULL;
}

/* Again and again, for a chain is longer than one step. Of a circle nothing changes: its root, if
 * accepted, leaves the others without a counting cause only when they have no other one. */
static void pass_standing_on(const struct graph *graph)
{
	bool changed;

	do {
		changed = false;
		for (size_t i = 0; i < graph->count; i++) {
			struct diag_finding *finding = graph->findings[i];

			if (finding->root || finding->standing != DIAG_STANDING_NEW ||
			    !finding->explained_by_count || counting_cause(finding))
				continue;
			diag_finding_accept(finding, finding->explained_by[0]->standing,
					    finding->explained_by[0]->justification);
			changed = true;
		}
	} while (changed);
}

void diag_cause_graph(struct diag_findings *findings, const struct diag_cause_rule *rules)
{
	struct graph graph = { .rules = rules, .at = diag_map_new() };
	struct reach reach = { .graph = &graph };
	struct diag_finding **order;
	size_t *damage;

	graph.findings = diag_findings_all(findings, &graph.count);
	link_all(&graph);
	reach.seen = diag_xcalloc(graph.count, 1);
	reach.stack = diag_xcalloc(graph.count, sizeof(*reach.stack));
	reach.effects = diag_xcalloc(graph.count, sizeof(*reach.effects));
	damage = diag_xcalloc(graph.count, sizeof(*damage));
	order = diag_xcalloc(graph.count, sizeof(*order));
	reverse_edges(&reach);
	choose_roots(&reach);
	weigh_roots(&reach, damage);
	pass_standing_on(&graph);
	for (size_t i = 0; i < graph.count; i++) {
		order[i] = graph.findings[i];
		order[i]->damage = damage[i];
		free(reach.effects[i].items);
	}
	if (graph.count)
		qsort(order, graph.count, sizeof(*order), compare);
	diag_findings_reorder(findings, order);
	free(order);
	free(damage);
	free(reach.effects);
	free(reach.stack);
	free(reach.seen);
	diag_map_each(graph.at, free_holders, NULL);
	diag_map_free(graph.at);
}
