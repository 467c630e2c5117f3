/* One attempt as a curl handle: URL, trust, credentials, headers, and where the answer goes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "kube/transport_internal.h"

enum {
	MOST_HEADER_BYTES = 256 * 1024, /* of one answer, with all 1xx before it */
	CONNECT_TIMEOUT_MS = 10 * 1000,
	READ_BYTES = 256 * 1024,
};

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	return false;
}

static void add_header(struct curl_slist **list, const char *name, const char *value)
{
	diag_autofree char *line = NULL;
	struct curl_slist *longer;

	/* curl takes "Name:" for "do not send", "Name;" for an empty one. */
	if (asprintf(&line, *value ? "%s: %s" : "%s;", name, value) < 0)
		abort();
	longer = curl_slist_append(*list, line);
	if (!longer)
		abort();
	*list = longer;
}

static int impersonate(struct diag_transport *transport, const char *name, const char *value,
		       struct diag_error *err)
{
	if (!value)
		return DIAG_OK;
	if (has_control(value))
		return diag_error_set(err, DIAG_E_INVALID,
				      "the value for %s has control characters", name);
	add_header(&transport->fixed_headers, name, value);
	return DIAG_OK;
}

/* Keys may be anything; what a header's name cannot hold is percent-encoded. Source: client-go
 * transport/round_trippers.go, headerKeyEscape(). */
static int impersonate_extra(struct diag_transport *transport, const char *key, const char *value,
			     struct diag_error *err)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "!#$&'*+-.^_`|~";
	struct diag_buf name diag_buf_auto = { 0 };

	diag_buf_init(&name, DIAG_MAX_MESSAGE);
	diag_buf_puts(&name, "Impersonate-Extra-");
	for (const unsigned char *p = (const unsigned char *)key; *p; p++)
		diag_buf_printf(&name, strchr(plain, *p) ? "%c" : "%%%02X", *p);
	return impersonate(transport, diag_buf_str(&name), value, err);
}

/* Source: Kubernetes "User impersonation". The server refuses groups or a uid without a user. */
static int prepare_impersonation(struct diag_transport *transport, struct diag_error *err)
{
	const struct diag_kube_config *config = transport->config;
	int r = impersonate(transport, "Impersonate-User", config->as, err);

	if (r == DIAG_OK)
		r = impersonate(transport, "Impersonate-Uid", config->as_uid, err);
	for (size_t i = 0; r == DIAG_OK && config->as_groups && config->as_groups[i]; i++)
		r = impersonate(transport, "Impersonate-Group", config->as_groups[i], err);
	for (size_t i = 0; r == DIAG_OK && config->as_extra && config->as_extra[i]; i += 2)
		r = impersonate_extra(transport, config->as_extra[i], config->as_extra[i + 1], err);
	if (r == DIAG_OK && !config->as &&
	    (config->as_uid || (config->as_groups && config->as_groups[0])))
		r = diag_error_set(err, DIAG_E_INVALID,
				   "a group or uid to act as needs a user to act as (--as)");
	return r;
}

static bool has_credentials(const struct diag_kube_config *config)
{
	return config->token || config->token_file || config->username ||
	       config->client_certificate_pem || config->exec;
}

/* The name that certificate and SNI are about goes into the URL; the connection is made to the
 * real host all the same, and Host says what it would have said. */
static void prepare_server_name(struct diag_transport *transport)
{
	const struct diag_url *server = &transport->server;
	const char *name = transport->config->tls_server_name;
	diag_autofree char *connect_to = NULL;
	bool v6 = strchr(server->host, ':');

	if (asprintf(&transport->base_url, "https://%s:%s%s", name, server->port, server->path) <
		    0 ||
	    asprintf(&connect_to, v6 ? "%s:%s:[%s]:%s" : "%s:%s:%s:%s", name, server->port,
		     server->host, server->port) < 0)
		abort();
	transport->connect_to = curl_slist_append(NULL, connect_to);
	if (!transport->connect_to)
		abort();
	add_header(&transport->fixed_headers, "Host", server->where);
}

static bool is_host_name(const char *text)
{
	return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789.-_")];
}

