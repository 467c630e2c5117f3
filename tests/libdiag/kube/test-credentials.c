/* Exec plugins and token files. The plugins are shell scripts; what they are told and what becomes
 * of their answers is from client.authentication.k8s.io/v1 and client-go's exec authenticator. */
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "base/timestamp.h"
#include "kube/credentials.h"

#include "tests/support/unit.h"

#define V1 "client.authentication.k8s.io/v1"

static char folder[] = "/tmp/test-credentials-XXXXXX";

static const char *in_folder(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(in_folder(name), "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static char *read_file(const char *name)
{
	static char text[4096];
	FILE *file = fopen(in_folder(name), "r");
	size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[n] = '\0';
	if (file)
		fclose(file);
	return text;
}

/* A user whose plugin is `sh -c SCRIPT`, in the folder. */
struct user {
	const char *args[3], *environment[2];
	char variable[128];
	struct diag_kube_exec exec;
	struct diag_kube_config config;
	struct diag_cancel cancel;
	struct diag_credentials *credentials;
};

static void user_init(struct user *user, const char *script)
{
	*user = (struct user){ .args = { "-c", script } };
	snprintf(user->variable, sizeof(user->variable), "FOLDER=%s", folder);
	user->environment[0] = user->variable;
	user->exec = (struct diag_kube_exec){ .api_version = V1,
					      .command = "sh",
					      .args = user->args,
					      .environment = user->environment,
					      .interactive_mode = "Never" };
	user->config = (struct diag_kube_config){ .server = "https://api.example:6443",
						  .user = "dev",
						  .ca_pem = "PEM",
						  .exec = &user->exec };
	user->credentials = diag_credentials_new(&user->config, &user->cancel);
}

static int get(struct user *user, int64_t timeout_ms, struct diag_credential *ret,
	       struct diag_error *err)
{
	return diag_credentials_get(user->credentials, timeout_ms, ret, err);
}

/* The one sentence of a plugin that does not work. */
static void assert_fails(const char *script, int code, const char *expected)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_credential got;
	struct user user;

	user_init(&user, script);
	assert_int_equal(get(&user, 20000, &got, &err), code);
	assert_string_equal(err.message, expected);
	diag_credentials_free(user.credentials);
}

#define ANSWER(status)                                                                             \
	"echo run >> \"$FOLDER/runs\"; echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1    \
	"\",\"status\":{" status "}}'"

TEST(a_plugin_runs_once)
{
	struct diag_credential got = { 0 };
	struct user user;

	write_file("runs", "");
	user_init(&user,
		  ANSWER("\"token\":\"t1\",\"expirationTimestamp\":\"2999-01-01T00:00:00Z\""));
	for (int i = 0; i < 3; i++)
		assert_int_equal(get(&user, 20000, &got, NULL), DIAG_OK);
	assert_string_equal(got.bearer, "t1");
	assert_string_equal(read_file("runs"), "run\n");
	/* refused: once more, and never again */
	assert_true(diag_credentials_expire(user.credentials));
	assert_int_equal(get(&user, 20000, &got, NULL), DIAG_OK);
	assert_int_equal(got.generation, 2);
	assert_string_equal(read_file("runs"), "run\nrun\n");
	assert_false(diag_credentials_expire(user.credentials));
	diag_credentials_free(user.credentials);
}

TEST(a_plugin_gives_a_certificate)
{
	struct diag_credential got = { 0 };
	struct user user;

	user_init(&user, ANSWER("\"clientCertificateData\":\"C\",\"clientKeyData\":\"K\""));
	assert_int_equal(get(&user, 20000, &got, NULL), DIAG_OK);
	assert_string_equal(got.certificate_pem, "C");
	assert_string_equal(got.key_pem, "K");
	assert_null(got.bearer);
	diag_credentials_free(user.credentials);
}

/* UEVN is PEM in base64. */
TEST(a_plugin_is_told)
{
	struct diag_credential got = { 0 };
	struct user user;

	user_init(&user, "printf %s \"$KUBERNETES_EXEC_INFO\" > \"$FOLDER/told\";" ANSWER(
				 "\"token\":\"t\""));
	assert_int_equal(get(&user, 20000, &got, NULL), DIAG_OK);
	assert_string_equal(read_file("told"), "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1
					       "\",\"spec\":{\"interactive\":false}}");
	diag_credentials_free(user.credentials);
	user_init(&user, user.args[1]);
	user.exec.provide_cluster_info = true;
	user.exec.cluster_config = "{\"audience\":\"x\"}";
	assert_int_equal(get(&user, 20000, &got, NULL), DIAG_OK);
	assert_string_equal(read_file("told"),
			    "{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1
			    "\",\"spec\":{\"interactive\":false,\"cluster\":{\"server\":"
			    "\"https://api.example:6443\",\"certificate-authority-data\":\"UEVN\","
			    "\"config\":{\"audience\":\"x\"}}}}");
	diag_credentials_free(user.credentials);
}

/* B11: plain text, nothing, another version, half a pair. None of it is echoed. */
TEST(a_plugin_that_answers_nonsense)
{
	static const char none[] =
		"credential plugin 'sh' of user 'dev': it ended with exit status 0, but wrote no "
		"ExecCredential of " V1 " to its standard output; is it the right command?";

	assert_fails("echo secret-listing", DIAG_E_PARSE, none);
	assert_fails("true", DIAG_E_PARSE, none);
	assert_fails("echo '[]'", DIAG_E_PARSE, none);
	assert_fails("echo '{\"kind\":\"ExecCredential\",\"apiVersion\":\"" V1
		     "beta1\",\"status\":{\"token\":\"s\"}}'",
		     DIAG_E_PARSE,
		     "credential plugin 'sh' of user 'dev': it was asked for apiVersion " V1
		     " and answered with '" V1
		     "beta1'; change apiVersion in the kubeconfig or the plugin's version");
	assert_fails(ANSWER("\"clientCertificateData\":\"C\""), DIAG_E_PARSE,
		     "credential plugin 'sh' of user 'dev': its answer has a certificate without a "
		     "key");
	assert_fails(ANSWER(""), DIAG_E_PARSE,
		     "credential plugin 'sh' of user 'dev': its answer has neither a token nor a "
		     "client certificate");
}

TEST(a_plugin_that_fails)
{
	assert_fails("printf 'first\\nlogin \\033[31mexpired\\n' >&2; exit 7", DIAG_E_UNAUTHORIZED,
		     "credential plugin 'sh' of user 'dev': it failed with exit status 7: first "
		     "login ?[31mexpired");
	assert_fails("kill -9 $$", DIAG_E_UNAUTHORIZED,
		     "credential plugin 'sh' of user 'dev': it was ended by signal 9 (Killed)");
	assert_fails("head -c 3000000 /dev/zero", DIAG_E_LIMIT,
		     "credential plugin 'sh' of user 'dev': it wrote more than 1048576 bytes");
}

TEST(a_plugin_that_is_not_there)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_credential got;
	struct user user;

	user_init(&user, "");
	user.exec.command = "no-such-plugin";
	user.exec.install_hint = "Install it with\n\033[1mmake\033[0m.";
	assert_int_equal(get(&user, 20000, &got, &err), DIAG_E_NOT_FOUND);
	assert_string_equal(err.message,
			    "credential plugin 'no-such-plugin' of user 'dev': it is not "
			    "installed, or not in $PATH; Install it with ?[1mmake?[0m.");
	diag_credentials_free(user.credentials);
}

