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
	int restarts;
};

static void on_page(void *context, const char *bytes, size_t length)
{
	struct listing *listing = context;

	diag_buf_add(&listing->pages, bytes, length);
	diag_buf_putc(&listing->pages, '\n');
}

static void on_restart(void *context)
{
	((struct listing *)context)->restarts++;
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

/* ---- what went wrong, and what to do about it ---- */

/* Ask once; the caller ends the answer. The bound is far below what a hanging server would take. */
static struct answer ask(const struct diag_kube_config *config, const char *path)
{
	const struct diag_transport_options options = { .request_timeout_ms = 700,
							.deadline_ms = 15000 };
	struct diag_transport *transport = connect_as(config, &options);
	struct answer answer = { 0 };

	diag_transport_queue(
		transport,
		&(struct diag_request){ .path = path, .done = on_done, .context = &answer });
	diag_transport_run(transport, NULL);
	assert_int_equal(answer.times, 1);
	diag_transport_free(transport);
	return answer;
}

static int ask_code(const struct diag_kube_config *config, const char *path)
{
	struct answer answer = ask(config, path);

	answer_done(&answer);
	return answer.code;
}

/* The reason, around the address, which is "127.0.0.1:PORT" of the listener. */
static void assert_explained(const struct diag_kube_config *config, const char *path, int code,
			     const char *listener, const char *before, const char *after)
{
	struct answer answer = ask(config, path);
	char expected[512];

	snprintf(expected, sizeof(expected), "%s127.0.0.1:%d%s", before,
		 faultserver_port(server, listener), after);
	assert_string_equal(answer.reason, expected);
	assert_int_equal(answer.code, code);
	answer_done(&answer);
}

TEST(certificates_that_are_not_trusted)
{
	static const struct {
		const char *listener, *after;
	} cases[] = {
		{ "stranger", " is not from an authority that is trusted here: check "
			      "certificate-authority in the kubeconfig, and that this is the right "
			      "server" },
		{ "expired", " has expired: renew it (or check this machine's clock)" },
		{ "misnamed", " was made for another name: use a server name that it has, or set "
			      "tls-server-name" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++) {
		diag_autofree char *base = url("https", cases[i].listener);
		struct diag_kube_config config = { .server = base, .ca_pem = ca };

		assert_explained(&config, "/fault/x", DIAG_E_UNREACHABLE, cases[i].listener,
				 "the certificate of ", cases[i].after);
	}
}

TEST(a_server_name_of_its_own)
{
	diag_autofree char *base = url("https", "misnamed");
	struct diag_kube_config config = { .server = base,
					   .ca_pem = ca,
					   .tls_server_name = "kubernetes" };
	struct answer answer = ask(&config, "/fault/x");

	assert_int_equal(answer.code, DIAG_OK);
	answer_done(&answer);
}

TEST(ports_that_speak_something_else)
{
	diag_autofree char *plain = url("https", "plain");
	diag_autofree char *gone = url("https", "gone");
	diag_autofree char *silent = url("https", "silent");
	struct diag_kube_config config = { .server = plain, .ca_pem = ca };

	assert_explained(&config, "/fault/x", DIAG_E_UNREACHABLE, "plain", "",
			 " does not speak TLS: it is an http port, or no API server at all");
	config.server = gone;
	assert_explained(&config, "/fault/x", DIAG_E_UNREACHABLE, "gone", "",
			 " refuses the connection: nothing listens there; check address and port, "
			 "and whether it runs");
	config.server = silent;
	assert_explained(&config, "/fault/x", DIAG_E_TIMEOUT, "silent", "",
			 " cannot be reached: no connection in time; check the network, VPN or "
			 "firewall");
}

TEST(client_certificates_that_are_refused)
{
	diag_autofree char *base = url("https", "mutual");
	diag_autofree char *certificate = faultserver_read(server, "client-stranger.pem");
	diag_autofree char *key = faultserver_read(server, "client-stranger.key");
	diag_autofree char *locked = faultserver_read(server, "client-locked.key");
	struct diag_kube_config config = { .server = base, .ca_pem = ca };

	assert_explained(&config, "/fault/x", DIAG_E_UNAUTHORIZED, "mutual", "",
			 " demands a client certificate, and this user has none");
	config.client_certificate_pem = certificate;
	config.client_key_pem = key;
	assert_explained(&config, "/fault/x", DIAG_E_UNAUTHORIZED, "mutual", "",
			 " refuses the client certificate: it is from an authority that the server "
			 "does not trust; is it of another cluster?");
	config.client_key_pem = locked;
	assert_explained(&config, "/fault/x", DIAG_E_INVALID, "mutual",
			 "the client certificate or key for ",
			 " cannot be used: they do not belong together, are damaged, or the key is "
			 "encrypted");
}

TEST(a_name_without_address)
{
	struct diag_kube_config config = { .server = "https://api.example.invalid:6443" };
	struct answer answer = ask(&config, "/fault/x");

	/* without any name server the question itself takes longer than the request may */
	assert_true(answer.code == DIAG_E_UNREACHABLE || answer.code == DIAG_E_TIMEOUT);
	assert_non_null(strstr(answer.reason, "api.example.invalid:6443: check"));
	answer_done(&answer);
}

/* Answers that do not come whole are no answers. */
TEST(answers_that_are_cut)
{
	static const char *const words[] = { "cut=length,size=5000", "cut=chunked,size=5000",
					     "cut=json,size=5000",   "cut=close,size=5000",
					     "reset=body,size=5000", "raw=1",
					     "body=garbage",         "close=before" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(words); i++) {
		diag_autofree char *base = url("https", "tls");
		struct diag_kube_config config = { .server = base, .ca_pem = ca };
		struct answer answer;
		char path[128];

		snprintf(path, sizeof(path), "/fault/%s/x", words[i]);
		answer = ask(&config, path);
		if (answer.code == DIAG_OK || !*answer.reason)
			fail_msg("%s: taken for an answer", words[i]);
		answer_done(&answer);
		/* a connection that broke once is worth another try */
		snprintf(path, sizeof(path), "/fault/%s,times=1/y", words[i]);
		answer = ask(&config, path);
		if (strcmp(words[i], "raw=1") != 0 && answer.code != DIAG_OK)
			fail_msg("%s: %s", path, answer.reason);
		answer_done(&answer);
	}
}

TEST(a_redirect_takes_no_credentials_along)
{
	diag_autofree char *base = url("https", "tls");
	struct diag_kube_config config = { .server = base, .ca_pem = ca, .token = "s3cret" };
	struct answer answer;
	char path[128];

	faultserver_reset(server);
	snprintf(path, sizeof(path), "/fault/status=302,location=https:||127.0.0.1:%d|fault/x",
		 faultserver_port(server, "spy"));
	answer = ask(&config, path);
	assert_int_not_equal(answer.code, DIAG_OK);
	assert_int_equal(faultserver_counts(server, "tls").credentials, 1);
	assert_int_equal(faultserver_counts(server, "spy").connections, 0);
	assert_null(strstr(answer.reason, "s3cret"));
	answer_done(&answer);
}

/* B10: the proxy sees the connection, and the server's own certificate counts behind it. */
TEST(a_proxy_of_the_cluster_entry)
{
	static const char *const listeners[][2] = { { "http", "proxy" },
						    { "https", "tls-proxy" },
						    { "socks5", "socks" } };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(listeners); i++) {
		diag_autofree char *base = url("https", "tls");
		diag_autofree char *proxy = url(listeners[i][0], listeners[i][1]);
		struct diag_kube_config config = {
			.server = base, .ca_pem = ca, .proxy_url = proxy, .token = "s3cret"
		};
		struct answer answer;

		faultserver_reset(server);
		answer = ask(&config, "/fault/token=s3cret/x");
		if (answer.code != DIAG_OK)
			fail_msg("%s: %s", proxy, answer.reason);
		assert_int_equal(faultserver_counts(server, listeners[i][1]).requests, 1);
		assert_int_equal(faultserver_counts(server, listeners[i][1]).credentials, 0);
		answer_done(&answer);
	}
}

/* B12: page two is too old once, or each time. */
TEST(a_list_that_begins_again)
{
	static const struct {
		const char *path;
		int code, restarts;
	} cases[] = {
		{ "/list/count=5,status=410,at=2,times=2/pods", DIAG_OK, 1 },
		{ "/list/count=5,status=410,at=2/pods", DIAG_E_NOT_FOUND, 1 },
		{ "/list/count=5,same-token/pods", DIAG_E_INVALID, 0 },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(cases); i++) {
		diag_autofree char *base = url("https", "tls");
		struct diag_kube_config config = { .server = base, .ca_pem = ca };
		struct diag_transport *transport = connect_as(&config, NULL);
		struct listing listing = { 0 };

		diag_buf_init(&listing.pages, DIAG_MIB);
		faultserver_reset(server);
		diag_list_queue(transport, &(struct diag_list_request){ .path = cases[i].path,
									.limit = 2,
									.page = on_page,
									.restart = on_restart,
									.done = on_end,
									.context = &listing });
		assert_int_equal(diag_transport_run(transport, NULL), DIAG_OK);
		assert_int_equal(listing.end.code, cases[i].code);
		assert_int_equal(listing.restarts, cases[i].restarts);
		assert_int_equal(listing.end.truncated, cases[i].code != DIAG_OK);
		if (cases[i].code == DIAG_OK)
			assert_int_equal(listing.end.pages, 3);
		diag_buf_done(&listing.pages);
		diag_transport_free(transport);
	}
}

/* A 200 with something else is no empty list. */
TEST(an_answer_that_is_no_list)
{
	static const char *const paths[] = { "/fault/body=html/pods", "/fault/body=json/pods",
					     "/fault/body=empty/pods", "/fault/body=text/pods" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(paths); i++) {
		diag_autofree char *base = url("https", "tls");
		struct diag_kube_config config = { .server = base, .ca_pem = ca };
		struct diag_transport *transport = connect_as(&config, NULL);
		struct listing listing = { 0 };

		diag_list_queue(transport, &(struct diag_list_request){ .path = paths[i],
									.page = on_page,
									.done = on_end,
									.context = &listing });
		diag_transport_run(transport, NULL);
		if (listing.end.code == DIAG_OK || listing.pages.length)
			fail_msg("%s is taken for a list", paths[i]);
		diag_buf_done(&listing.pages);
		diag_transport_free(transport);
	}
}

TEST(throttling)
{
	diag_autofree char *base = url("https", "tls");
	struct diag_kube_config config = { .server = base, .ca_pem = ca };
	static const char *const waits[] = { "status=429,retry-after=1",
					     "status=503,retry-after=date",
					     "status=429,details=1" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(waits); i++) {
		struct answer answer;
		char path[128];

		snprintf(path, sizeof(path), "/fault/%s,times=1/x", waits[i]);
		answer = ask(&config, path);
		if (answer.code != DIAG_OK)
			fail_msg("%s: %s", path, answer.reason);
		answer_done(&answer);
	}
	/* an hour is longer than we wait: said at once */
	assert_int_equal(ask_code(&config, "/fault/status=429,retry-after=3600/x"),
			 DIAG_E_UNREACHABLE);
	assert_int_equal(ask_code(&config, "/fault/status=403/x"), DIAG_E_FORBIDDEN);
	assert_int_equal(ask_code(&config, "/fault/status=404/x"), DIAG_E_NOT_FOUND);
}

TEST(a_token_that_has_changed)
{
	diag_autofree char *base = url("https", "tls");
	char path[] = "/tmp/test-transport-XXXXXX";
	struct diag_kube_config config = { .server = base, .ca_pem = ca, .token_file = path };
	struct diag_transport *transport;
	struct answer first = { 0 }, second = { 0 };
	int fd = mkstemp(path);

	assert_int_equal(write(fd, "old", 3), 3);
	transport = connect_as(&config, NULL);
	diag_transport_queue(transport, &(struct diag_request){ .path = "/fault/token=old/x",
								.done = on_done,
								.context = &first });
	assert_int_equal(diag_transport_run(transport, NULL), DIAG_OK);
	assert_int_equal(first.code, DIAG_OK);
	assert_int_equal(pwrite(fd, "new", 3, 0), 3);
	diag_transport_queue(transport, &(struct diag_request){ .path = "/fault/token=new/x",
								.done = on_done,
								.context = &second });
	assert_int_equal(diag_transport_run(transport, NULL), DIAG_OK);
	assert_int_equal(second.code, DIAG_OK);
	assert_int_equal(ask_code(&config, "/fault/token=other/x"), DIAG_E_UNAUTHORIZED);
	answer_done(&first);
	answer_done(&second);
	diag_transport_free(transport);
	close(fd);
	unlink(path);
}

TEST(acting_as_somebody)
{
	diag_autofree char *base = url("https", "tls");
	struct diag_kube_config config = {
		.server = base,
		.ca_pem = ca,
		.as = "ann",
		.as_groups = (const char *const[]){ "g1", "g2", NULL },
		.as_extra = (const char *const[]){ "example.com/scope x", "a", NULL },
	};
	struct answer answer = ask(&config, "/fault/body=echo/x");

	assert_int_equal(answer.code, DIAG_OK);
	assert_non_null(strstr(answer.body, "\"impersonate-user\": [\"ann\"]"));
	assert_non_null(strstr(answer.body, "\"impersonate-group\": [\"g1\", \"g2\"]"));
	/* a slash and a space are no parts of a header's name */
	assert_non_null(
		strstr(answer.body, "\"impersonate-extra-example.com%2fscope%20x\": [\"a\"]"));
	answer_done(&answer);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		T(a_get_with_a_client_certificate),
		T(a_list_in_pages),
		T(certificates_that_are_not_trusted),
		T(a_server_name_of_its_own),
		T(ports_that_speak_something_else),
		T(client_certificates_that_are_refused),
		T(a_name_without_address),
		T(answers_that_are_cut),
		T(a_redirect_takes_no_credentials_along),
		T(a_proxy_of_the_cluster_entry),
		T(a_list_that_begins_again),
		T(an_answer_that_is_no_list),
		T(throttling),
		T(a_token_that_has_changed),
		T(acting_as_somebody),
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
