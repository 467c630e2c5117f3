/*
 * A whole list of one resource, in pages. Source: Kubernetes API concepts, "Retrieving large
 * results sets in chunks". The next page is asked for before the one in hand is given away.
 */
#pragma once

#include "kube/transport.h"

struct diag_list_end {
	int code;           /* DIAG_OK: complete */
	int status;         /* HTTP status of the answer that ended it */
	bool truncated;     /* some pages came, then `code`; also after a second 410 */
	const char *reason; /* as in diag_response */
	size_t pages;
};

struct diag_list_request {
	const char *path;     /* "/api/v1/namespaces/game/pods", without limit and continue */
	const char *selector; /* labelSelector, or NULL */
	const char *fields;   /* fieldSelector, or NULL */
	size_t limit;         /* objects a page; 0: 500 */
	int priority;
	/* One page of JSON. After a 410 the list begins again: `restart` is called once, and what
	 * came before is to be forgotten or given again (objects are identified by name). */
	void (*page)(void *context, const char *bytes, size_t length);
	void (*restart)(void *context); /* or NULL */
	void (*done)(void *context, const struct diag_list_end *end);
	void *context;
};
/** Queue the list; ends exactly once, through `done`, during diag_transport_run(). */
void diag_list_queue(struct diag_transport *transport, const struct diag_list_request *request);