int transport_prepare(struct diag_transport *transport, struct diag_error *err)
{
	const struct diag_kube_config *config = transport->config;
	struct diag_url *server = &transport->server;
	bool tls;

	if (!diag_url_parse(config->server, server) || server->userinfo ||
	    !diag_str_in(server->scheme, "https", "http", NULL))
		return diag_error_set(err, DIAG_E_INVALID,
				      "the server of cluster '%s' is no https:// URL of a host",
				      config->cluster ? config->cluster : "");
	tls = strcmp(server->scheme, "https") == 0;
	if (!tls && has_credentials(config))
		return diag_error_set(err, DIAG_E_INVALID,
				      "credentials are not sent over http:// to %s; use https://",
				      server->where);
	if (config->tls_server_name && !is_host_name(config->tls_server_name))
		return diag_error_set(err, DIAG_E_INVALID, "tls-server-name is no host name");
	if (tls && config->tls_server_name)
		prepare_server_name(transport);
	else if (asprintf(&transport->base_url, "%s://%s%s", server->scheme, server->where,
			  server->path) < 0)
		abort();
	if (diag_proxy_choose(config->proxy_url, NULL, server, &transport->proxy, err) < 0)
		return DIAG_E_INVALID;
	return prepare_impersonation(transport, err);
}

/* ---- callbacks ---- */

/* Called for every header of every answer, 1xx too. Returning another number ends the transfer. */
static size_t on_header(char *bytes DIAG_UNUSED, size_t size, size_t count, void *arg)
{
	struct transfer *transfer = arg;

	transfer->header_bytes += size * count;
	if (transfer->header_bytes > MOST_HEADER_BYTES) {
		transfer->flooded = true;
		return 0;
	}
	return size * count;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *arg)
{
	struct transfer *transfer = arg;
	size_t length = size * count;
	size_t room = transfer->answer.ceiling - transfer->answer.length;

	if (length <= room) {
		diag_buf_add(&transfer->answer, bytes, length);
		return length;
	}
	if (!transfer->cut) {
		transfer->too_long = true;
		return 0;
	}
	diag_buf_add(&transfer->answer, bytes, room);
	transfer->was_cut = true;
	return 0;
}

/* ---- options ---- */

/* Collects the first failure of many curl_easy_setopt(). */
#define SET(option, value)                                                                         \
	do {                                                                                       \
		if (result == CURLE_OK)                                                            \
			result = curl_easy_setopt(easy, option, value);                            \
	} while (0)

static struct curl_blob blob(const char *pem)
{
	union {
		const char *in;
		char *out;
	} text = { .in = pem }; /* curl only reads it */

	return (struct curl_blob){ .data = text.out, .len = strlen(pem), .flags = CURL_BLOB_COPY };
}

static CURLcode set_trust(CURL *easy, const struct diag_kube_config *config)
{
	CURLcode result = CURLE_OK;

	SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	SET(CURLOPT_SSL_VERIFYPEER, config->insecure_skip_tls_verify ? 0L : 1L);
	SET(CURLOPT_SSL_VERIFYHOST, config->insecure_skip_tls_verify ? 0L : 2L);
	if (config->ca_pem) {
		struct curl_blob ca = blob(config->ca_pem);

		/* Only this authority: without it curl trusts the system's folder as well. A proxy
		 * has a certificate of either. */
		SET(CURLOPT_CAINFO_BLOB, &ca);
		SET(CURLOPT_CAPATH, NULL);
		SET(CURLOPT_PROXY_CAINFO_BLOB, &ca);
	}
	return result;
}

static CURLcode set_connection(CURL *easy, const struct diag_transport *transport)
{
	const struct diag_proxy *proxy = &transport->proxy;
	CURLcode result = CURLE_OK;

	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
	SET(CURLOPT_PIPEWAIT, 1L);
	SET(CURLOPT_PROXY, proxy->url ? proxy->url : "");
	SET(CURLOPT_NOPROXY, ""); /* decided already; else curl asks the environment */
	SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	SET(CURLOPT_CONNECT_TO, transport->connect_to);
	SET(CURLOPT_BUFFERSIZE, (long)READ_BYTES);
	SET(CURLOPT_QUICK_EXIT, 1L); /* no waiting for a name server once we leave */
	return result;
}

static int bad_credentials(struct diag_error *err)
{
	return diag_error_set(err, DIAG_E_UNAUTHORIZED,
			      "the credentials have control characters and cannot be sent");
}

/* Only to this server: redirects are not followed, and a proxy gets none of these headers. */
static int set_credentials(CURL *easy, struct diag_transport *transport, struct transfer *transfer,
			   struct diag_error *err)
{
	struct diag_credential credential = { 0 };
	CURLcode result = CURLE_OK;
	int r;

