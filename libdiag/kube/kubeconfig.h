/*
 * The files of a configuration, merged but not yet decided: contexts, clusters and users by name.
 * Source: client-go tools/clientcmd, loader.go. What is decided of them is in config.c.
 */
#pragma once

#include <jansson.h>

#include "base/map.h"
#include "kube/config.h"
#include "text/position.h"

/* One named entry: the object below `context`, `cluster` or `user`, its types checked. */
struct diag_kubeconfig_entry {
	const char *name;
	const char *file;    /* as it was given */
	const json_t *value; /* NULL reads as empty */
	const char *seen_in; /* the last file that had the name */
};

enum diag_kubeconfig_list {
	DIAG_KUBECONFIG_CONTEXTS,
	DIAG_KUBECONFIG_CLUSTERS,
	DIAG_KUBECONFIG_USERS,
	DIAG_KUBECONFIG_LISTS,
};

struct diag_kubeconfig {
	struct diag_map *entries[DIAG_KUBECONFIG_LISTS]; /* name -> struct diag_kubeconfig_entry */
	const char *current_context;                     /* or NULL */
	char *read;    /* files that were read, ", " between them */
	char *missing; /* files that do not exist */

	struct diag_arena *arena;
	json_t *documents;
	struct diag_positions *positions;
};

/**
 * Read what the flags and the environment name. Of a list ($KUBECONFIG) files that do not exist are
 * passed over; the first file that has a name wins, and the first that has a current context.
 *
 * @ret the caller's
 *
 * Returns DIAG_OK (also when there is no file at all), NOT_FOUND for --kubeconfig, IO, PARSE,
 * LIMIT.
 */
int diag_kubeconfig_load(const struct diag_kube_flags *flags, struct diag_kubeconfig **ret,
			 struct diag_error *err);
void diag_kubeconfig_free(struct diag_kubeconfig *files);
DIAG_GUARD(diag_kubeconfig_auto, struct diag_kubeconfig *, diag_kubeconfig_free);
#define diag_kubeconfig_auto DIAG_CLEANUP(diag_kubeconfig_auto)

/**
 * Read one text into `files`, as if it stood in `file`. The text may be YAML or JSON.
 *
 * Returns DIAG_OK, PARSE or LIMIT; a message never holds a value of the text.
 */
int diag_kubeconfig_add(struct diag_kubeconfig *files, const char *file, const char *text,
			size_t length, struct diag_error *err);
struct diag_kubeconfig *diag_kubeconfig_new(void);

/** Types of everything that is read, in the root of one file; unknown fields pass.
 * In kubeconfig_schema.c. */
int diag_kubeconfig_check(const json_t *root, const char *file,
			  const struct diag_positions *positions, struct diag_error *err);

/** "FILE:LINE: " before a message about `container[key]`, with err->line. Returns `code`.
 * In kubeconfig_schema.c. */
int diag_kubeconfig_fail(const struct diag_positions *positions, const char *file,
			 const json_t *container, const char *key, int code, struct diag_error *err,
			 const char *format, ...) DIAG_PRINTF(7, 8);

/** An environment variable of the flags' environment; NULL when unset or empty. */
const char *diag_kubeconfig_env(const struct diag_kube_flags *flags, const char *name);
