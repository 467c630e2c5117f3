/*
 * Which API server, as whom, and how to trust it: the answer that client-go would find in the same
 * files, flags and environment. Source: kubernetes.io "Organizing cluster access using kubeconfig
 * files", client-go's clientcmd and rest packages; names are theirs.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* What the command line says; NULL or false where it says nothing. All borrowed. */
struct diag_kube_flags {
	const char *kubeconfig; /* one file; else $KUBECONFIG (a list), else ~/.kube/config, else
				 * the pod's service account */
	const char *context, *cluster, *user;
	const char *server, *token, *certificate_authority, *client_certificate, *client_key,
		*tls_server_name;
	bool insecure_skip_tls_verify;
	const char *as, *as_uid;
	const char *const *as_groups;   /* NULL-terminated, or NULL */
	const char *const *environment; /* "NAME=VALUE", NULL-terminated; NULL: the process's own */
	const char *service_account; /* folder of a pod's token, ca.crt and namespace; NULL: where
				      * the kubelet puts it */
};

/* An `exec` stanza of a user. Source: client.authentication.k8s.io/v1 and v1beta1. */
struct diag_kube_exec {
	const char *api_version, *command;
	const char *const *args;        /* NULL-terminated */
	const char *const *environment; /* "NAME=VALUE", NULL-terminated, added to the process's */
	const char *install_hint;
	const char *interactive_mode; /* "Never", "IfAvailable", "Always" */
	bool provide_cluster_info;
	const char *cluster_config; /* JSON of the cluster's extension for plugins, or NULL */
};

/* The merged result. Every string is owned by the configuration; bytes of certificates and keys
 * are PEM, read from file or decoded, and never appear in a message. */
struct diag_kube_config {
	const char *context, *cluster, *user; /* names, NULL when there are none (in-cluster) */
	const char *namespace_;               /* the context's, or NULL */
	const char *server;          /* "https://host:port[/path]", without trailing slash */
	const char *tls_server_name; /* or NULL */
	bool insecure_skip_tls_verify;
	const char *proxy_url; /* of the cluster entry, or NULL: then the environment decides */
	const char *ca_pem;    /* or NULL: the system's */
	const char *client_certificate_pem, *client_key_pem;
	const char *token,
		*token_file; /* the file wins, and is read again when it is a minute old */
	const char *username, *password;
	const struct diag_kube_exec *exec; /* or NULL */
	const char *as, *as_uid;
	const char *const *as_groups; /* NULL-terminated, or NULL */
	const char *const *as_extra;  /* name, value, name, value, …, NULL; or NULL */
	bool disable_compression;
	bool in_cluster;
};

/**
 * Find and merge.
 *
 * @ret the caller's, freed with diag_kube_config_free()
 *
 * Returns DIAG_OK; NOT_FOUND when there is no configuration at all, or no context, cluster or user
 * of the name (with the nearest); PARSE, IO, LIMIT with file and line; INVALID for contradictions
 * and for credentials that would go over plain http.
 */
int diag_kube_config_load(const struct diag_kube_flags *flags, struct diag_kube_config **ret,
			  struct diag_error *err);
void diag_kube_config_free(struct diag_kube_config *config);
DIAG_GUARD(diag_kube_config_auto, struct diag_kube_config *, diag_kube_config_free);
#define diag_kube_config_auto DIAG_CLEANUP(diag_kube_config_auto)

/** Names of all contexts in the files, for completion; sorted, the caller frees with
 * diag_kube_names_free(). Files that cannot be read count as empty. */
char **diag_kube_contexts(const struct diag_kube_flags *flags);
void diag_kube_names_free(char **names);
