/* Which context, cluster and user. Source: client-go tools/clientcmd, client_config.go; a name that
 * leads nowhere is an error here, where client-go goes on with an empty entry. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "kube/kubeconfig_internal.h"

enum { SHOWN_NAMES = 5 };

struct gathering {
	const char **names;
	size_t count;
};

static void gather(const char *name, void *value DIAG_UNUSED, void *arg)
{
	struct gathering *gathering = arg;

	gathering->names[gathering->count++] = name;
}

static struct gathering gather_names(const struct diag_kubeconfig_build *build,
				     enum diag_kubeconfig_list list)
{
	const struct diag_map *entries = build->files->entries[list];
	struct gathering gathering = { 0 };

	gathering.names = diag_arena_alloc(build->files->arena, (diag_map_count(entries) + 1) *
									sizeof(*gathering.names));
	diag_map_each(entries, gather, &gathering);
	return gathering;
}

const char *diag_kubeconfig_name_some(const struct diag_kubeconfig_build *build,
				      enum diag_kubeconfig_list list)
{
	struct gathering gathering = gather_names(build, list);
	diag_buf_auto struct diag_buf text = { 0 };

	if (!gathering.count)
		return NULL;
	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	for (size_t i = 0; i < DIAG_MIN(gathering.count, (size_t)SHOWN_NAMES); i++)
		diag_buf_printf(&text, "%s'%s'", i ? ", " : "", gathering.names[i]);
	if (gathering.count > SHOWN_NAMES)
		diag_buf_printf(&text, " and %zu more", gathering.count - SHOWN_NAMES);
	return diag_arena_strdup(build->files->arena, diag_buf_str(&text));
}

/* "; did you mean 'x'?", else the names that there are. */
static const char *hint(const struct diag_kubeconfig_build *build, enum diag_kubeconfig_list list,
			const char *name)
{
	struct gathering gathering = gather_names(build, list);
	const char *nearest = diag_str_nearest(name, gathering.names, gathering.count);
	const char *some = diag_kubeconfig_name_some(build, list);

	if (nearest)
		return diag_arena_printf(build->files->arena, "; did you mean '%s'?", nearest);
	return some ? diag_arena_printf(build->files->arena, "; there is %s", some) : "";
}

static const char *where(const struct diag_kubeconfig_build *build)
{
	return build->files->read ? build->files->read : "any kubeconfig";
}

static int find_context(struct diag_kubeconfig_build *build)
{
	const char *flag = build->flags->context;
	const char *name = diag_str_empty(flag) ? build->files->current_context : flag;

	if (!name)
		return DIAG_OK;
	build->context = diag_map_get(build->files->entries[DIAG_KUBECONFIG_CONTEXTS], name);
	if (!build->context)
		return diag_error_set(build->err, DIAG_E_NOT_FOUND, "no %scontext '%s' in %s%s",
				      diag_str_empty(flag) ? "current " : "", name, where(build),
				      hint(build, DIAG_KUBECONFIG_CONTEXTS, name));
	build->config->context = diag_arena_strdup(build->arena, name);
	return DIAG_OK;
}

/* The cluster or user that a flag names, or else the context. */
static int find(struct diag_kubeconfig_build *build, enum diag_kubeconfig_list list,
		const char *what, const char *flag, bool optional,
		const struct diag_kubeconfig_entry **ret, const char **ret_name)
{
	const char *name = flag;

	if (diag_str_empty(name))
		name = diag_kubeconfig_field(build->context, what);
	if (!name)
		return DIAG_OK;
	*ret = diag_map_get(build->files->entries[list], name);
	*ret_name = diag_arena_strdup(build->arena, name);
	if (*ret || (optional && diag_str_empty(flag)))
		return DIAG_OK;
	if (!diag_str_empty(flag))
		return diag_error_set(build->err, DIAG_E_NOT_FOUND, "no %s '%s' in %s%s", what,
				      name, where(build), hint(build, list, name));
	return diag_error_set(build->err, DIAG_E_NOT_FOUND,
			      "context '%s' in '%s' has the %s '%s', which is not in %s%s",
			      build->context->name, build->context->file, what, name, where(build),
			      hint(build, list, name));
}

int diag_kubeconfig_choose(struct diag_kubeconfig_build *build)
{
	const struct diag_kube_flags *flags = build->flags;
	bool named = !diag_str_empty(flags->token) || !diag_str_empty(flags->client_certificate);
	int r = find_context(build);

	if (r == 0)
		r = find(build, DIAG_KUBECONFIG_CLUSTERS, "cluster", flags->cluster,
			 !diag_str_empty(flags->server), &build->cluster, &build->config->cluster);
	if (r == 0)
		r = find(build, DIAG_KUBECONFIG_USERS, "user", flags->user, named, &build->user,
			 &build->config->user);
	return r;
}
