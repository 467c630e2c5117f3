#include "bundle/digest.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

struct diag_digest {
	struct sha256_ctx context;
};

struct diag_digest *diag_digest_new(void)
{
	struct diag_digest *digest = diag_xcalloc(1, sizeof(*digest));

	sha256_init(&digest->context);
	return digest;
}

void diag_digest_free(struct diag_digest *digest)
{
	free(digest);
}

void diag_digest_add(struct diag_digest *digest, const void *bytes, size_t length)
{
	sha256_update(&digest->context, length, bytes);
}

void diag_digest_take(struct diag_digest *digest, char ret_hex[DIAG_DIGEST_HEX])
{
	uint8_t bytes[SHA256_DIGEST_SIZE];

	sha256_digest(&digest->context, sizeof(bytes), bytes);
	for (size_t i = 0; i < sizeof(bytes); i++)
		snprintf(ret_hex + 2 * i, 3, "%02x", bytes[i]);
}
