/* What went wrong on the way, in a sentence that says what to do. */
#include <string.h>

#include "base/str.h"
#include "kube/transport_internal.h"
#include "text/clean.h"

enum { ANY = -1, QUOTED = 200 /* columns of curl's own words */ };

/* The first row that fits counts. OpenSSL's words and curl's, as of Debian 12's curl 7.88. */
static const struct {
	int result;           /* CURLcode, or ANY */
	const char *fragment; /* of curl's message, or NULL */
	int code;
	const char *text; /* %s: host:port of the server, or of the proxy when it is about that */
	bool proxy;
} sentences[] = {
	{ CURLE_COULDNT_RESOLVE_HOST, NULL, DIAG_E_UNREACHABLE,
	  "no address is known for %s: check the server's name in the kubeconfig, and DNS", false },
	{ CURLE_COULDNT_RESOLVE_PROXY, NULL, DIAG_E_UNREACHABLE,
	  "no address is known for the proxy %s: check its name, and DNS", true },
	{ CURLE_COULDNT_CONNECT, "Connection refused", DIAG_E_UNREACHABLE,
	  "%s refuses the connection: nothing listens there; check address and port, and whether it "
	  "runs",
	  true },
	{ CURLE_COULDNT_CONNECT, NULL, DIAG_E_UNREACHABLE,
	  "%s cannot be reached: check address, network, VPN or firewall", true },
	{ CURLE_PEER_FAILED_VERIFICATION, "certificate has expired", DIAG_E_UNREACHABLE,
	  "the certificate of %s has expired: renew it (or check this machine's clock)", false },
	{ CURLE_PEER_FAILED_VERIFICATION, "not yet valid", DIAG_E_UNREACHABLE,
	  "the certificate of %s is not valid yet: check this machine's clock", false },
	{ CURLE_PEER_FAILED_VERIFICATION, "subject name matches", DIAG_E_UNREACHABLE,
	  "the certificate of %s was made for another name: use a server name that it has, or set "
	  "tls-server-name",
	  false },
	{ CURLE_PEER_FAILED_VERIFICATION, "does not match", DIAG_E_UNREACHABLE,
	  "the certificate of %s was made for another name: use a server name that it has, or set "
	  "tls-server-name",
	  false },
	{ CURLE_PEER_FAILED_VERIFICATION, NULL, DIAG_E_UNREACHABLE,
	  "the certificate of %s is not from an authority that is trusted here: check "
	  "certificate-authority in the kubeconfig, and that this is the right server",
	  false },
	{ ANY, "wrong version number", DIAG_E_UNREACHABLE,
	  "%s does not speak TLS: it is an http port, or no API server at all", false },
	{ ANY, "packet length too long", DIAG_E_UNREACHABLE,
	  "%s does not speak TLS: it is an http port, or no API server at all", false },
	{ ANY, "alert certificate required", DIAG_E_UNAUTHORIZED,
	  "%s demands a client certificate, and this user has none", false },
	{ ANY, "alert unknown ca", DIAG_E_UNAUTHORIZED,
	  "%s refuses the client certificate: it is from an authority that the server does not "
	  "trust; is it of another cluster?",
	  false },
	{ ANY, "alert certificate expired", DIAG_E_UNAUTHORIZED,
	  "%s refuses the client certificate: it has expired; get a new kubeconfig", false },
	{ ANY, "alert bad certificate", DIAG_E_UNAUTHORIZED, "%s refuses the client certificate",
	  false },
	{ CURLE_SSL_CACERT_BADFILE, NULL, DIAG_E_INVALID,
	  "the certificate-authority for %s holds no certificate that can be read", false },
	{ CURLE_SSL_CERTPROBLEM, NULL, DIAG_E_INVALID,
	  "the client certificate or key for %s cannot be used: they do not belong together, are "
	  "damaged, or the key is encrypted",
	  false },
	{ ANY, "getpeername", DIAG_E_UNREACHABLE,
	  "%s closed the connection as soon as it was made: it may demand another client "
	  "certificate",
	  false },
	{ ANY, "407 from proxy", DIAG_E_UNAUTHORIZED,
	  "the proxy %s wants a user and password: give them in its URL", true },
	{ ANY, "from proxy after CONNECT", DIAG_E_UNREACHABLE,
	  "the proxy %s refuses to connect to the server", true },
	{ CURLE_PROXY, NULL, DIAG_E_UNREACHABLE, "the proxy %s does not connect to the server",
	  true },
	{ CURLE_OPERATION_TIMEDOUT, "Connection timed", DIAG_E_TIMEOUT,
	  "%s cannot be reached: no connection in time; check the network, VPN or firewall",
	  false },
	{ CURLE_OPERATION_TIMEDOUT, "Resolving timed", DIAG_E_TIMEOUT,
	  "no name server answered in time for %s: check DNS", false },
	{ CURLE_OPERATION_TIMEDOUT, NULL, DIAG_E_TIMEOUT, "%s did not answer in time", false },
	{ CURLE_PARTIAL_FILE, NULL, DIAG_E_UNREACHABLE, "%s cut its answer short", false },
	{ CURLE_GOT_NOTHING, NULL, DIAG_E_UNREACHABLE, "%s closed the connection without an answer",
	  false },
	{ CURLE_UNSUPPORTED_PROTOCOL, "HTTP/0.9", DIAG_E_UNREACHABLE,
	  "%s does not speak HTTP: it is no API server", false },
};

