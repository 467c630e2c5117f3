#include "kube/url.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/str.h"

static const struct {
	const char *scheme, *port;
} defaults[] = {
	{ "https", "443" },
	{ "http", "80" },
	{ "socks5", "1080" },
	{ "socks5h", "1080" },
};

static const char *default_port(const char *scheme)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(defaults); i++)
		if (strcmp(defaults[i].scheme, scheme) == 0)
			return defaults[i].port;
	return "";
}

static char *lower(const char *text, size_t length)
{
	char *copy = diag_xstrndup(text, length);

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

/* Nothing that could end a line or a header, and no spaces. */
static bool is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text <= ' ' || *text == 0x7f || *text == '?' || *text == '#' ||
		    *text == '\\')
			return false;
	return true;
}

static bool is_port(const char *text, size_t length)
{
	long value;

	if (!length || length > 5 || strspn(text, "0123456789") < length)
		return false;
	value = strtol(text, NULL, 10);
	return value > 0 && value <= 65535;
}

/* "host", "host:port", "[v6]", "[v6]:port" */
static bool split_authority(const char *text, size_t length, struct diag_url *url)
{
	const char *end = text + length, *host_end, *port;

	if (length && *text == '[') {
		struct in6_addr ignored;

		host_end = memchr(text, ']', length);
		if (!host_end)
			return false;
		port = host_end + 1;
		url->host = lower(text + 1, (size_t)(host_end - text - 1));
		if (inet_pton(AF_INET6, url->host, &ignored) != 1)
			return false;
	} else {
		host_end = memchr(text, ':', length);
		if (!host_end)
			host_end = end;
		port = host_end;
		url->host = lower(text, (size_t)(host_end - text));
	}
	if (!*url->host)
		return false;
	if (port == end) {
		url->port = diag_xstrdup(default_port(url->scheme));
		return true;
	}
	if (*port != ':' || !is_port(port + 1, (size_t)(end - port - 1)))
		return false;
	url->port = diag_xstrndup(port + 1, (size_t)(end - port - 1));
	return true;
}

static char *where(const struct diag_url *url)
{
	bool v6 = strchr(url->host, ':');
	char *text = NULL;

	if (asprintf(&text, v6 ? "[%s]:%s" : "%s:%s", url->host, url->port) < 0)
		abort();
	return text;
}

static bool split(const char *text, struct diag_url *url)
{
	const char *authority = strstr(text, "://"), *end, *at;
	size_t path;

	if (!authority || authority == text || !is_plain(text))
		return false;
	url->scheme = lower(text, (size_t)(authority - text));
	authority += 3;
	end = authority + strcspn(authority, "/");
	at = memrchr(authority, '@', (size_t)(end - authority));
	if (at) {
		url->userinfo = diag_xstrndup(authority, (size_t)(at - authority));
		authority = at + 1;
	}
	if (!split_authority(authority, (size_t)(end - authority), url))
		return false;
	for (path = strlen(end); path && end[path - 1] == '/'; path--)
		;
	url->path = diag_xstrndup(end, path);
	url->where = where(url);
	return true;
}

bool diag_url_parse(const char *text, struct diag_url *ret)
{
	struct diag_url url = { 0 };

	if (!text || !split(text, &url)) {
		diag_url_done(&url);
		return false;
	}
	*ret = url;
	return true;
}

void diag_url_done(struct diag_url *url)
{
	free(url->scheme);
	free(url->userinfo);
	free(url->host);
	free(url->port);
	free(url->path);
	free(url->where);
	*url = (struct diag_url){ 0 };
}