/* B06 for plugins: killed at the deadline, and what it has started with it. */
TEST(a_plugin_that_hangs)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_credential got;
	int64_t begun_ms = diag_clock_ms();
	struct user user;
	pid_t pid;

	user_init(&user, "sleep 600 & echo $! > \"$FOLDER/child\"; wait");
	assert_int_equal(get(&user, 300, &got, &err), DIAG_E_TIMEOUT);
	assert_in_range(diag_clock_ms() - begun_ms, 300, 5000);
	assert_string_equal(err.message, "credential plugin 'sh' of user 'dev': it did not end "
					 "within 0.3 s");
	pid = (pid_t)atoi(read_file("child"));
	assert_true(pid > 1);
	for (int i = 0; i < 100 && kill(pid, 0) == 0; i++) {
		char path[64], state[512] = "";
		FILE *file;

		/* nobody may be there to wait for an orphan: a zombie is dead as well */
		snprintf(path, sizeof(path), "/proc/%d/stat", pid);
		file = fopen(path, "r");
		if (!file || !fgets(state, sizeof(state), file) || strstr(state, ") Z "))
			i = 1000;
		if (file)
			fclose(file);
		assert_true(i != 99);
		usleep(20000);
	}
	user.cancel.requested = 1;
	assert_int_equal(get(&user, 60000, &got, &err), DIAG_E_CANCELLED);
	diag_credentials_free(user.credentials);
}

