/* The fault server (faultserver.py) as a child of a test, and how to connect to it. */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "kube/config.h"

struct faultserver;

/** Start it and wait until it listens; ends the test program when it cannot. */
struct faultserver *faultserver_start(const char *script);
void faultserver_stop(struct faultserver *server);

/** The port of a listener, see the end of faultserver.py. */
int faultserver_port(const struct faultserver *server, const char *name);

/** A file of its folder of certificates, as a string; the caller frees it. */
char *faultserver_read(const struct faultserver *server, const char *file);

struct faultserver_counts {
	unsigned connections, requests, peak, credentials;
};
struct faultserver_counts faultserver_counts(struct faultserver *server, const char *name);
void faultserver_reset(struct faultserver *server);
