/* What went wrong on the way, in a sentence that says what to do. */
#include <string.h>

#include "base/str.h"
#include "kube/transport_internal.h"
#include "text/clean.h"

static const struct {
	CURLcode result;
	int code;
	const char *text; /* %s: host:port */
} sentences[] = {
	{ CURLE_COULDNT_RESOLVE_HOST, DIAG_E_UNREACHABLE, "no address is known for %s" },
	{ CURLE_COULDNT_RESOLVE_PROXY, DIAG_E_UNREACHABLE, "no address is known for the proxy %s" },
	{ CURLE_COULDNT_CONNECT, DIAG_E_UNREACHABLE, "cannot connect to %s" },
	{ CURLE_OPERATION_TIMEDOUT, DIAG_E_TIMEOUT, "%s did not answer in time" },
	{ CURLE_PARTIAL_FILE, DIAG_E_UNREACHABLE, "%s cut its answer short" },
};

bool transfer_broke(const struct transfer *transfer, CURLcode result)
{
	if (transfer->was_cut || transfer->too_long || transfer->flooded)
		return false;
	return result == CURLE_PARTIAL_FILE || result == CURLE_RECV_ERROR ||
	       result == CURLE_SEND_ERROR || result == CURLE_GOT_NOTHING || result == CURLE_HTTP2 ||
	       result == CURLE_HTTP2_STREAM;
}

int transfer_explain(struct diag_transport *transport, const struct transfer *transfer,
		     CURLcode result, struct diag_buf *out)
{
	const char *where = transport->server.where;

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(sentences); i++)
		if (sentences[i].result == result) {
			diag_buf_puts(out, where);
			diag_buf_puts(out, ": ");
			diag_clean(out, transfer->error);
			return sentences[i].code;
		}
	diag_buf_printf(out, "%s: ", where);
	diag_clean(out, transfer->error[0] ? transfer->error : curl_easy_strerror(result));
	return DIAG_E_UNREACHABLE;
}
