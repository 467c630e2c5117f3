/*
 * Credentials from a program of the user's. Source: KEP-541 and client.authentication.k8s.io/v1,
 * v1beta1; client-go plugin/pkg/client/auth/exec.
 */
#pragma once

#include <stdint.h>

#include "base/cancel.h"
#include "kube/config.h"

struct diag_exec_credential {
	char *token, *certificate_pem, *key_pem; /* NULL where it has none */
	int64_t expires_ms;                      /* DIAG_TIME_NONE: never */
};

/**
 * Run the plugin of `config->exec` and read what it says.
 *
 * @timeout_ms at most this long; less than the plugin's own limit
 * @ret        the caller's, ended with diag_exec_credential_done()
 *
 * Returns DIAG_OK; NOT_FOUND (not installed, with its hint), TIMEOUT, CANCELLED, UNAUTHORIZED (it
 * failed, with its last lines), PARSE (its answer is none; only versions are quoted, since it may
 * hold a token). Every message names the command and the user.
 */
int diag_exec_plugin_run(const struct diag_kube_config *config, const struct diag_cancel *cancel,
			 int64_t timeout_ms, struct diag_exec_credential *ret,
			 struct diag_error *err);

/** Overwrites what it frees. */
void diag_exec_credential_done(struct diag_exec_credential *credential);
