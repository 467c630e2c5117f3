#include "cli/kube.h"

bool diag_kube_is_chosen(const struct diag_kube_options *options)
{
	return options->live || options->kubeconfig || options->context || options->cluster ||
	       options->user || options->server;
}

int diag_kube_options_load(const struct diag_kube_options *options, struct diag_kube_config **ret,
			   struct diag_error *err)
{
	const struct diag_kube_flags flags = {
		.kubeconfig = options->kubeconfig,
		.context = options->context,
		.cluster = options->cluster,
		.user = options->user,
		.server = options->server,
		.token = options->token,
		.certificate_authority = options->certificate_authority,
		.client_certificate = options->client_certificate,
		.client_key = options->client_key,
		.tls_server_name = options->tls_server_name,
		.insecure_skip_tls_verify = options->insecure_skip_tls_verify,
		.as = options->as,
		.as_uid = options->as_uid,
		.as_groups = options->as_groups.items,
	};

	return diag_kube_config_load(&flags, ret, err);
}
