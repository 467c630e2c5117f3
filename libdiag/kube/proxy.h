/*
 * Which proxy a connection goes through. Sources: kubeconfig's `proxy-url` as client-go reads it;
 * the environment as Go's net/http reads it (golang.org/x/net/http/httpproxy).
 */
#pragma once

#include "base/error.h"
#include "kube/url.h"

struct diag_proxy {
	char *url;   /* with its credentials, as curl takes it: never for a message; NULL: none */
	char *where; /* "host:port" for messages; NULL: none */
	char *from;  /* who named it: "proxy-url", "HTTPS_PROXY", … */
};

/**
 * Choose.
 *
 * @proxy_url   of the cluster entry: wins, for any host; NULL: the environment decides
 * @environment "NAME=VALUE", NULL-terminated; NULL: the process's own
 * @server      where the connection goes
 * @ret         the caller's, ended with diag_proxy_done()
 *
 * Returns DIAG_OK, or INVALID for a proxy that cannot be used; the message has no credentials.
 */
int diag_proxy_choose(const char *proxy_url, const char *const *environment,
		      const struct diag_url *server, struct diag_proxy *ret,
		      struct diag_error *err);
void diag_proxy_done(struct diag_proxy *proxy);

/** Whether a NO_PROXY text exempts a host ("example.com" or an address) and port. Localhost and
 * loopback addresses always are. */
bool diag_proxy_exempts(const char *no_proxy, const char *host, const char *port);
