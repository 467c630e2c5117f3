#include "cli/app.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/limits.h"
#include "base/timestamp.h"
#include "cli/input.h"
#include "text/clean.h"

/* Signal handlers reach nothing but globals: this one flag is the process's, not the library's. */
static struct diag_cancel cancel_flag;

static void on_signal(int number DIAG_UNUSED)
{
	cancel_flag.requested = 1;
}

const struct diag_cancel *diag_app_start(void)
{
	struct sigaction action = { .sa_handler = on_signal };

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	return &cancel_flag;
}

int diag_app_load(const struct diag_source_options *options, const char *const *wants,
		  const struct diag_cancel *cancel, struct diag_snapshot **ret_snapshot,
		  struct diag_error *err)
{
	diag_input_auto struct diag_input *input = NULL;
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;
	int r = diag_input_open(options, wants, cancel, &input, err);

	if (r == 0)
		r = diag_input_read(input, &snapshot, err);
	if (r == 0)
		r = diag_input_overlay(input, snapshot, err);
	if (r == 0)
		*ret_snapshot = DIAG_STEAL(snapshot);
	return r;
}

int diag_app_write(const char *file, const char *text, struct diag_error *err)
{
	struct diag_error why = DIAG_ERROR_INIT;
	int r;

	if (strcmp(file, "-") != 0)
		return diag_file_replace(file, text, strlen(text), err);
	r = diag_file_write_fd(STDOUT_FILENO, "standard output", text, strlen(text), &why);
	if (why.errnum == EPIPE)
		return DIAG_OK; /* `| head` has seen enough */
	if (r < 0 && err)
		*err = why;
	return r;
}

static void print(const char *tool, const char *text)
{
	struct diag_buf clean diag_buf_auto = { 0 };

	diag_buf_init(&clean, DIAG_MAX_MESSAGE);
	diag_clean(&clean, text);
	fprintf(stderr, "%s: %s\n", tool, diag_buf_str(&clean));
}

void diag_app_warn(const char *tool, const char *format, ...)
{
	char text[2048];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print(tool, text);
}

int diag_app_fail(const char *tool, const struct diag_error *err)
{
	print(tool, err->message);
	if (err->code == DIAG_E_CANCELLED)
		return DIAG_EXIT_INTERRUPTED;
	return err->code == DIAG_E_INVALID ? DIAG_EXIT_USAGE : DIAG_EXIT_FAILED;
}
