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
#include "source/bundle.h"
#include "source/manifest.h"
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

static int open_source(const struct diag_source_options *options, const struct diag_cancel *cancel,
		       struct diag_source **ret_source, struct diag_error *err)
{
	struct diag_manifest_options manifest = {
		.paths = options->filenames.items,
		.default_namespace =
			options->namespaces.count ? options->namespaces.items[0] : NULL,
		.cancel = cancel,
	};

	if (options->bundle && options->filenames.count)
		return diag_error_set(
			err, DIAG_E_INVALID,
			"--bundle and -f together are not supported: give one of them");
	if (options->bundle)
		return diag_bundle_open(options->bundle, cancel, ret_source, err);
	if (options->filenames.count)
		return diag_manifest_open(&manifest, ret_source, err);
	return diag_error_set(err, DIAG_E_INVALID,
			      "nothing to look at: give --bundle PATH or -f PATH");
}

int diag_app_load(const struct diag_source_options *options, const char *const *wants,
		  const struct diag_cancel *cancel, struct diag_snapshot **ret_snapshot,
		  struct diag_error *err)
{
	struct diag_snapshot_options how = {
		.wants = wants,
		.namespaces = options->namespaces.items,
		.all_namespaces = options->all_namespaces,
		.at_ms = options->at_ms,
	};
	diag_snapshot_auto struct diag_snapshot *snapshot = NULL;
	diag_source_auto struct diag_source *source = NULL;
	int r;

	if (options->all_namespaces && options->namespaces.count)
		return diag_error_set(err, DIAG_E_INVALID, "-n and -A contradict each other");
	r = open_source(options, cancel, &source, err);
	if (r < 0)
		return r;
	snapshot = diag_snapshot_new(&how);
	r = diag_source_load(source, diag_snapshot_sink(snapshot), err);
	if (r == 0)
		r = diag_snapshot_finish(snapshot, err);
	if (r < 0)
		return r;
	*ret_snapshot = DIAG_STEAL(snapshot);
	return DIAG_OK;
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