/* What a plugin leaves behind may hold its pipes open; that is no reason to wait. */
TEST(a_plugin_that_leaves_a_daemon)
{
	struct diag_credential got = { 0 };
	int64_t begun_ms = diag_clock_ms();
	struct user user;

	user_init(&user, "sleep 7 & " ANSWER("\"token\":\"t\""));
	assert_int_equal(get(&user, 20000, &got, NULL), DIAG_OK);
	assert_string_equal(got.bearer, "t");
	assert_in_range(diag_clock_ms() - begun_ms, 0, 5000);
	diag_credentials_free(user.credentials);
}

/* An expired answer is asked for again, though not at each request. */
TEST(a_plugin_whose_token_has_expired)
{
	struct diag_credential got = { 0 };
	struct user user;

	write_file("runs", "");
	user_init(&user,
		  ANSWER("\"token\":\"t\",\"expirationTimestamp\":\"2001-01-01T00:00:00Z\""));
	for (int i = 0; i < 3; i++)
		assert_int_equal(get(&user, 20000, &got, NULL), DIAG_OK);
	assert_string_equal(read_file("runs"), "run\n");
	diag_credentials_free(user.credentials);
}

TEST(a_token_file)
{
	char path[256];
	struct diag_kube_config config = { .token_file = path };
	struct diag_credentials *credentials = diag_credentials_new(&config, NULL);
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_credential got = { 0 };

	snprintf(path, sizeof(path), "%s", in_folder("token"));
	assert_int_equal(diag_credentials_get(credentials, 1000, &got, &err), DIAG_E_NOT_FOUND);
	assert_true(diag_str_starts(err.message, "token file: "));
	write_file("token", " \n");
	assert_int_equal(diag_credentials_get(credentials, 1000, &got, &err), DIAG_E_UNAUTHORIZED);
	write_file("token", "one\n");
	assert_int_equal(diag_credentials_get(credentials, 1000, &got, NULL), DIAG_OK);
	assert_string_equal(got.bearer, "one");
	assert_int_equal(got.generation, 1);
	/* a 401: nothing else to try while the file says the same */
	assert_false(diag_credentials_expire(credentials));
	write_file("token", "two\n");
	assert_true(diag_credentials_expire(credentials));
	assert_int_equal(diag_credentials_get(credentials, 1000, &got, NULL), DIAG_OK);
	assert_string_equal(got.bearer, "two");
	assert_int_equal(got.generation, 2);
	/* about to be replaced: the old one counts */
	unlink(path);
	assert_false(diag_credentials_expire(credentials));
	assert_int_equal(diag_credentials_get(credentials, 1000, &got, NULL), DIAG_OK);
	assert_string_equal(got.bearer, "two");
	diag_credentials_free(credentials);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_plugin_runs_once),
		T(a_plugin_gives_a_certificate),
		T(a_plugin_is_told),
		T(a_plugin_that_answers_nonsense),
		T(a_plugin_that_fails),
		T(a_plugin_that_is_not_there),
		T(a_plugin_that_hangs),
		T(a_plugin_that_leaves_a_daemon),
		T(a_plugin_whose_token_has_expired),
		T(a_token_file),
	};
	char command[128];
	int failed;

	if (!mkdtemp(folder))
		return 2;
	failed = cmocka_run_group_tests_name("credentials", tests, NULL, NULL);
	snprintf(command, sizeof(command), "rm -r '%s'", folder);
	return system(command) == 0 ? failed : 2;
}
