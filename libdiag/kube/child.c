#include "kube/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/str.h"
#include "base/timestamp.h"

enum {
	SLICE_MS = 100,         /* how long the cancel flag may go unseen */
	KEPT_ERRORS = 2 * 1024, /* of stderr, the end */
	READ_ERRORS = 64 * 1024,
};

struct running {
	const struct diag_child *child;
	pid_t pid;
	int pidfd, out, errors; /* the read ends; -1 when they have ended */
	struct diag_buf *text, *tail;
	bool flooded;
};

/* ---- in the child: only what is allowed between fork() and exec ---- */

static void reset_signals(void)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
}

static DIAG_NORETURN void become(const struct diag_child *child, char *const *argv, int out,
				 int errors, int failure)
{
	union {
		const char *const *in;
		char *const *out;
	} environment = { .in = child->environment }; /* exec only reads it */
	int null = open("/dev/null", O_RDWR);
	int why;

	setpgid(0, 0);
	if (child->terminal) {
		signal(SIGTTOU, SIG_IGN); /* a group in the background may not take the terminal */
		tcsetpgrp(STDIN_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
	} else {
		dup2(null, STDIN_FILENO);
		dup2(errors, STDERR_FILENO);
	}
	dup2(out, STDOUT_FILENO);
	reset_signals();
	close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
	execvpe(child->command, argv, environment.out);
	why = errno;
	if (write(failure, &why, sizeof(why)) < 0)
		_exit(126);
	_exit(127);
}

/* ---- in the parent ---- */

static char **arguments(const struct diag_child *child)
{
	size_t count = 0;
	char **argv;

	while (child->args && child->args[count])
		count++;
	argv = diag_xcalloc(count + 2, sizeof(*argv));
	argv[0] = diag_xstrdup(child->command);
	for (size_t i = 0; i < count; i++)
		argv[i + 1] = diag_xstrdup(child->args[i]);
	return argv;
}

static void arguments_free(char **argv)
{
	for (char **arg = argv; *arg; arg++)
		free(*arg);
	free(argv);
}

static void end_pipe(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* The errno of an exec that failed; 0 when it has succeeded and closed the pipe. */
static int await_exec(int failure)
{
	int why = 0;

	while (read(failure, &why, sizeof(why)) < 0 && errno == EINTR)
		;
	return why;
}

static int start(struct running *running, struct diag_error *err)
{
	int out[2] = { -1, -1 }, errors[2] = { -1, -1 }, failure[2] = { -1, -1 }, why = 0;
	char **argv = arguments(running->child);

	if (pipe2(out, O_CLOEXEC) < 0 || pipe2(errors, O_CLOEXEC) < 0 ||
	    pipe2(failure, O_CLOEXEC) < 0)
		why = errno;
	else if ((running->pid = fork()) == 0)
		become(running->child, argv, out[1], errors[1], failure[1]);
	else if (running->pid < 0)
		why = errno;
	arguments_free(argv);
	end_pipe(&out[1]);
	end_pipe(&errors[1]);
	end_pipe(&failure[1]);
	running->out = out[0];
	running->errors = errors[0];
	if (!why)
		why = await_exec(failure[0]);
	end_pipe(&failure[0]);
	if (why)
		return diag_error_errno(err, why, "cannot start '%s'", running->child->command);
	fcntl(running->out, F_SETFL, O_NONBLOCK);
	fcntl(running->errors, F_SETFL, O_NONBLOCK);
	running->pidfd = pidfd_open(running->pid, 0);
	return DIAG_OK;
}

static void keep_tail(struct diag_buf *tail, const char *bytes, size_t length)
{
	if (tail->length + length > tail->ceiling) {
		size_t kept = DIAG_MIN(tail->length, (size_t)KEPT_ERRORS);

		memmove(tail->data, tail->data + tail->length - kept, kept);
		tail->length = kept;
	}
	diag_buf_add(tail, bytes, length);
}

/* All that is there now. */
static void drain(struct running *running, int *fd, bool is_out)
{
	char bytes[4096];
	ssize_t n;

	while (*fd >= 0 && !running->flooded) {
		n = read(*fd, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0 || (n < 0 && errno != EAGAIN))
			end_pipe(fd);
		if (n <= 0)
			break;
		if (!is_out)
			keep_tail(running->tail, bytes, (size_t)n);
		else
			diag_buf_add(running->text, bytes, (size_t)n);
		running->flooded = diag_buf_failed(running->text);
	}
	explicit_bzero(bytes, sizeof(bytes));
}

static int stop(const struct diag_child *child, const struct running *running, int64_t until_ms,
		struct diag_error *err)
{
	if (diag_cancelled(child->cancel))
		return diag_error_set(err, DIAG_E_CANCELLED, "interrupted");
	if (running->flooded)
		return diag_error_set(err, DIAG_E_LIMIT, "it wrote more than %zu bytes",
				      running->text->ceiling);
	if (diag_clock_ms() >= until_ms)
		return diag_error_set(err, DIAG_E_TIMEOUT, "it did not end within %.3g s",
				      (double)child->timeout_ms / 1000);
	return DIAG_OK;
}

/* Until it has ended. What it leaves running in the background may hold the pipes open: what was
 * written by then counts. */
static int watch(struct running *running, int *ret_status, struct diag_error *err)
{
	const struct diag_child *child = running->child;
	int64_t until_ms = diag_clock_ms() + child->timeout_ms;
	int r;

	for (;;) {
		struct pollfd fds[] = { { .fd = running->pidfd, .events = POLLIN },
					{ .fd = running->out, .events = POLLIN },
					{ .fd = running->errors, .events = POLLIN } };
		bool ended = waitpid(running->pid, ret_status, WNOHANG) == running->pid;

		drain(running, &running->out, true);
		drain(running, &running->errors, false);
		if (ended)
			running->pid = 0;
		r = running->flooded || !ended ? stop(child, running, until_ms, err) : DIAG_OK;
		if (ended || r < 0)
			return r;
		poll(fds, DIAG_ARRAY_SIZE(fds),
		     (int)DIAG_MAX(DIAG_MIN(until_ms - diag_clock_ms(), (int64_t)SLICE_MS), INT64_C(0)));
	}
}

static void finish(struct running *running)
{
	if (running->pid > 0) {
		kill(-running->pid, SIGKILL);
		kill(running->pid, SIGKILL); /* before it has a group of its own */
		waitpid(running->pid, NULL, 0);
	}
	if (running->child->terminal) {
		signal(SIGTTOU, SIG_IGN);
		tcsetpgrp(STDIN_FILENO, getpgrp());
		signal(SIGTTOU, SIG_DFL);
	}
	end_pipe(&running->pidfd);
	end_pipe(&running->out);
	end_pipe(&running->errors);
}

int diag_child_run(const struct diag_child *child, struct diag_buf *ret_out,
		   struct diag_buf *ret_errors, int *ret_status, struct diag_error *err)
{
	struct diag_buf tail diag_buf_auto = { 0 };
	struct running running = {
		.child = child, .pidfd = -1, .out = -1, .errors = -1, .text = ret_out, .tail = &tail
	};
	const char *text;
	int r;

	diag_buf_init(&tail, READ_ERRORS);
	r = start(&running, err);
	if (r == 0)
		r = watch(&running, ret_status, err);
	finish(&running);
	text = diag_str_tail_lines(diag_buf_str(&tail), tail.length, KEPT_ERRORS);
	diag_buf_puts(ret_errors, text);
	return r;
}
