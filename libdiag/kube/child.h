/* A program of the user's that is run for its output: bounded in time and size, and ended with
 * all that it has started. */
#pragma once

#include <stdint.h>

#include "base/buf.h"
#include "base/cancel.h"
#include "base/error.h"

struct diag_child {
	const char *command;            /* a path, or a name that is looked up in $PATH */
	const char *const *args;        /* what follows the name, NULL-terminated; or NULL */
	const char *const *environment; /* the whole of it, NULL-terminated */
	bool terminal; /* it may talk to the user: has our stdin and stderr, and the terminal */
	int64_t timeout_ms; /* then it and its process group are killed */
	const struct diag_cancel *cancel;
};

/**
 * Run it to its end.
 *
 * @ret_out    what it wrote to stdout, opened by the caller with its ceiling
 * @ret_errors the end of what it wrote to stderr, cut to whole lines; nothing with a terminal
 * @ret_status as from waitpid()
 *
 * Returns DIAG_OK when it has ended by itself, with whatever status; NOT_FOUND or IO when it could
 * not be started (err->errnum); LIMIT for too much output; TIMEOUT, CANCELLED.
 */
int diag_child_run(const struct diag_child *child, struct diag_buf *ret_out,
		   struct diag_buf *ret_errors, int *ret_status, struct diag_error *err);
