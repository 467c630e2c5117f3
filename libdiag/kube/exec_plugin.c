#include "kube/exec_plugin.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "kube/child.h"
#include "text/base64.h"
#include "text/clean.h"
#include "text/json.h"

enum {
	QUIET_TIMEOUT_MS = 60 * 1000,
	TALKING_TIMEOUT_MS = 5 * 60 * 1000, /* a person is looking for the other device */
	SHOWN_ERRORS = 240,                 /* columns of the end of stderr */
	SHOWN_HINT = 160,
};

/* ---- what it is told ---- */

static json_t *cluster_info(const struct diag_kube_config *config)
{
	json_t *cluster =
		json_pack("{s:s, s:s*, s:s*}", "server", config->server, "tls-server-name",
			  config->tls_server_name, "proxy-url", config->proxy_url);

	if (config->insecure_skip_tls_verify)
		json_object_set_new(cluster, "insecure-skip-tls-verify", json_true());
	if (config->disable_compression)
		json_object_set_new(cluster, "disable-compression", json_true());
	if (config->ca_pem) {
		struct diag_buf text diag_buf_auto = { 0 };

		diag_buf_init(&text, 2 * DIAG_MAX_KUBECONFIG_BYTES);
		diag_base64_encode(config->ca_pem, strlen(config->ca_pem), DIAG_BASE64_STANDARD,
				   &text);
		json_object_set_new(cluster, "certificate-authority-data",
				    json_string(diag_buf_str(&text)));
	}
	if (config->exec->cluster_config)
		json_object_set_new(
			cluster, "config",
			json_loads(config->exec->cluster_config, JSON_DECODE_ANY, NULL));
	return cluster;
}

static const char *exec_info(struct diag_arena *arena, const struct diag_kube_config *config,
			     bool terminal)
{
	json_auto_t *info = json_pack("{s:s, s:s, s:{s:b}}", "kind", "ExecCredential", "apiVersion",
				      config->exec->api_version, "spec", "interactive", terminal);
	diag_autofree char *text = NULL;

	if (config->exec->provide_cluster_info)
		json_object_set_new(json_object_get(info, "spec"), "cluster", cluster_info(config));
	text = json_dumps(info, JSON_COMPACT);
	return diag_arena_printf(arena, "KUBERNETES_EXEC_INFO=%s", text);
}

static bool is_set_in(const char *const *list, const char *variable)
{
	size_t length = strcspn(variable, "=") + 1;

	for (; *list; list++)
		if (strncmp(*list, variable, length) == 0)
			return true;
	return false;
}

/* Ours, then the stanza's, then what the plugin is told; a name set twice has its last value. */
static const char *const *environment(struct diag_arena *arena,
				      const struct diag_kube_config *config, bool terminal)
{
	const char *const *own = config->exec->environment;
	size_t count = 2, used = 0;
	const char **all;

	for (char **variable = environ; *variable; variable++)
		count++;
	for (const char *const *variable = own; *variable; variable++)
		count++;
	all = diag_arena_alloc(arena, count * sizeof(*all));
	for (char **variable = environ; *variable; variable++)
		if (!is_set_in(own, *variable) &&
		    !diag_str_starts(*variable, "KUBERNETES_EXEC_INFO="))
			all[used++] = *variable;
	for (const char *const *variable = own; *variable; variable++)
		if (!is_set_in(variable + 1, *variable))
			all[used++] = *variable;
	all[used] = exec_info(arena, config, terminal);
	return all;
}

/* ---- what it says ---- */

/* The end of stderr in one line. */
static void add_errors(struct diag_buf *out, const char *errors)
{
	size_t length;
	const char *text = diag_str_trim(errors, &length);
	diag_autofree char *copy = diag_xstrndup(text, length);

	if (!length)
		return;
	text = diag_str_tail_lines(copy, length, SHOWN_ERRORS);
	diag_buf_puts(out, ": ");
	diag_clean_cut(out, *text ? text : copy, SHOWN_ERRORS, true);
}

static int ended_badly(int status, const char *errors, struct diag_error *err)
{
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	if (WIFSIGNALED(status))
		diag_buf_printf(&text, "it was ended by signal %d (%s)", WTERMSIG(status),
				strsignal(WTERMSIG(status)));
	else
		diag_buf_printf(&text, "it failed with exit status %d", WEXITSTATUS(status));
	add_errors(&text, errors);
	return diag_error_set(err, DIAG_E_UNAUTHORIZED, "%s", diag_buf_str(&text));
}

static char *take(const json_t *object, const char *key)
{
	const char *text = diag_json_str(object, "status", key);

	return diag_str_empty(text) ? NULL : diag_xstrdup(text);
}

static int check_kind(const struct diag_kube_config *config, const json_t *object,
		      struct diag_error *err)
{
	const char *kind = diag_json_str(object, "kind");
	const char *version = diag_json_str(object, "apiVersion");

