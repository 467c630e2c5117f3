#include "model/ref.h"

#include "base/str.h"
#include "text/json.h"

struct diag_ref diag_ref_make(const char *kind, const char *namespace_, const char *name)
{
	return (struct diag_ref){ kind ? kind : "", namespace_, name ? name : "" };
}

struct diag_ref diag_ref_of(const json_t *object)
{
	return diag_ref_make(diag_json_str(object, "kind"),
			     diag_json_str(object, "metadata", "namespace"),
			     diag_json_str(object, "metadata", "name"));
}

bool diag_ref_eq(struct diag_ref a, struct diag_ref b)
{
	return diag_str_eq(a.kind, b.kind) && diag_str_eq(a.name, b.name) &&
	       diag_str_eq(a.namespace_, b.namespace_);
}
