/* The parts of a URL that say where to connect: of an API server and of a proxy. */
#pragma once

#include <stdbool.h>

#include "base/macros.h"

struct diag_url {
	char *scheme;   /* lower case */
	char *userinfo; /* "user:password" as written, or NULL: never for a message */
	char *host;     /* lower case, an IPv6 address without brackets */
	char *port;     /* as written, else the scheme's: 443, 80, 1080 */
	char *path;     /* "" or "/…", without trailing slashes */
	char *where;    /* "host:port" or "[::1]:port", for messages */
};

/**
 * Take a URL apart. Without a scheme, one of nothing but a port number, with control characters or
 * a query it is refused.
 *
 * @ret the caller's, ended with diag_url_done()
 *
 * Returns false, and nothing to end, when it is no such URL.
 */
bool diag_url_parse(const char *text, struct diag_url *ret);
void diag_url_done(struct diag_url *url);

static inline void diag_url_auto_cleanup_(struct diag_url *url)
{
	diag_url_done(url);
}
#define diag_url_auto __attribute__((cleanup(diag_url_auto_cleanup_)))