	if (diag_str_eq(kind, "ExecCredential") && diag_str_eq(version, config->exec->api_version))
		return DIAG_OK;
	if (!diag_str_eq(kind, "ExecCredential"))
		return diag_error_set(err, DIAG_E_PARSE,
				      "it ended with exit status 0, but wrote no ExecCredential of "
				      "%s to its standard output; is it the right command?",
				      config->exec->api_version);
	return diag_error_set(err, DIAG_E_PARSE,
			      "it was asked for apiVersion %s and answered with '%.64s'; change "
			      "apiVersion in the kubeconfig or the plugin's version",
			      config->exec->api_version, version ? version : "");
}

static int read_credential(const struct diag_kube_config *config, const struct diag_buf *out,
			   struct diag_exec_credential *ret, struct diag_error *err)
{
	json_auto_t *documents = NULL;
	const json_t *object = NULL;
	int r;

	if (diag_json_load(diag_buf_str(out), out->length, NULL, NULL, 0, &documents, NULL) == 0)
		object = json_array_get(documents, 0);
	r = check_kind(config, object, err);
	if (r < 0)
		return r;
	*ret = (struct diag_exec_credential){
		.token = take(object, "token"),
		.certificate_pem = take(object, "clientCertificateData"),
		.key_pem = take(object, "clientKeyData"),
		.expires_ms =
			diag_time_parse(diag_json_str(object, "status", "expirationTimestamp")),
	};
	if (!ret->certificate_pem != !ret->key_pem)
		r = diag_error_set(err, DIAG_E_PARSE, "its answer has a %s",
				   ret->key_pem ? "key without a certificate"
						: "certificate without a key");
	else if (!ret->token && !ret->certificate_pem)
		r = diag_error_set(err, DIAG_E_PARSE,
				   "its answer has neither a token nor a client certificate");
	if (r < 0)
		diag_exec_credential_done(ret);
	return r;
}

/* ---- running it ---- */

static int missing(const struct diag_kube_exec *exec, struct diag_error *err)
{
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	diag_buf_printf(&text, "it is not installed%s",
			strchr(exec->command, '/') ? "" : ", or not in $PATH");
	if (exec->install_hint) {
		diag_buf_puts(&text, "; ");
		diag_clean_cut(&text, exec->install_hint, SHOWN_HINT, true);
	}
	return diag_error_set(err, DIAG_E_NOT_FOUND, "%s", diag_buf_str(&text));
}

static int run(const struct diag_kube_config *config, const struct diag_cancel *cancel,
	       int64_t timeout_ms, struct diag_buf *out, struct diag_error *err)
{
	const struct diag_kube_exec *exec = config->exec;
	bool terminal = strcmp(exec->interactive_mode, "Never") != 0 && isatty(STDIN_FILENO);
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	int64_t own_ms = terminal ? TALKING_TIMEOUT_MS : QUIET_TIMEOUT_MS;
	struct diag_buf errors diag_buf_auto = { 0 };
	const struct diag_child child = {
		.command = exec->command,
		.args = exec->args,
		.environment = environment(arena, config, terminal),
		.terminal = terminal,
		.timeout_ms = DIAG_MIN(timeout_ms, own_ms),
		.cancel = cancel,
	};
	int status = 0, r;

	if (!terminal && strcmp(exec->interactive_mode, "Always") == 0)
		return diag_error_set(err, DIAG_E_INVALID,
				      "it has interactiveMode Always, and standard input is no "
				      "terminal");
	diag_buf_init(&errors, DIAG_MAX_MESSAGE);
	r = diag_child_run(&child, out, &errors, &status, err);
	if (r == DIAG_E_NOT_FOUND)
		return missing(exec, err);
	if (r == 0 && status != 0)
		return ended_badly(status, diag_buf_str(&errors), err);
	return r;
}

int diag_exec_plugin_run(const struct diag_kube_config *config, const struct diag_cancel *cancel,
			 int64_t timeout_ms, struct diag_exec_credential *ret,
			 struct diag_error *err)
{
	struct diag_buf out diag_buf_auto = { 0 }, name diag_buf_auto = { 0 };
	int r;

	diag_buf_init(&out, DIAG_MIB);
	r = run(config, cancel, timeout_ms, &out, err);
	if (r == 0)
		r = read_credential(config, &out, ret, err);
	if (out.data)
		explicit_bzero(out.data, out.length);
	if (r == 0)
		return DIAG_OK;
	diag_buf_init(&name, DIAG_MAX_MESSAGE);
	diag_buf_puts(&name, "credential plugin '");
	diag_clean_cut(&name, config->exec->command, SHOWN_HINT, true);
	diag_buf_puts(&name, "' of user '");
	diag_clean_cut(&name, config->user ? config->user : "", SHOWN_HINT, true);
	return diag_error_prefix(err, r, "%s'", diag_buf_str(&name));
}

static void wipe(char **text)
{
	if (*text)
		explicit_bzero(*text, strlen(*text));
	free(*text);
	*text = NULL;
}

void diag_exec_credential_done(struct diag_exec_credential *credential)
{
	wipe(&credential->token);
	wipe(&credential->certificate_pem);
	wipe(&credential->key_pem);
}
