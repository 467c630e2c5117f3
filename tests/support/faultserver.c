#include "tests/support/faultserver.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/limits.h"

enum { MOST_LISTENERS = 32 };

struct faultserver {
	char folder[64];
	pid_t pid;
	FILE *to, *from;
	struct {
		char name[32];
		int port;
	} listeners[MOST_LISTENERS];
	size_t count;
};

static void die(const char *what)
{
	fprintf(stderr, "fault server: %s\n", what);
	exit(1);
}

static void spawn(struct faultserver *server, const char *script)
{
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		die("no pipes");
	server->pid = fork();
	if (server->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		execlp("python3", "python3", script, server->folder, NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	server->to = fdopen(in[1], "w");
	server->from = fdopen(out[0], "r");
}

static void line(struct faultserver *server, char *ret, size_t size)
{
	if (!fgets(ret, (int)size, server->from))
		die("it has ended");
	ret[strcspn(ret, "\n")] = '\0';
}

struct faultserver *faultserver_start(const char *script)
{
	struct faultserver *server = diag_xcalloc(1, sizeof(*server));
	char text[256];

	strcpy(server->folder, "/tmp/faultserver.XXXXXX");
	if (!mkdtemp(server->folder))
		die("no folder");
	spawn(server, script);
	for (line(server, text, sizeof(text)); strcmp(text, "ready") != 0;
	     line(server, text, sizeof(text))) {
		if (server->count == MOST_LISTENERS ||
		    sscanf(text, "%31s %d", server->listeners[server->count].name,
			   &server->listeners[server->count].port) != 2)
			die(text);
		server->count++;
	}
	return server;
}

void faultserver_stop(struct faultserver *server)
{
	diag_autofree char *command = NULL;

	fclose(server->to);
	fclose(server->from);
	waitpid(server->pid, NULL, 0);
	if (asprintf(&command, "rm -r %s", server->folder) < 0 || system(command) != 0)
		die("its folder stays");
	free(server);
}

int faultserver_port(const struct faultserver *server, const char *name)
{
	for (size_t i = 0; i < server->count; i++)
		if (strcmp(server->listeners[i].name, name) == 0)
			return server->listeners[i].port;
	die(name);
	return 0;
}

char *faultserver_read(const struct faultserver *server, const char *file)
{
	struct diag_buf buf diag_buf_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;
	diag_autofree char *path = NULL;

	diag_buf_init(&buf, DIAG_MIB);
	if (asprintf(&path, "%s/%s", server->folder, file) < 0 ||
	    diag_file_read(path, &buf, &err) < 0)
		die(err.message);
	return diag_buf_steal(&buf);
}

static void ask(struct faultserver *server, const char *command, const char *argument, char *ret,
		size_t size)
{
	fprintf(server->to, "%s %s\n", command, argument);
	fflush(server->to);
	line(server, ret, size);
}

struct faultserver_counts faultserver_counts(struct faultserver *server, const char *name)
{
	struct faultserver_counts counts;
	char text[128];

	ask(server, "count", name, text, sizeof(text));
	if (sscanf(text, "%u %u %u %u", &counts.connections, &counts.requests, &counts.peak,
		   &counts.credentials) != 4)
		die(text);
	return counts;
}

void faultserver_reset(struct faultserver *server)
{
	char text[128];

	ask(server, "reset", "", text, sizeof(text));
}
