#include "model/ref.h"

#include "base/macros.h"
#include "base/str.h"
#include "base/timestamp.h"
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

int64_t diag_created_at(const json_t *object)
{
	return diag_time_parse(diag_json_str(object, "metadata", "creationTimestamp"));
}

int64_t diag_changed_at(const json_t *object)
{
	int64_t latest = diag_created_at(object);
	const json_t *entry;
	size_t i;

	json_array_foreach(diag_json_array(object, "metadata", "managedFields"), i, entry) {
		int64_t time = diag_time_parse(diag_json_str(entry, "time"));

		if (!diag_str_eq(diag_json_str(entry, "subresource"), "status"))
			latest = DIAG_MAX(latest, time);
	}
	return latest;
}

void diag_ref_name(struct diag_ref ref, struct diag_buf *out)
{
	if (!diag_str_empty(ref.namespace_))
		diag_buf_printf(out, "%s/", ref.namespace_);
	diag_buf_printf(out, "%s/%s", ref.kind ? ref.kind : "", ref.name ? ref.name : "");
}
