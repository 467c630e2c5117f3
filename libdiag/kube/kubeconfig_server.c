/* The address of the server. Source: client-go rest.DefaultServerURL. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/str.h"
#include "kube/kubeconfig_internal.h"

bool diag_kubeconfig_has_control(const char *text, bool spaces)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7f || (spaces && *text == ' '))
			return true;
	return false;
}

static int invalid(const struct diag_kubeconfig_build *build, const char *why)
{
	const char *name = build->config->cluster;

	if (!diag_str_empty(build->flags->server))
		return diag_error_set(build->err, DIAG_E_INVALID, "--server %s", why);
	return diag_error_set(build->err, DIAG_E_INVALID, "server of cluster '%s' %s",
			      name ? name : "", why);
}

/* "host:port" alone is https as soon as anything about TLS is known. */
static const char *default_scheme(const struct diag_kubeconfig_build *build)
{
	const struct diag_kube_config *config = build->config;
	bool tls = config->ca_pem || config->client_certificate_pem ||
		   config->insecure_skip_tls_verify;

	return tls ? "https" : "http";
}

/* host, host:port, [v6] or [v6]:port, where the port is a number. */
static bool is_host(const char *text, size_t length)
{
	const char *end = text + length;
	const char *colon = length && *text == '[' ? memchr(text, ']', length) : text;
	size_t digits = 0;

	if (!colon || !length || *text == ':')
		return false;
	colon = memchr(colon, ':', (size_t)(end - colon));
	if (!colon)
		return true;
	for (const char *at = colon + 1; at < end; at++, digits++)
		if (!isdigit((unsigned char)*at))
			return false;
	return digits <= 5;
}

int diag_kubeconfig_server(struct diag_kubeconfig_build *build, const char *text)
{
	const char *separator = strstr(text, "://");
	const char *host = separator ? separator + 3 : text;
	size_t scheme_length = separator ? (size_t)(separator - text) : 0;
	size_t host_length = strcspn(host, "/?#"), length = strcspn(host, "?#");
	const char *scheme = separator ? NULL : default_scheme(build);

	if (memchr(host, '@', host_length))
		return invalid(build, "must not hold a user or password");
	if (diag_kubeconfig_has_control(text, true) || !is_host(host, host_length))
		return invalid(build, "is no URL, as in https://HOST:PORT");
	if (separator && scheme_length == 5 && strncasecmp(text, "https", 5) == 0)
		scheme = "https";
	if (separator && scheme_length == 4 && strncasecmp(text, "http", 4) == 0)
		scheme = "http";
	if (!scheme)
		return invalid(build, "is neither an https nor an http URL");
	while (length > host_length && host[length - 1] == '/')
		length--;
	if (!separator && length > host_length)
		return invalid(build, "has a path, but does not begin with https://");
	build->config->server =
		diag_arena_printf(build->arena, "%s://%.*s", scheme, (int)length, host);
	return DIAG_OK;
}
