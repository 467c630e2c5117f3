/* Source: Kubernetes documentation, "Using RBAC Authorization" (rules, subjects, aggregation). */
#include "checks/operator/rights.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "bindery/operator.h"
#include "text/json.h"

#define ROLES    "clusterroles.rbac.authorization.k8s.io"
#define BINDINGS "clusterrolebindings.rbac.authorization.k8s.io"

struct account {
	const char *namespace_, *name;
	char group[300]; /* of all service accounts of its namespace */
};

struct right {
	const char *verb;
	char resource[100]; /* with its subresource */
	const char *group;
};

static bool has(const json_t *list, const char *word)
{
	const json_t *item;
	size_t i;

	json_array_foreach(list, i, item) {
		if (diag_str_in(json_string_value(item), "*", word, NULL))
			return true;
	}
	return false;
}

/* Rules that name single objects do not allow to make, list or watch others. */
static bool grants(const json_t *role, const struct right *right)
{
	const json_t *rule;
	size_t i;

	json_array_foreach(diag_json_array(role, "rules"), i, rule) {
		if (!json_array_size(diag_json_array(rule, "resourceNames")) &&
		    has(diag_json_array(rule, "verbs"), right->verb) &&
		    has(diag_json_array(rule, "apiGroups"), right->group) &&
		    has(diag_json_array(rule, "resources"), right->resource))
			return true;
	}
	return false;
}

static bool is_bound(const json_t *binding, const struct account *account)
{
	const json_t *subject;
	size_t i;

	json_array_foreach(diag_json_array(binding, "subjects"), i, subject) {
		const char *kind = diag_json_str(subject, "kind");
		const char *name = diag_json_str(subject, "name");

		if (diag_str_eq(kind, "Group") &&
		    diag_str_in(name, account->group, "system:serviceaccounts",
				"system:authenticated", NULL))
			return true;
		if (diag_str_eq(kind, "ServiceAccount") && diag_str_eq(name, account->name) &&
		    diag_str_eq(diag_json_str(subject, "namespace"), account->namespace_))
			return true;
	}
	return false;
}

static struct account account_of(const json_t *deployment)
{
	const char *name =
		diag_json_str(deployment, "spec", "template", "spec", "serviceAccountName");
	struct account account = {
		.namespace_ = diag_ref_of(deployment).namespace_,
		.name = name ? name : "default",
	};

	snprintf(account.group, sizeof(account.group), "system:serviceaccounts:%s",
		 account.namespace_);
	return account;
}

static struct right right_of(const char *verb, const char *resource)
{
	size_t length = strcspn(resource, ".");
	struct right right = {
		.verb = verb,
		.group = resource[length] ? resource + length + 1 : "",
	};

	snprintf(right.resource, sizeof(right.resource), "%.*s", (int)length, resource);
	return right;
}

enum operator_right operator_right(const struct diag_check_ctx *ctx, const char *verb,
				   const char *resource)
{
	const json_t *deployment = bindery_operator(ctx->snapshot), *binding;
	struct right right = right_of(verb, resource);
	struct account account;
	size_t i;

	if (!deployment || !diag_snapshot_has(ctx->snapshot, ROLES, NULL) ||
	    !diag_snapshot_has(ctx->snapshot, BINDINGS, NULL))
		return OPERATOR_RIGHT_UNKNOWN;
	account = account_of(deployment);
	json_array_foreach(diag_snapshot_list(ctx->snapshot, BINDINGS), i, binding) {
		if (is_bound(binding, &account) &&
		    grants(diag_snapshot_get(ctx->snapshot, ROLES, NULL,
					     diag_json_str(binding, "roleRef", "name")),
			   &right))
			return OPERATOR_MAY;
	}
	return OPERATOR_NO_CLUSTER_ROLE;
}
