#include "model/condition.h"

#include "base/str.h"
#include "base/timestamp.h"
#include "text/json.h"

const json_t *diag_condition(const json_t *object, const char *type)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(diag_json_array(object, "status", "conditions"), i, entry) {
		if (diag_str_eq(diag_json_str(entry, "type"), type))
			return entry;
	}
	return NULL;
}

bool diag_condition_is(const json_t *object, const char *type, const char *status)
{
	return diag_str_eq(diag_json_str(diag_condition(object, type), "status"), status);
}

int64_t diag_condition_time(const json_t *condition)
{
	return diag_time_parse(diag_json_str(condition, "lastTransitionTime"));
}

const char *diag_condition_reason(const json_t *object, const char *type)
{
	return diag_json_str(diag_condition(object, type), "reason");
}
