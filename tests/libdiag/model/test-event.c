/* B16: events of every shape keep their best time; undated ones come last. */
#include <jansson.h>

#include "base/timestamp.h"
#include "model/event.h"

#include "tests/support/unit.h"

static const char *const texts[] = {
	"{\"metadata\":{\"name\":\"only-event-time\"},\"eventTime\":\"2026-01-01T00:00:03.5Z\",\"lastTimestamp\":null}",
	"{\"metadata\":{\"name\":\"series\"},\"series\":{\"lastObservedTime\":\"2026-01-01T00:00:09Z\",\"count\":4},\"eventTime\":\"2026-01-01T00:00:01Z\"}",
	"{\"metadata\":{\"name\":\"first-only\"},\"firstTimestamp\":\"2026-01-01T00:00:02Z\",\"lastTimestamp\":null}",
	"{\"metadata\":{\"name\":\"undated\"},\"lastTimestamp\":null,\"eventTime\":null}",
	"{\"metadata\":{\"name\":\"future\"},\"lastTimestamp\":\"2099-01-01T00:00:00Z\",\"count\":3}",
	"{\"metadata\":{\"name\":\"classic\"},\"firstTimestamp\":\"2026-01-01T00:00:00Z\",\"lastTimestamp\":\"2026-01-01T00:00:05Z\",\"count\":2}",
	"{\"metadata\":{\"name\":\"hostile\"},\"lastTimestamp\":7,\"series\":[],\"count\":\"x\",\"involvedObject\":3}",
};

TEST(best_time_and_order)
{
	static const char *const order[] = { "future",     "series",  "classic", "only-event-time",
					     "first-only", "hostile", "undated" };
	json_t *events[DIAG_ARRAY_SIZE(texts)];

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(texts); i++) {
		events[i] = json_loads(texts[i], 0, NULL);
		assert_non_null(events[i]);
	}
	qsort(events, DIAG_ARRAY_SIZE(events), sizeof(*events), diag_event_compare);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(order); i++) {
		assert_string_equal(diag_ref_of(events[i]).name, order[i]);
		if (i >= 5)
			assert_true(diag_event_time(events[i]) == DIAG_TIME_NONE);
	}
	assert_int_equal(diag_event_count(events[0]), 3);
	assert_int_equal(diag_event_count(events[1]), 4);
	assert_int_equal(diag_event_count(events[5]), 1);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(events); i++)
		json_decref(events[i]);
}

RUN_TESTS("event", T(best_time_and_order))
