#include "registry.inc"

#include "bindery/operator.h"
#include "bindery/view.h"

#include "checks/checks.h"

static void *prepare(const struct diag_snapshot *snapshot)
{
	return bindery_view_new(snapshot);
}

static void release(void *domain)
{
	bindery_view_free(domain);
}

const struct diag_check_set *checks_bindery(void)
{
	static const struct diag_check_set set = {
		.name = "bindery",
		.domain = &bindery_domain,
		.checks = all,
		.rules = checks_bindery_rules,
		.wants = bindery_view_wants,
		.version = bindery_operator_image,
		.prepare = prepare,
		.release = release,
	};

	return &set;
}
