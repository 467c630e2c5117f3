/*
 * What stands where in a support bundle: the paths of replicatedhq/troubleshoot's
 * cluster-resources, cluster-info and logs collectors, and ours. A top folder of any name, or none,
 * may be in front.
 */
#pragma once

#include <stdbool.h>

enum diag_bundle_kind {
	DIAG_BUNDLE_OTHER,
	DIAG_BUNDLE_OBJECTS,        /* the objects of one list */
	DIAG_BUNDLE_ERRORS,         /* why lists are missing */
	DIAG_BUNDLE_LOG,            /* of a container */
	DIAG_BUNDLE_LOG_ERRORS,     /* why there is no log of a container */
	DIAG_BUNDLE_METRICS,        /* what an operator's pod answered on /metrics */
	DIAG_BUNDLE_ACCESS,         /* what the collector was allowed to do in a namespace */
	DIAG_BUNDLE_SERVER_VERSION, /* of the API server */
	DIAG_BUNDLE_VERSION,        /* of the bundle's format */
	DIAG_BUNDLE_MANIFEST,       /* bundle.json, of our own bundles */
};

struct diag_bundle_path {
	enum diag_bundle_kind kind;
	char *top;        /* the leading folders, "" when there are none */
	char *folder;     /* below cluster-resources/: "pods", "custom-resources/NAME.GROUP" */
	char *namespace_; /* NULL for cluster scope */
	char *pod;
	char *container;
	bool previous;
	bool yaml; /* the .yaml twin of a .json file */
};

/**
 * Classify a normalised name. The grammar is the table in layout.c.
 *
 * A container's own name may end like one of the endings that the format adds. The ending wins:
 * `a-previous.log` is the previous log of `a`, though a container `a-previous` would write its
 * current log there, and `a-logs-errors.log` is never a log. `a-logs.log` is the log of `a-logs`.
 * An error file stands beside the folder of its list, so `pods/a-errors.json` is the list of pods
 * in a namespace `a-errors`.
 *
 * The strings in `ret_path` are the caller's: diag_bundle_path_done().
 */
void diag_bundle_classify(const char *name, struct diag_bundle_path *ret_path);

/** Free the strings of a path; it may be filled again. */
void diag_bundle_path_done(struct diag_bundle_path *path);

static inline void diag_bundle_path_cleanup_(struct diag_bundle_path *path)
{
	diag_bundle_path_done(path);
}
#define diag_bundle_path_auto __attribute__((cleanup(diag_bundle_path_cleanup_)))

/**
 * The name of the file that a list is written to; the caller's.
 *
 * @folder     below cluster-resources/: "pods"; NULL: that of a custom resource
 * @custom     the name of its definition: "realms.bindery.platform"
 * @namespace_ NULL for cluster scope
 */
char *diag_bundle_list_name(const char *folder, const char *custom, const char *namespace_);

/** That of the file which tells why lists are missing; the caller's. */
char *diag_bundle_errors_name(const char *folder, const char *custom);

/** That of a container's log; the caller's. */
char *diag_bundle_log_name(const char *namespace_, const char *pod, const char *container,
			   bool previous);

/** That of what an operator's pod answered on /metrics; the caller's. */
char *diag_bundle_metrics_name(const char *namespace_, const char *pod);

/**
 * The time in the name of a top folder or of a bundle, `support-bundle-2006-01-02T15_04_05`.
 *
 * The collector writes it in its local zone, which the name does not tell.
 *
 * @name     a path; NULL has no time
 * @ret_text RFC 3339 as if it were UTC
 *
 * Returns false when there is none.
 */
bool diag_bundle_time(const char *name, char ret_text[21]);
