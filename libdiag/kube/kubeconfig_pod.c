/* Inside a pod: its service account. Source: client-go rest.InClusterConfig. */
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/str.h"
#include "kube/kubeconfig_internal.h"

static char *account_file(const struct diag_kube_flags *flags, const char *name)
{
	diag_buf_auto struct diag_buf path = { 0 };

	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	diag_buf_printf(&path, "%s/%s",
			flags->service_account ? flags->service_account
					       : "/var/run/secrets/kubernetes.io/serviceaccount",
			name);
	return diag_buf_steal(&path);
}

bool diag_kubeconfig_in_pod(const struct diag_kube_flags *flags)
{
	diag_autofree char *token = account_file(flags, "token");
	struct stat st;

	return diag_kubeconfig_env(flags, "KUBERNETES_SERVICE_HOST") &&
	       diag_kubeconfig_env(flags, "KUBERNETES_SERVICE_PORT") && stat(token, &st) == 0 &&
	       !S_ISDIR(st.st_mode);
}

static void set_namespace(struct diag_kubeconfig_build *build)
{
	diag_autofree char *path = account_file(build->flags, "namespace");
	const char *name = diag_kubeconfig_env(build->flags, "POD_NAMESPACE");
	diag_buf_auto struct diag_buf text = { 0 };
	size_t length;

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	if (!name && diag_file_read(path, &text, NULL) == 0)
		name = diag_buf_str(&text);
	if (!name)
		return;
	name = diag_str_trim(name, &length);
	if (length)
		build->config->namespace_ = diag_arena_strndup(build->arena, name, length);
}

/* Without a readable ca.crt the system's authorities count, as with client-go. */
static int set_trust(struct diag_kubeconfig_build *build)
{
	const char *flag = build->flags->certificate_authority;
	diag_autofree char *path = account_file(build->flags, "ca.crt");
	struct diag_kubeconfig_build quiet = *build;

	if (!diag_str_empty(flag))
		return diag_kubeconfig_read_pem(build, flag, "--certificate-authority", false,
						&build->config->ca_pem);
	quiet.err = NULL;
	if (!build->config->insecure_skip_tls_verify)
		diag_kubeconfig_read_pem(&quiet, path, "ca.crt", false, &build->config->ca_pem);
	return DIAG_OK;
}

int diag_kubeconfig_pod(struct diag_kubeconfig_build *build)
{
	const char *host = diag_kubeconfig_env(build->flags, "KUBERNETES_SERVICE_HOST");
	const char *port = diag_kubeconfig_env(build->flags, "KUBERNETES_SERVICE_PORT");
	bool v6 = strchr(host, ':') != NULL;
	diag_autofree char *token = account_file(build->flags, "token");
	diag_autofree char *server = NULL;
	diag_buf_auto struct diag_buf text = { 0 };
	int r = set_trust(build);

	if (r < 0)
		return r;
	set_namespace(build);
	build->config->in_cluster = true;
	if (diag_str_empty(build->flags->token))
		build->config->token_file = diag_arena_strdup(build->arena, token);
	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	diag_buf_printf(&text, "https://%s%s%s:%s", v6 ? "[" : "", host, v6 ? "]" : "", port);
	server = diag_buf_steal(&text);
	return diag_kubeconfig_server(build, server);
}
