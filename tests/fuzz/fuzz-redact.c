/*
 * Redaction: whatever the text, a learnt value is gone from the result, as text, inside an object
 * and as base64; JSON stays valid. The first byte says how long the value is that the input begins
 * with.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "text/redact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check_text(struct diag_redact *redact, const char *text, size_t length)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, 64 * DIAG_MIB);
	if (!diag_redact_text(redact, text, length, &out)) {
		require(out.length == 0);
		require(!diag_redact_finds(redact, text, length));
		return;
	}
	require(!diag_buf_failed(&out));
	require(!diag_redact_finds(redact, diag_buf_str(&out), out.length));
}

/* The text as a JSON document, or as a string in places where objects hold foreign text. */
static void check_object(struct diag_redact *redact, const char *text, size_t length)
{
	json_t *object = json_loadb(text, length, 0, NULL);
	char *dump;

	if (!object)
		object = json_pack(
			"{s:s, s:{s:{s:s%}}, s:{s:s%}, s:{s:[{s:[s%], s:[{s:s, s:s%}]}]}}", "kind",
			"Pod", "metadata", "annotations",
			"kubectl.kubernetes.io/last-applied-configuration", text, length, "status",
			"message", text, length, "spec", "containers", "args", text, length, "env",
			"name", "DB_TOKEN", "value", text, length);
	if (!object)
		return;
	diag_redact_object(redact, object);
	dump = json_dumps(object, JSON_ENCODE_ANY);
	require(dump != NULL);
	free(dump);
	json_decref(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char secret[] = "s3cret/value";
	struct diag_redact *redact = diag_redact_new();
	size_t length;

	diag_redact_learn(redact, secret, sizeof(secret) - 1);
	if (size > 1) {
		length = data[0] % 64;
		length = length < size - 1 ? length : size - 1;
		diag_redact_learn(redact, (const char *)data + 1, length);
	}
	check_text(redact, (const char *)data, size);
	check_object(redact, (const char *)data, size);
	diag_redact_free(redact);
	return 0;
}
