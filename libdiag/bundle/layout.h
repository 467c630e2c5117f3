/*
 * What stands where in a support bundle: the paths of replicatedhq/troubleshoot's
 * cluster-resources, cluster-info and logs collectors, and ours. A top folder of any name, or none,
 * may be in front.
 */
#pragma once

#include <stdbool.h>

enum diag_bundle_kind {
	DIAG_BUNDLE_OTHER,
	DIAG_BUNDLE_OBJECTS, /* cluster-resources/FOLDER[/NAMESPACE].json or .yaml */
	DIAG_BUNDLE_ERRORS,  /* cluster-resources/FOLDER[/…]-errors.json */
	DIAG_BUNDLE_LOG, /* cluster-resources/pods/logs/NAMESPACE/POD/CONTAINER[-previous].log */
	DIAG_BUNDLE_METRICS,        /* metrics/NAMESPACE/POD.txt */
	DIAG_BUNDLE_SERVER_VERSION, /* cluster-info/cluster_version.json */
	DIAG_BUNDLE_MANIFEST,       /* bundle.json, of our own bundles */
};

struct diag_bundle_path {
	enum diag_bundle_kind kind;
	char *top;        /* the leading folder, "" when there is none */
	char *folder;     /* "pods", "custom-resources/realms.bindery.platform" */
	char *namespace_; /* NULL for cluster scope */
	char *pod;
	char *container;
	bool previous;
	bool yaml; /* the .yaml twin of a .json file */
};

/**
 * Classify a normalised name. A log file `X-previous.log` is the previous log of X,
 * `X-logs-errors.log` tells why there is no log of X and is OTHER; a container whose own name ends
 * so cannot be told apart.
 *
 * The strings in `ret_path` are the caller's: diag_bundle_path_done().
 */
void diag_bundle_classify(const char *name, struct diag_bundle_path *ret_path);

void diag_bundle_path_done(struct diag_bundle_path *path);

/** The time in a top folder's name, support-bundle-2006-01-02T15_04_05, as RFC 3339 in
 * `ret_text[21]`; false when none. */
bool diag_bundle_top_time(const char *top, char *ret_text);
