#include "kube/proxy.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/str.h"

/* An address of either family as sixteen bytes, as Go's net.IP has it. */
struct address {
	unsigned char bytes[16];
};

static const unsigned char v4_prefix[12] = { [10] = 0xff, [11] = 0xff };

static bool parse_address(const char *text, struct address *ret)
{
	memcpy(ret->bytes, v4_prefix, sizeof(v4_prefix));
	return inet_pton(AF_INET, text, ret->bytes + 12) == 1 ||
	       inet_pton(AF_INET6, text, ret->bytes) == 1;
}

static bool is_v4(const struct address *address)
{
	return memcmp(address->bytes, v4_prefix, sizeof(v4_prefix)) == 0;
}

static bool is_loopback(const struct address *address)
{
	static const unsigned char v6[16] = { [15] = 1 };

	return is_v4(address) ? address->bytes[12] == 127
			      : memcmp(address->bytes, v6, sizeof(v6)) == 0;
}

static bool same_bits(const struct address *a, const struct address *b, unsigned from,
		      unsigned count)
{
	for (unsigned i = from; i < from + count; i++) {
		unsigned mask = 0x80u >> i % 8;

		if ((a->bytes[i / 8] & mask) != (b->bytes[i / 8] & mask))
			return false;
	}
	return true;
}

/* Returns false when `rule` is no CIDR; else whether `host` is in it. */
static bool match_cidr(char *rule, const struct address *host, bool *ret_match)
{
	char *slash = strchr(rule, '/');
	struct address net;
	unsigned bits, most;
	bool v4;

	if (!slash || !slash[1] || strlen(slash + 1) > 3 ||
	    slash[1 + strspn(slash + 1, "0123456789")])
		return false;
	*slash = '\0';
	v4 = !strchr(rule, ':');
	most = v4 ? 32 : 128;
	bits = (unsigned)strtoul(slash + 1, NULL, 10);
	if (!parse_address(rule, &net) || bits > most) {
		*slash = '/';
		return false;
	}
	*ret_match = host && is_v4(host) == v4 && same_bits(&net, host, v4 ? 96 : 0, bits);
	return true;
}

/* As net.SplitHostPort(): cut ":port" off where that is what the colon means. */
static const char *cut_port(char **host)
{
	char *colon = strrchr(*host, ':'), *close;

	if (**host == '[') {
		close = strchr(*host, ']');
		if (!close || close[1] != ':' || strchr(close + 2, ':'))
			return "";
		*close = '\0';
		(*host)++;
		return close + 2;
	}
	if (!colon || strchr(*host, ':') != colon)
		return "";
	*colon = '\0';
	return colon + 1;
}

static bool match_domain(const char *rule, const char *host)
{
	size_t rule_length, host_length = strlen(host);

	if (diag_str_starts(rule, "*."))
		rule++;
	if (*rule != '.' && strcmp(rule, host) == 0)
		return true;
	if (*rule == '.')
		rule++;
	rule_length = strlen(rule);
	return host_length > rule_length && host[host_length - rule_length - 1] == '.' &&
	       strcmp(host + host_length - rule_length, rule) == 0;
}

/* One rule, lower case and trimmed; it is taken apart. */
static bool rule_exempts(char *rule, const char *host, const struct address *address,
			 const char *port)
{
	const char *rule_port;
	struct address rule_address;
	bool match;

	if (strcmp(rule, "*") == 0)
		return true;
	if (match_cidr(rule, address, &match))
		return match;
	rule_port = cut_port(&rule);
	if (!*rule || (*rule_port && strcmp(rule_port, port) != 0))
		return false;
	if (parse_address(rule, &rule_address))
		return address && memcmp(&rule_address, address, sizeof(rule_address)) == 0;
	return match_domain(rule, host);
}

