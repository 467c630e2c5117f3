/*
 * What the parts of one decision share, from the merged files and flags to one configuration:
 *   config.c             the order of it
 *   kubeconfig_choose.c  which context, cluster and user
 *   kubeconfig_server.c  the address of the server
 *   kubeconfig_user.c    who we are
 *   kubeconfig_pem.c     certificates and keys, paths
 *   kubeconfig_pod.c     the service account of a pod
 */
#pragma once

#include "base/arena.h"
#include "kube/kubeconfig.h"

struct diag_kubeconfig_build {
	const struct diag_kube_flags *flags;
	const struct diag_kubeconfig *files;
	const struct diag_kubeconfig_entry *context, *cluster, *user; /* or NULL */
	struct diag_kube_config *config;
	struct diag_arena *arena; /* the configuration's */
	struct diag_error *err;
};

/* --- kubeconfig_choose.c --- */

/** Fill context, cluster and user and their names. NOT_FOUND, with the nearest name, for a name
 * that is nowhere and that no flag makes unnecessary. */
int diag_kubeconfig_choose(struct diag_kubeconfig_build *build);

/** Names of a list, sorted, for a message: "'a', 'b' and 3 more"; NULL for none. */
const char *diag_kubeconfig_name_some(const struct diag_kubeconfig_build *build,
				      enum diag_kubeconfig_list list);

/* --- kubeconfig_server.c --- */

/** Bring `text` into the form of diag_kube_config.server. INVALID when it is no http(s) URL, or
 * holds a user or password; the message then shows nothing of it. */
int diag_kubeconfig_server(struct diag_kubeconfig_build *build, const char *text);

/** Bytes that may not stand in a URL or a header: control characters, and spaces when asked. */
bool diag_kubeconfig_has_control(const char *text, bool spaces);

/* --- kubeconfig_pem.c --- */

/** A string of an entry; NULL when absent or empty. Borrowed from the files. */
const char *diag_kubeconfig_field(const struct diag_kubeconfig_entry *entry, const char *key);

/** An absolute path; a relative one begins at the folder of the entry's file, cleaned as Go's
 * filepath.Join does. */
const char *diag_kubeconfig_path(const struct diag_kubeconfig_build *build,
				 const struct diag_kubeconfig_entry *entry, const char *path);

/* One PEM text of an entry. */
struct diag_kubeconfig_pem {
	const char *flag;     /* value of the flag: a path from the working folder; wins */
	const char *data_key; /* "client-key-data"; wins over the file */
	const char *file_key; /* "client-key" */
	bool key;             /* a private key, else a certificate */
};

/** Decode or read it; *ret stays as it is when there is none. */
int diag_kubeconfig_pem(struct diag_kubeconfig_build *build,
			const struct diag_kubeconfig_entry *entry,
			const struct diag_kubeconfig_pem *pem, const char **ret);

/** Read a PEM file. `what` begins the message: "certificate-authority of cluster 'x'". */
int diag_kubeconfig_read_pem(struct diag_kubeconfig_build *build, const char *path,
			     const char *what, bool key, const char **ret);

/* --- kubeconfig_user.c --- */

/** Token, basic authentication, client certificate, plugin and impersonation of user and flags. */
int diag_kubeconfig_identify(struct diag_kubeconfig_build *build);

/* --- kubeconfig_pod.c --- */

/** True inside a pod with a service account. */
bool diag_kubeconfig_in_pod(const struct diag_kube_flags *flags);

/** The API server and namespace of this pod, with its service account's token file. */
int diag_kubeconfig_pod(struct diag_kubeconfig_build *build);
