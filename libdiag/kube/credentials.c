#include "kube/credentials.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "kube/exec_plugin.h"

enum {
	FILE_AGE_MS = 60 * 1000, /* client-go's transport/token_source.go */
	PLUGIN_AGE_MS =
		10 * 1000, /* one that hands out what has expired is not run at each request */
};

struct diag_credentials {
	const struct diag_kube_config *config;
	const struct diag_cancel *cancel;
	struct diag_exec_credential fetched; /* by the plugin, or the token of the file */
	bool have, retried;
	int64_t fetched_ms; /* monotonic */
	unsigned generation;
};

struct diag_credentials *diag_credentials_new(const struct diag_kube_config *config,
					      const struct diag_cancel *cancel)
{
	struct diag_credentials *credentials = diag_xcalloc(1, sizeof(*credentials));

	credentials->config = config;
	credentials->cancel = cancel;
	credentials->generation = 1;
	return credentials;
}

void diag_credentials_free(struct diag_credentials *credentials)
{
	if (credentials)
		diag_exec_credential_done(&credentials->fetched);
	free(credentials);
}

static int64_t age_ms(const struct diag_credentials *credentials)
{
	return diag_clock_ms() - credentials->fetched_ms;
}

static void keep(struct diag_credentials *credentials, struct diag_exec_credential *fetched)
{
	diag_exec_credential_done(&credentials->fetched);
	credentials->fetched = *fetched;
	credentials->have = true;
	credentials->fetched_ms = diag_clock_ms();
}

/* ---- token files ---- */

static int read_token(const char *path, char **ret, struct diag_error *err)
{
	struct diag_buf text diag_buf_auto = { 0 };
	const char *token;
	size_t length;
	int r;

	diag_buf_init(&text, DIAG_MAX_KUBECONFIG_BYTES);
	r = diag_file_read(path, &text, err);
	if (r < 0)
		return diag_error_prefix(err, r, "token file");
	token = diag_str_trim(diag_buf_str(&text), &length);
	if (!length)
		return diag_error_set(err, DIAG_E_UNAUTHORIZED, "token file '%s' is empty", path);
	*ret = diag_xstrndup(token, length);
	explicit_bzero(text.data, text.length);
	return DIAG_OK;
}

/* A file that cannot be read now may be about to be replaced: what was read before counts. Returns
 * DIAG_OK also when nothing has changed. */
static int load_file(struct diag_credentials *credentials, bool *ret_changed,
		     struct diag_error *err)
{
	struct diag_exec_credential fetched = { .expires_ms = DIAG_TIME_NONE };
	const char *last = credentials->fetched.token ? credentials->fetched.token
						      : credentials->config->token;
	int r = read_token(credentials->config->token_file, &fetched.token, err);

	if (r < 0 && last) {
		credentials->fetched_ms = diag_clock_ms();
		return DIAG_OK;
	}
	if (r < 0)
		return r;
	*ret_changed = credentials->have && !diag_str_eq(fetched.token, last);
	credentials->generation += *ret_changed;
	keep(credentials, &fetched);
	return DIAG_OK;
}

static int get_file(struct diag_credentials *credentials, struct diag_error *err)
{
	bool ignored = false;

	if (credentials->have && age_ms(credentials) < FILE_AGE_MS)
		return DIAG_OK;
	return load_file(credentials, &ignored, err);
}

/* ---- exec plugins ---- */

static bool is_current(const struct diag_credentials *credentials)
{
	int64_t expires_ms = credentials->fetched.expires_ms;

	return credentials->have &&
	       (expires_ms == DIAG_TIME_NONE || diag_time_now() < expires_ms ||
		age_ms(credentials) < PLUGIN_AGE_MS);
}

static int get_plugin(struct diag_credentials *credentials, int64_t timeout_ms,
		      struct diag_error *err)
{
	struct diag_exec_credential fetched;
	bool again = credentials->fetched_ms != 0;
	int r;

	if (is_current(credentials))
		return DIAG_OK;
	r = diag_exec_plugin_run(credentials->config, credentials->cancel, timeout_ms, &fetched,
				 err);
	if (r < 0)
		return r;
	keep(credentials, &fetched);
	credentials->generation += again;
	return DIAG_OK;
}

/* ---- all of them ---- */

int diag_credentials_get(struct diag_credentials *credentials, int64_t timeout_ms,
			 struct diag_credential *ret, struct diag_error *err)
{
	const struct diag_kube_config *config = credentials->config;
	const struct diag_exec_credential *fetched = &credentials->fetched;
	int r = DIAG_OK;

	if (config->token_file)
		r = get_file(credentials, err);
	else if (config->exec)
		r = get_plugin(credentials, timeout_ms, err);
	if (r < 0)
		return r;
	*ret = (struct diag_credential){
		.bearer = fetched->token ? fetched->token : config->token,
		.username = config->username,
		.password = config->password,
		.certificate_pem = fetched->certificate_pem ? fetched->certificate_pem
							    : config->client_certificate_pem,
		.key_pem = fetched->key_pem ? fetched->key_pem : config->client_key_pem,
		.generation = credentials->generation,
	};
	return DIAG_OK;
}

bool diag_credentials_expire(struct diag_credentials *credentials)
{
	bool changed = false;

	if (credentials->config->token_file)
		return load_file(credentials, &changed, NULL) == 0 && changed;
	if (!credentials->config->exec || credentials->retried)
		return false;
	credentials->retried = true;
	credentials->have = false;
	return true;
}
