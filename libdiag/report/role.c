#include "report/role.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "model/resource.h"
#include "text/clean.h"

/* What the source asks for, and the right that it takes. Others are lists. */
static const struct special {
	const char *state;
	const char *resource;
} specials[] = {
	{ "logs", "pods/log" },
	{ "metrics", "pods/proxy" },
};

struct right {
	const char *namespace_; /* NULL: cluster-wide */
	const char *group;
	const char *verb;
	const char *resource;
};

struct rights {
	struct diag_arena *arena;
	struct right *items;
	size_t count, capacity;
	const struct diag_snapshot *snapshot;
};

static void add(struct rights *rights, struct right right)
{
	rights->items =
		diag_xgrow(rights->items, rights->count, &rights->capacity, sizeof(*rights->items));
	rights->items[rights->count++] = right;
}

static const char *special_resource(const char *name)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(specials); i++)
		if (strcmp(name, specials[i].state) == 0)
			return specials[i].resource;
	return NULL;
}

/* A namespace is read by name, which a Role inside it can allow. */
static void add_resource(struct rights *rights, const struct diag_resource *known,
			 const char *namespace_)
{
	const char *dot = strchr(known->name, '.');
	size_t plural = dot ? (size_t)(dot - known->name) : strlen(known->name);
	bool by_name = !known->namespaced && namespace_;

	add(rights, (struct right){
			    .namespace_ = namespace_,
			    .group = dot ? dot + 1 : "",
			    .verb = by_name ? "get" : "list",
			    .resource = diag_arena_strndup(rights->arena, known->name, plural),
		    });
	if (strcmp(known->name, "pods") == 0)
		add(rights, (struct right){ namespace_, "", "get", "pods/log" });
}

struct by_name {
	const char *resource;
	bool found;
};

static void look_by_name(void *arg, const char *resource, const char *namespace_,
			 enum diag_availability state, const char *reason DIAG_UNUSED)
{
	struct by_name *look = arg;

	look->found |=
		state == DIAG_FORBIDDEN && namespace_ && strcmp(resource, look->resource) == 0;
}

/* Told once for the kind and once for each name: the names say it. */
static bool is_told_by_name(const struct rights *rights, const struct diag_resource *known)
{
	struct by_name look = { known->name, false };

	if (known->namespaced)
		return false;
	diag_snapshot_each_state(rights->snapshot, look_by_name, &look);
	return look.found;
}

static void see_state(void *arg, const char *resource, const char *namespace_,
		      enum diag_availability state, const char *reason DIAG_UNUSED)
{
	struct rights *rights = arg;
	const struct diag_resource *known = diag_resource_by_name(resource);

	if (state != DIAG_FORBIDDEN)
		return;
	if (special_resource(resource))
		add(rights, (struct right){ namespace_, "", "get", special_resource(resource) });
	else if (known && (namespace_ || !is_told_by_name(rights, known)))
		add_resource(rights, known, namespace_);
}

static int compare(const void *a, const void *b)
{
	const struct right *one = a, *two = b;
	int order = strcmp(one->namespace_ ? one->namespace_ : "",
			   two->namespace_ ? two->namespace_ : "");

	if (!order)
		order = strcmp(one->group, two->group);
	if (!order)
		order = strcmp(one->verb, two->verb);
	return order ? order : strcmp(one->resource, two->resource);
}

static bool same_rule(const struct right *a, const struct right *b)
{
	return diag_str_eq(a->namespace_, b->namespace_) && strcmp(a->group, b->group) == 0 &&
	       strcmp(a->verb, b->verb) == 0;
}

static void put_head(struct diag_buf *out, const struct right *right, const char *name)
{
	diag_buf_printf(out,
			"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: %s\nmetadata:\n"
			"  name: %s\n",
			right->namespace_ ? "Role" : "ClusterRole", name);
	if (right->namespace_) {
		/* Quoted: a namespace may be called 'true' or '1'. */
		diag_buf_puts(out, "  namespace: \"");
		diag_clean(out, right->namespace_);
		diag_buf_puts(out, "\"\n");
	}
	diag_buf_puts(out, "rules:\n");
}

/* One rule: the resources of a group that take the same verb. Returns the index after it. */
static size_t put_rule(struct diag_buf *out, const struct rights *rights, size_t i)
{
	const struct right *first = &rights->items[i];

	diag_buf_printf(out, "- apiGroups: [\"%s\"]\n  resources: [", first->group);
	for (; i < rights->count && same_rule(first, &rights->items[i]); i++) {
		const char *resource = rights->items[i].resource;

		if (&rights->items[i] == first)
			diag_buf_puts(out, resource);
		else if (strcmp(resource, rights->items[i - 1].resource) != 0)
			diag_buf_printf(out, ", %s", resource);
	}
	diag_buf_printf(out, "]\n  verbs: [%s]\n", first->verb);
	return i;
}

static void put_roles(struct diag_buf *out, const struct rights *rights, const char *name)
{
	const char *last = NULL;

	for (size_t i = 0; i < rights->count;) {
		const struct right *right = &rights->items[i];

		if (i == 0 || !diag_str_eq(last, right->namespace_))
			put_head(out, right, name);
		last = right->namespace_;
		i = put_rule(out, rights, i);
	}
}

size_t diag_role_render(const struct diag_snapshot *snapshot, const char *name,
			struct diag_buf *out)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	struct rights rights = { .arena = arena, .snapshot = snapshot };

	diag_snapshot_each_state(snapshot, see_state, &rights);
	if (rights.count)
		qsort(rights.items, rights.count, sizeof(*rights.items), compare);
	else
		diag_buf_puts(out, "# nothing was refused\n");
	put_roles(out, &rights, name);
	free(rights.items);
	return rights.count;
}
