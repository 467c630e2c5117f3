/*
 * A running cluster as a source, with nothing but GET. What is asked for follows from what the sink
 * wants, not from what the server says it has: no discovery, so that no dead aggregated API can
 * stop it, and a fixed number of lists however many worlds there are.
 */
#pragma once

#include "base/cancel.h"
#include "base/error.h"
#include "kube/config.h"
#include "model/domain.h"
#include "model/source.h"

struct diag_live_options {
	const struct diag_kube_config *config; /* borrowed, outlives the source */
	const struct diag_domain *domain;      /* borrowed */
	/* Subjects, NULL-terminated: their lists, and cluster-scoped evidence. NULL: cluster-wide
	 * lists of everything. */
	const char *const *namespaces;
	const char *operator_namespace; /* NULL: found by label, else where the chart puts it */
	int64_t request_timeout_ms;     /* 0: the transport's */
	size_t page;                    /* objects a page; 0: 500 */
	size_t max_logs;                /* requests for logs in one load; 0: 200 */
	const struct diag_cancel *cancel;
};

/**
 * Prepare for loading; nothing is asked yet. May be loaded several times, over one connection.
 *
 * Loading asks for the server's version first; when that fails, so does the load, with the server
 * and the reason (UNREACHABLE, UNAUTHORIZED, TIMEOUT, PARSE for what is no API server). Everything
 * else fails alone, as a state:
 *
 *   FORBIDDEN    403, with the server's sentence
 *   EMPTY        an empty list; or the server does not serve the kind (404)
 *   FAILED       no list came; also when the domain's group is served in other versions only
 *   TRUNCATED    some pages came
 *
 * A namespace asked for that does not exist is NOT_FOUND with the nearest. After an interrupt the
 * load succeeds with what there is; the rest has FAILED.
 *
 * States of "logs" and "metrics" (diag_source_logs()) tell what of them could not be had.
 *
 * Returns DIAG_OK, or INVALID from diag_transport_new().
 */
int diag_live_open(const struct diag_live_options *options, struct diag_source **ret_source,
		   struct diag_error *err);