bool transfer_broke(const struct transfer *transfer, CURLcode result)
{
	if (transfer->was_cut || transfer->too_long || transfer->flooded ||
	    strstr(transfer->error, "alert ") || strstr(transfer->error, "from proxy"))
		return false;
	return result == CURLE_PARTIAL_FILE || result == CURLE_RECV_ERROR ||
	       result == CURLE_SEND_ERROR || result == CURLE_GOT_NOTHING || result == CURLE_HTTP2 ||
	       result == CURLE_HTTP2_STREAM;
}

static bool is_about(size_t row, CURLcode result, const char *message)
{
	return (sentences[row].result == ANY || sentences[row].result == (int)result) &&
	       (!sentences[row].fragment || strcasestr(message, sentences[row].fragment));
}

/* What curl says; of a connection that was never made only the system's word is precise. */
static const char *words(const struct transfer *transfer, CURLcode result)
{
	long errnum = 0;

	if (result == CURLE_COULDNT_CONNECT)
		curl_easy_getinfo(transfer->easy, CURLINFO_OS_ERRNO, &errnum);
	if (errnum)
		return strerrordesc_np((int)errnum) ?: "";
	return transfer->error[0] ? transfer->error : curl_easy_strerror(result);
}

static void fill(struct diag_buf *out, const char *text, const char *where)
{
	const char *gap = strstr(text, "%s");

	diag_buf_add(out, text, (size_t)(gap - text));
	diag_buf_puts(out, where);
	diag_buf_puts(out, gap + 2);
}

static int too_much(const struct diag_transport *transport, const struct transfer *transfer,
		    struct diag_buf *out)
{
	if (transfer->too_long)
		diag_buf_printf(out, "%s sent more than %zu bytes", transport->server.where,
				transfer->max_bytes);
	else
		diag_buf_printf(out, "%s sent headers without end", transport->server.where);
	return DIAG_E_LIMIT;
}

int transfer_explain(struct diag_transport *transport, const struct transfer *transfer,
		     CURLcode result, struct diag_buf *out)
{
	const char *where = transport->server.where;
	const char *proxy = transport->proxy.where;
	const char *said = words(transfer, result);

	if (transfer->too_long || transfer->flooded)
		return too_much(transport, transfer, out);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(sentences); i++)
		if (is_about(i, result, said)) {
			fill(out, sentences[i].text, sentences[i].proxy && proxy ? proxy : where);
			if (proxy && !sentences[i].proxy)
				diag_buf_printf(out, " (through the proxy %s)", proxy);
			return sentences[i].code;
		}
	diag_buf_printf(out, "%s: ", where);
	diag_clean_cut(out, said, QUOTED, true);
	return DIAG_E_UNREACHABLE;
}