bool diag_proxy_exempts(const char *no_proxy, const char *host, const char *port)
{
	diag_autofree char *rules = diag_xstrdup(no_proxy ? no_proxy : "");
	struct address address;
	bool is_address = parse_address(host, &address);
	char *rest = rules, *rule;

	if (strcmp(host, "localhost") == 0 || (is_address && is_loopback(&address)))
		return true;
	for (char *p = rules; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	while ((rule = strsep(&rest, ","))) {
		size_t length;
		const char *trimmed = diag_str_trim(rule, &length);

		rule += trimmed - rule;
		rule[length] = '\0';
		if (rule_exempts(rule, host, is_address ? &address : NULL, port))
			return true;
	}
	return false;
}

/* The first of the names that is set and not empty; `ret_name` says which. */
static const char *lookup(const char *const *environment, const char *const *names,
			  const char **ret_name)
{
	for (; *names; names++) {
		size_t length = strlen(*names);

		for (const char *const *e = environment; *e; e++)
			if (strncmp(*e, *names, length) == 0 && (*e)[length] == '=' &&
			    (*e)[length + 1]) {
				*ret_name = *names;
				return *e + length + 1;
			}
	}
	return NULL;
}

/* curl leaves the look-up of names to a socks5:// client; Go, as socks5h://, to the proxy. */
static char *for_curl(const struct diag_url *url)
{
	const char *scheme = strcmp(url->scheme, "socks5") == 0 ? "socks5h" : url->scheme;
	char *text = NULL;

	if (asprintf(&text, "%s://%s%s%s", scheme, url->userinfo ? url->userinfo : "",
		     url->userinfo ? "@" : "", url->where) < 0)
		abort();
	return text;
}

static int use(const char *text, const char *from, struct diag_proxy *ret, struct diag_error *err)
{
	struct diag_url url diag_url_auto = { 0 };
	diag_autofree char *guess = NULL;

	if (!strstr(text, "://") && asprintf(&guess, "http://%s", text) < 0)
		abort();
	if (!diag_url_parse(guess ? guess : text, &url))
		return diag_error_set(err, DIAG_E_INVALID,
				      "the proxy in %s is no URL; write http://HOST:PORT", from);
	if (!diag_str_in(url.scheme, "http", "https", "socks5", "socks5h", NULL))
		return diag_error_set(err, DIAG_E_INVALID,
				      "the proxy %s in %s has a scheme that is not supported; use "
				      "http, https, socks5 or socks5h",
				      url.where, from);
	*ret = (struct diag_proxy){ .url = for_curl(&url),
				    .where = DIAG_STEAL(url.where),
				    .from = diag_xstrdup(from) };
	return DIAG_OK;
}

int diag_proxy_choose(const char *proxy_url, const char *const *environment,
		      const struct diag_url *server, struct diag_proxy *ret, struct diag_error *err)
{
	static const char *const https[] = { "HTTPS_PROXY", "https_proxy", NULL };
	static const char *const http[] = { "HTTP_PROXY", "http_proxy", NULL };
	static const char *const none[] = { "NO_PROXY", "no_proxy", NULL };
	static const char *const cgi[] = { "REQUEST_METHOD", NULL };
	bool tls = strcmp(server->scheme, "https") == 0;
	const char *name, *ignored, *found;

	*ret = (struct diag_proxy){ 0 };
	if (!diag_str_empty(proxy_url))
		return use(proxy_url, "proxy-url", ret, err);
	if (!environment)
		environment = (const char *const *)environ;
	found = lookup(environment, tls ? https : http, &name);
	/* In a CGI program a client sets HTTP_PROXY, with a header "Proxy". */
	if (!found || (!tls && lookup(environment, cgi, &ignored)) ||
	    diag_proxy_exempts(lookup(environment, none, &ignored), server->host, server->port))
		return DIAG_OK;
	return use(found, name, ret, err);
}

void diag_proxy_done(struct diag_proxy *proxy)
{
	free(proxy->url);
	free(proxy->where);
	free(proxy->from);
	*proxy = (struct diag_proxy){ 0 };
}
