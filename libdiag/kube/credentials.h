/*
 * What is sent to prove who we are. Tokens may come from a file that changes or from an exec
 * plugin that runs once a process; both may be asked again after a 401.
 */
#pragma once

#include <stdint.h>

#include "base/cancel.h"
#include "kube/config.h"

struct diag_credentials;

/* What the transport uses; borrowed, valid until the next diag_credentials_get() or _free(). */
struct diag_credential {
	const char *bearer;   /* token, or NULL */
	const char *username; /* basic authentication, or NULL */
	const char *password;
	const char *certificate_pem; /* client certificate, or NULL */
	const char *key_pem;
	unsigned generation; /* grows when anything above has changed */
};

/** The configuration is borrowed and outlives it. */
struct diag_credentials *diag_credentials_new(const struct diag_kube_config *config,
					      const struct diag_cancel *cancel);
void diag_credentials_free(struct diag_credentials *credentials);

/**
 * The credentials as of now; runs the exec plugin on the first call and when they have expired.
 * Token files are read again when they are a minute old.
 *
 * @timeout_ms how long a plugin may take at most
 *
 * Returns DIAG_OK, or what diag_exec_plugin_run() or diag_file_read() return, with a message that
 * has the plugin's command, its install hint and its last lines of stderr, cleaned, and never a
 * credential.
 */
int diag_credentials_get(struct diag_credentials *credentials, int64_t timeout_ms,
			 struct diag_credential *ret, struct diag_error *err);

/** The server refused them (401): forget what can be fetched anew. Returns true when there is
 * anything to try again with; only once a process for an exec plugin. */
bool diag_credentials_expire(struct diag_credentials *credentials);
