/* Requests to a server on loopback that does what servers and networks do at their worst. */
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "kube/list.h"
#include "kube/transport.h"

#include "tests/support/faultserver.h"
#include "tests/support/unit.h"

static struct faultserver *server;
static char *ca;

/* What came of a request, as text that a test can compare. */
struct answer {
	int code, status, times;
	char *reason, *body;
};

static void on_done(void *context, const struct diag_response *response)
{
	struct answer *answer = context;

	answer->times++;
	answer->code = response->code;
	answer->status = response->status;
	answer->reason = diag_xstrdup(response->reason);
	answer->body = diag_xstrndup(response->body, response->length);
}

static void answer_done(struct answer *answer)
{
	free(answer->reason);
	free(answer->body);
}

static char *url(const char *scheme, const char *listener)
{
	char *text = NULL;

	if (asprintf(&text, "%s://127.0.0.1:%d", scheme, faultserver_port(server, listener)) < 0)
		abort();
	return text;
}

static struct diag_transport *connect_as(const struct diag_kube_config *config,
					 const struct diag_transport_options *options)
{
	struct diag_transport *transport;
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_transport_new(config, options ? options : &(struct diag_transport_options){ 0 },
			       &transport, &err) < 0)
		fail_msg("%s", err.message);
	return transport;
}

TEST(a_get_with_a_client_certificate)
{
	diag_autofree char *base = url("https", "mutual");
	diag_autofree char *certificate = faultserver_read(server, "client.pem");
	diag_autofree char *key = faultserver_read(server, "client.key");
	struct diag_kube_config config = { .server = base,
					   .ca_pem = ca,
					   .client_certificate_pem = certificate,
					   .client_key_pem = key };
	struct diag_transport *transport = connect_as(&config, NULL);
	struct answer answer = { 0 };

	diag_transport_queue(transport, &(struct diag_request){ .path = "/fault/body=echo/x",
								.done = on_done,
								.context = &answer });
	assert_int_equal(diag_transport_run(transport, NULL), DIAG_OK);
	if (answer.code != DIAG_OK)
		fail_msg("%s", answer.reason);
	assert_int_equal(answer.times, 1);
	assert_non_null(strstr(answer.body, "\"client\": \"tester\""));
	answer_done(&answer);
	diag_transport_free(transport);
}

struct listing {
	struct diag_buf pages;
	struct diag_list_end end;
};

static void on_page(void *context, const char *bytes, size_t length)
{
	struct listing *listing = context;

	diag_buf_add(&listing->pages, bytes, length);
	diag_buf_putc(&listing->pages, '\n');
}

static void on_end(void *context, const struct diag_list_end *end)
{
	((struct listing *)context)->end = *end;
}

TEST(a_list_in_pages)
{
	diag_autofree char *base = url("https", "tls");
	struct diag_kube_config config = { .server = base, .ca_pem = ca };
	struct diag_transport *transport = connect_as(&config, NULL);
	struct listing listing = { 0 };

	diag_buf_init(&listing.pages, DIAG_MIB);
	diag_list_queue(transport, &(struct diag_list_request){ .path = "/list/count=5/pods",
								.limit = 2,
								.page = on_page,
								.done = on_end,
								.context = &listing });
	assert_int_equal(diag_transport_run(transport, NULL), DIAG_OK);
	assert_int_equal(listing.end.code, DIAG_OK);
	assert_int_equal(listing.end.pages, 3);
	for (int i = 0; i < 5; i++) {
		char name[16];

		snprintf(name, sizeof(name), "\"o%d\"", i);
		assert_non_null(strstr(diag_buf_str(&listing.pages), name));
	}
	diag_buf_done(&listing.pages);
	diag_transport_free(transport);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		T(a_get_with_a_client_certificate),
		T(a_list_in_pages),
	};
	int failed;

	if (argc != 2)
		return 2;
	server = faultserver_start(argv[1]);
	ca = faultserver_read(server, "test-authority.pem");
	failed = cmocka_run_group_tests_name("transport", tests, NULL, NULL);
	free(ca);
	faultserver_stop(server);
	return failed;
}
