/* kubectl's options for choosing and trusting a cluster, under kubectl's names. */
#pragma once

#include "cli/opt.h"
#include "kube/config.h"
#include "model/domain.h"

/* Part of each tool's source options, named `kube`. */
struct diag_kube_options {
	const struct diag_domain *domain; /* set by the tool; NULL: it knows no cluster */
	const char *kubeconfig, *context, *cluster, *user;
	const char *server, *token, *certificate_authority, *client_certificate, *client_key,
		*tls_server_name;
	bool insecure_skip_tls_verify;
	const char *as, *as_uid;
	struct diag_opt_list as_groups;
	int64_t request_timeout_ms;
	int64_t chunk_size;
	const char *operator_namespace;
	bool live;
};

/* clang-format off */
#define DIAG_OPT_KUBE_(type, member) offsetof(type, source.kube.member)

/* The rows of the option table for `struct TYPE { …; struct diag_source_options source; … }`. */
#define DIAG_OPT_KUBE(type)                                                                        \
	{ 0, "kubeconfig", "FILE", "the kubeconfig file (default: $KUBECONFIG, ~/.kube/config)",   \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, kubeconfig), .values = DIAG_VALUES_FILE }, \
	{ 0, "context", "NAME", "the context of the kubeconfig",                                   \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, context), .values = DIAG_VALUES_CONTEXT }, \
	{ 0, "cluster", "NAME", "the cluster of the kubeconfig",                                   \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, cluster) },                             \
	{ 0, "user", "NAME", "the user of the kubeconfig",                                         \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, user) },                                \
	{ 's', "server", "URL", "address of the API server",                                       \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, server) },                              \
	{ 0, "token", "TOKEN", "bearer token; others on this machine can see it, a file is better", \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, token) },                               \
	{ 0, "certificate-authority", "FILE", "certificates that the server's must come from",     \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, certificate_authority), .values = DIAG_VALUES_FILE }, \
	{ 0, "client-certificate", "FILE", "client certificate",                                   \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, client_certificate), .values = DIAG_VALUES_FILE }, \
	{ 0, "client-key", "FILE", "its key",                                                      \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, client_key), .values = DIAG_VALUES_FILE }, \
	{ 0, "tls-server-name", "NAME", "the name that the server's certificate must have",        \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, tls_server_name) },                     \
	{ 0, "insecure-skip-tls-verify", NULL, "do not check the server's certificate",            \
	  "Cluster", DIAG_OPT_FLAG, DIAG_OPT_KUBE_(type, insecure_skip_tls_verify) },              \
	{ 0, "as", "USER", "act as this user",                                                     \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, as) },                                  \
	{ 0, "as-group", "GROUP", "and in this group; may be repeated",                            \
	  "Cluster", DIAG_OPT_PATHS, DIAG_OPT_KUBE_(type, as_groups) },                            \
	{ 0, "as-uid", "UID", "and with this uid",                                                 \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, as_uid) },                              \
	{ 0, "request-timeout", "DURATION", "give up on one request after this (default 30s)",     \
	  "Cluster", DIAG_OPT_DURATION, DIAG_OPT_KUBE_(type, request_timeout_ms) },                \
	{ 0, "chunk-size", "N", "objects a page of a list (default 500)",                          \
	  "Cluster", DIAG_OPT_INTEGER, DIAG_OPT_KUBE_(type, chunk_size), .min = 1, .max = 10000 }, \
	{ 0, "operator-namespace", "NS", "where the operator runs (default: found by its label)",  \
	  "Cluster", DIAG_OPT_STRING, DIAG_OPT_KUBE_(type, operator_namespace), .values = DIAG_VALUES_NAMESPACE }, \
	{ 0, "live", NULL, "with -f: lay the manifests over the current context's cluster",        \
	  "Cluster", DIAG_OPT_FLAG, DIAG_OPT_KUBE_(type, live) }
/* clang-format on */

/** Whether the options name a cluster: then -f is laid over it instead of standing alone. */
bool diag_kube_is_chosen(const struct diag_kube_options *options);

/** As diag_kube_config_load(), with the options. */
int diag_kube_options_load(const struct diag_kube_options *options, struct diag_kube_config **ret,
			   struct diag_error *err);
