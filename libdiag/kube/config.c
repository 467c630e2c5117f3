#include "kube/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "kube/kubeconfig_internal.h"
#include "text/clean.h"
#include "text/json.h"
#include "text/k8sname.h"

struct owned {
	struct diag_kube_config config; /* first: what callers hold */
	struct diag_arena *arena;
};

void diag_kube_config_free(struct diag_kube_config *config)
{
	struct owned *owned = (struct owned *)config;

	if (!owned)
		return;
	diag_arena_free(owned->arena);
	free(owned);
}

/* The flags --insecure-skip-tls-verify and --certificate-authority each replace all that the file
 * says of trust; --server replaces the name to verify. */
static int set_trust(struct diag_kubeconfig_build *build)
{
	const struct diag_kube_flags *flags = build->flags;
	const json_t *cluster = build->cluster ? build->cluster->value : NULL;
	struct diag_kube_config *config = build->config;
	const struct diag_kubeconfig_pem ca = {
		.flag = flags->certificate_authority,
		.data_key = "certificate-authority-data",
		.file_key = "certificate-authority",
	};
	bool flagged = flags->insecure_skip_tls_verify || !diag_str_empty(ca.flag);
	int r;

	config->insecure_skip_tls_verify =
		flagged ? flags->insecure_skip_tls_verify
			: diag_json_true(cluster, "insecure-skip-tls-verify");
	r = diag_kubeconfig_pem(build, flagged ? NULL : build->cluster, &ca, &config->ca_pem);
	if (r < 0)
		return r;
	if (config->ca_pem && config->insecure_skip_tls_verify)
		return diag_error_set(build->err, DIAG_E_INVALID,
				      "%s%s%s has both insecure-skip-tls-verify and a "
				      "certificate-authority",
				      flagged ? "the command line" : "cluster '",
				      flagged ? "" : config->cluster, flagged ? "" : "'");
	config->tls_server_name = flags->tls_server_name;
	if (diag_str_empty(flags->tls_server_name))
		config->tls_server_name =
			diag_str_empty(flags->server)
				? diag_kubeconfig_field(build->cluster, "tls-server-name")
				: NULL;
	config->tls_server_name = diag_arena_strdup(build->arena, config->tls_server_name);
	return DIAG_OK;
}

static int set_namespace(struct diag_kubeconfig_build *build)
{
	const char *name = diag_kubeconfig_field(build->context, "namespace");

	if (name && !diag_k8s_is_label(name))
		return diag_kubeconfig_fail(build->files->positions, build->context->file,
					    build->context->value, "namespace", DIAG_E_INVALID,
					    build->err, "'%s' cannot be a namespace", name);
	build->config->namespace_ = diag_arena_strdup(build->arena, name);
	return DIAG_OK;
}

static int set_cluster(struct diag_kubeconfig_build *build, const char *server)
{
	const json_t *cluster = build->cluster ? build->cluster->value : NULL;
	struct diag_kube_config *config = build->config;
	int r = set_namespace(build);

	if (r == 0)
		r = set_trust(build);
	config->proxy_url =
		diag_arena_strdup(build->arena, diag_kubeconfig_field(build->cluster, "proxy-url"));
	config->disable_compression = diag_json_true(cluster, "disable-compression");
	if (r == 0)
		r = diag_kubeconfig_identify(build);
	if (r == 0)
		r = diag_kubeconfig_server(build, server);
	return r;
}

/* client-go drops credentials without a word; then the server's answer would mislead. */
static int check_secure(const struct diag_kubeconfig_build *build)
{
	const struct diag_kube_config *config = build->config;

	if (diag_str_starts(config->server, "https://"))
		return DIAG_OK;
	if (!config->token && !config->token_file && !config->username && !config->password &&
	    !config->client_certificate_pem && !config->exec)
		return DIAG_OK;
	return diag_error_set(
		build->err, DIAG_E_INVALID,
		"'%s' is not encrypted: the credentials of %s%s%s are not sent there; "
		"use https, or a --user without credentials",
		config->server, config->user ? "user '" : "the command line",
		config->user ? config->user : "", config->user ? "'" : "");
}

