#include "source/bundle_logs.h"

#include "tests/support/recording-sink.h"
#include "tests/support/unit.h"

static void hold(struct diag_bundle_logs *logs, const char *file, const char *text)
{
	struct diag_log log = {
		.namespace_ = "game",
		.pod = file,
		.container = "c",
		.bytes = text,
		.length = strlen(text),
		.truncated = true,
	};

	diag_bundle_logs_hold(logs, file, &log);
}

/* What fits comes out in order; the first that does not fit ends it, so that what is left is clear.
 */
TEST(keeps_up_to_the_limit)
{
	struct diag_bundle_logs *logs = diag_bundle_logs_new(10);
	struct recording_sink sink;

	recording_sink_init(&sink, NULL);
	hold(logs, "b", "12345");
	hold(logs, "a", "67890");
	assert_false(diag_bundle_logs_is_full(logs));
	hold(logs, "empty", "");
	hold(logs, "c", "x");
	assert_true(diag_bundle_logs_is_full(logs));
	hold(logs, "late", "");
	assert_true(diag_bundle_logs_has(logs, "a"));
	assert_true(diag_bundle_logs_has(logs, "empty"));
	assert_false(diag_bundle_logs_has(logs, "c"));
	assert_false(diag_bundle_logs_has(logs, "late"));
	diag_bundle_logs_push(logs, &sink.sink);
	assert_string_equal(diag_buf_str(&sink.lines), "log game b c current cut 12345\n"
						       "log game a c current cut 67890\n"
						       "log game empty c current cut \n");
	assert_true(diag_bundle_logs_has(logs, "a"));
	diag_bundle_logs_push(logs, &sink.sink);
	assert_int_equal(recording_sink_count(&sink, "log"), 3);
	recording_sink_done(&sink);
	diag_bundle_logs_free(logs);
}

RUN_TESTS("bundle_logs", T(keeps_up_to_the_limit))
