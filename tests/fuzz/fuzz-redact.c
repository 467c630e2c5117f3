/* Redaction: whatever the text, a learnt value is gone from the result. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "text/redact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char secret[] = "s3cret/value";
	struct diag_redact *redact = diag_redact_new();
	struct diag_buf out diag_buf_auto = { 0 };

	diag_redact_learn(redact, secret, sizeof(secret) - 1);
	diag_buf_init(&out, 16 * DIAG_MIB);
	if (diag_redact_text(redact, (const char *)data, size, &out) &&
	    memmem(diag_buf_str(&out), out.length, secret, sizeof(secret) - 1))
		abort();
	diag_redact_free(redact);
	return 0;
}
