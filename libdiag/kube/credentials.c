#include "kube/credentials.h"

#include <stdlib.h>

#include "base/alloc.h"

struct diag_credentials {
	const struct diag_kube_config *config;
	const struct diag_cancel *cancel;
};

struct diag_credentials *diag_credentials_new(const struct diag_kube_config *config,
					      const struct diag_cancel *cancel)
{
	struct diag_credentials *credentials = diag_xcalloc(1, sizeof(*credentials));

	credentials->config = config;
	credentials->cancel = cancel;
	return credentials;
}

void diag_credentials_free(struct diag_credentials *credentials)
{
	free(credentials);
}

int diag_credentials_get(struct diag_credentials *credentials, struct diag_credential *ret,
			 struct diag_error *err)
{
	const struct diag_kube_config *config = credentials->config;

	if (config->token_file || config->exec)
		return diag_error_set(err, DIAG_E_UNSUPPORTED,
				      "token files and exec plugins are not read yet");
	*ret = (struct diag_credential){
		.bearer = config->token,
		.username = config->username,
		.password = config->password,
		.certificate_pem = config->client_certificate_pem,
		.key_pem = config->client_key_pem,
		.generation = 1,
	};
	return DIAG_OK;
}

bool diag_credentials_expire(struct diag_credentials *credentials DIAG_UNUSED)
{
	return false;
}