static int no_server(const struct diag_kubeconfig_build *build)
{
	const struct diag_kubeconfig *files = build->files;
	const char *contexts = diag_kubeconfig_name_some(build, DIAG_KUBECONFIG_CONTEXTS);

	if (build->cluster)
		return diag_error_set(build->err, DIAG_E_INVALID,
				      "cluster '%s' in '%s' has no server", build->cluster->name,
				      build->cluster->file);
	if (build->context)
		return diag_error_set(build->err, DIAG_E_INVALID,
				      "context '%s' in '%s' has no cluster", build->context->name,
				      build->context->file);
	if (contexts)
		return diag_error_set(build->err, DIAG_E_NOT_FOUND,
				      "no current context in %s: choose one with --context (%s)",
				      files->read, contexts);
	if (files->read)
		return diag_error_set(build->err, DIAG_E_NOT_FOUND,
				      "no cluster is configured: %s is empty", files->read);
	return diag_error_set(build->err, DIAG_E_NOT_FOUND,
			      "no cluster is configured: %s%s; name one with --kubeconfig or "
			      "$KUBECONFIG",
			      files->missing ? files->missing : "there is no kubeconfig",
			      files->missing ? " does not exist" : "");
}

static int build_pod(struct diag_kubeconfig_build *build)
{
	build->config->insecure_skip_tls_verify = build->flags->insecure_skip_tls_verify;
	build->config->tls_server_name =
		diag_arena_strdup(build->arena, build->flags->tls_server_name);
	build->user = NULL;
	if (diag_kubeconfig_identify(build) < 0)
		return build->err ? build->err->code : DIAG_E_INVALID;
	return diag_kubeconfig_pod(build);
}

static int build_config(struct diag_kubeconfig_build *build)
{
	const char *server = build->flags->server;
	int r = diag_kubeconfig_choose(build);

	if (r < 0)
		return r;
	if (diag_str_empty(server))
		server = diag_kubeconfig_field(build->cluster, "server");
	if (!server && !build->context && !build->cluster && diag_kubeconfig_in_pod(build->flags))
		return build_pod(build);
	if (!server)
		return no_server(build);
	r = set_cluster(build, server);
	return r < 0 ? r : check_secure(build);
}

/* Names come from files that others wrote. */
static int cleaned(struct diag_error *err, int code)
{
	diag_buf_auto struct diag_buf text = { 0 };

	if (!err || code == DIAG_OK)
		return code;
	diag_buf_init(&text, sizeof(err->message) - 1);
	diag_clean(&text, err->message);
	memcpy(err->message, diag_buf_str(&text), text.length + 1);
	return code;
}

int diag_kube_config_load(const struct diag_kube_flags *flags, struct diag_kube_config **ret,
			  struct diag_error *err)
{
	diag_kubeconfig_auto struct diag_kubeconfig *files = NULL;
	struct diag_kubeconfig_build build = { .flags = flags, .err = err };
	struct owned *owned;
	int r = diag_kubeconfig_load(flags, &files, err);

	if (r < 0)
		return cleaned(err, r);
	owned = diag_xcalloc(1, sizeof(*owned));
	owned->arena = diag_arena_new();
	build.files = files;
	build.config = &owned->config;
	build.arena = owned->arena;
	r = build_config(&build);
	if (r < 0) {
		diag_kube_config_free(&owned->config);
		return cleaned(err, r);
	}
	*ret = &owned->config;
	return DIAG_OK;
}

struct gathering {
	char **names;
	size_t count;
};

static void gather(const char *name, void *value DIAG_UNUSED, void *arg)
{
	struct gathering *gathering = arg;

	gathering->names[gathering->count++] = diag_xstrdup(name);
}

char **diag_kube_contexts(const struct diag_kube_flags *flags)
{
	diag_kubeconfig_auto struct diag_kubeconfig *files = NULL;
	struct gathering gathering = { 0 };
	const struct diag_map *contexts;

	if (diag_kubeconfig_load(flags, &files, NULL) < 0)
		files = diag_kubeconfig_new();
	contexts = files->entries[DIAG_KUBECONFIG_CONTEXTS];
	gathering.names = diag_xcalloc(diag_map_count(contexts) + 1, sizeof(*gathering.names));
	diag_map_each(contexts, gather, &gathering);
	return gathering.names;
}

void diag_kube_names_free(char **names)
{
	for (char **name = names; name && *name; name++)
		free(*name);
	free(names);
}
