#include "model/event.h"

#include <string.h>

#include "base/macros.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "text/json.h"

static const json_t *object_of(const json_t *event)
{
	const json_t *involved = diag_json_object(event, "involvedObject");

	return involved ? involved : diag_json_object(event, "regarding");
}

struct diag_ref diag_event_object(const json_t *event)
{
	const json_t *object = object_of(event);

	return diag_ref_make(diag_json_str(object, "kind"), diag_json_str(object, "namespace"),
			     diag_json_str(object, "name"));
}

const char *diag_event_object_uid(const json_t *event)
{
	return diag_json_str(object_of(event), "uid");
}

const char *diag_event_reason(const json_t *event)
{
	const char *reason = diag_json_str(event, "reason");

	return reason ? reason : "";
}

const char *diag_event_message(const json_t *event)
{
	const char *message = diag_json_str(event, "message");

	if (!message)
		message = diag_json_str(event, "note");
	return message ? message : "";
}

int64_t diag_event_time(const json_t *event)
{
	const char *const times[] = {
		diag_json_str(event, "lastTimestamp"),
		diag_json_str(event, "series", "lastObservedTime"),
		diag_json_str(event, "eventTime"),
		diag_json_str(event, "firstTimestamp"),
	};
	int64_t latest = DIAG_TIME_NONE;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(times); i++)
		latest = DIAG_MAX(latest, diag_time_parse(times[i]));
	if (latest == DIAG_TIME_NONE)
		latest = diag_created_at(event);
	return latest;
}

int64_t diag_event_count(const json_t *event)
{
	int64_t count = diag_json_int(event, 1, "count");
	int64_t series = diag_json_int(event, 1, "series", "count");

	return DIAG_MAX(DIAG_MAX(count, series), INT64_C(1));
}

int diag_event_compare(const void *a, const void *b)
{
	const json_t *one = *(json_t *const *)a, *two = *(json_t *const *)b;
	int64_t time_one = diag_event_time(one), time_two = diag_event_time(two);

	if (time_one != time_two)
		return time_one > time_two ? -1 : 1;
	return strcmp(diag_ref_of(one).name, diag_ref_of(two).name);
}