	if (!has_credentials(transport->config))
		return DIAG_OK;
	r = diag_credentials_get(transport->credentials,
				 transport->deadline_ms - diag_clock_ms(), &credential, err);
	if (r < 0)
		return r;
	transfer->generation = credential.generation;
	if (credential.certificate_pem && credential.key_pem) {
		struct curl_blob certificate = blob(credential.certificate_pem);
		struct curl_blob key = blob(credential.key_pem);

		SET(CURLOPT_SSLCERT_BLOB, &certificate);
		SET(CURLOPT_SSLKEY_BLOB, &key);
		SET(CURLOPT_KEYPASSWD, ""); /* an encrypted key fails instead of asking */
	}
	if (credential.bearer) {
		diag_autofree char *value = NULL;

		if (has_control(credential.bearer))
			return bad_credentials(err);
		if (asprintf(&value, "Bearer %s", credential.bearer) < 0)
			abort();
		add_header(&transfer->headers, "Authorization", value);
		explicit_bzero(value, strlen(value));
	} else if (credential.username) {
		if (has_control(credential.username) ||
		    (credential.password && has_control(credential.password)))
			return bad_credentials(err);
		SET(CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
		SET(CURLOPT_USERNAME, credential.username);
		SET(CURLOPT_PASSWORD, credential.password ? credential.password : "");
	}
	if (result != CURLE_OK)
		return diag_error_set(err, DIAG_E_INVALID, "the credentials cannot be used: %s",
				      curl_easy_strerror(result));
	return DIAG_OK;
}

static CURLcode set_request(CURL *easy, const struct diag_transport *transport,
			    struct transfer *transfer)
{
	int64_t left_ms = transport->deadline_ms - transfer->started_ms;
	int64_t timeout_ms = DIAG_MAX(DIAG_MIN(transfer->timeout_ms, left_ms), INT64_C(1));
	diag_autofree char *url = NULL;
	CURLcode result = CURLE_OK;

	if (asprintf(&url, "%s%s", transport->base_url, transfer->path) < 0)
		abort();
	for (struct curl_slist *h = transport->fixed_headers; h; h = h->next) {
		struct curl_slist *longer = curl_slist_append(transfer->headers, h->data);

		if (!longer)
			abort();
		transfer->headers = longer;
	}
	add_header(&transfer->headers, "Accept", transfer->accept);
	if (transfer->post) {
		add_header(&transfer->headers, "Content-Type", "application/json");
		SET(CURLOPT_POSTFIELDS, transfer->post);
	}
	SET(CURLOPT_URL, url);
	SET(CURLOPT_PATH_AS_IS, 1L);
	SET(CURLOPT_USERAGENT, "bindery-diag/" DIAG_VERSION);
	SET(CURLOPT_HTTPHEADER, transfer->headers);
	SET(CURLOPT_TIMEOUT_MS, (long)timeout_ms);
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)DIAG_MIN(timeout_ms, (int64_t)CONNECT_TIMEOUT_MS));
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, transfer);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, transfer);
	SET(CURLOPT_ERRORBUFFER, transfer->error);
	SET(CURLOPT_PRIVATE, transfer);
	return result;
}

int transfer_prepare(struct diag_transport *transport, struct transfer *transfer,
		     struct diag_error *err)
{
	CURL *easy = curl_easy_init();
	CURLcode result;
	int r;

	if (!easy)
		abort();
	transfer->easy = easy;
	transfer->started_ms = diag_clock_ms();
	diag_buf_init(&transfer->answer, transfer->max_bytes);
	r = set_credentials(easy, transport, transfer, err);
	if (r < 0)
		return r;
	result = set_trust(easy, transport->config);
	if (result == CURLE_OK)
		result = set_connection(easy, transport);
	if (result == CURLE_OK)
		result = set_request(easy, transport, transfer);
	if (result != CURLE_OK)
		return diag_error_set(err, DIAG_E_INVALID, "%s cannot be asked: %s",
				      transport->server.where, curl_easy_strerror(result));
	return DIAG_OK;
}

void transfer_reset(struct transfer *transfer)
{
	curl_easy_cleanup(transfer->easy);
	transfer->easy = NULL;
	curl_slist_free_all(transfer->headers);
	transfer->headers = NULL;
	diag_buf_done(&transfer->answer);
	transfer->header_bytes = 0;
	transfer->was_cut = transfer->too_long = transfer->flooded = false;
	transfer->error[0] = '\0';
}

const char *transfer_header(const struct transfer *transfer, const char *name)
{
	struct curl_header *header;

	if (curl_easy_header(transfer->easy, name, 0, CURLH_HEADER, -1, &header) != CURLHE_OK)
		return NULL;
	return header->value;
}
