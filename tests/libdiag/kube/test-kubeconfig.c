/*
 * Which files, merged how, decided how. What client-go does was seen with `kubectl config view
 * --merge --flatten --minify` and `kubectl get` on the same files, or read in the sources that the
 * code names.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/str.h"
#include "kube/config.h"

#include "tests/support/unit.h"

/* A folder of its own for each test; `environment` names it as HOME. */
struct place {
	char folder[64];
	char home[80];
	char list[512];
	const char *environment[8];
};

static void write_file(const struct place *place, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", place->folder, name);
	for (char *slash = strchr(path + strlen(place->folder) + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static int setup(void **state)
{
	struct place *place = calloc(1, sizeof(*place));

	snprintf(place->folder, sizeof(place->folder), "/tmp/test-kubeconfig-XXXXXX");
	assert_non_null(mkdtemp(place->folder));
	snprintf(place->home, sizeof(place->home), "HOME=%s", place->folder);
	place->environment[0] = place->home;
	*state = place;
	return 0;
}

static int teardown(void **state)
{
	struct place *place = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", place->folder);
	assert_int_equal(system(command), 0);
	free(place);
	return 0;
}

#define PLACE(state) (*(struct place **)(state))

/* Base64 of CERTIFICATE, "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", and of
 * a key; made with coreutils' base64. */
#define CERTIFICATE_DATA                                                                           \
	"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUIKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo="
#define CERTIFICATE "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
#define KEY_DATA    "LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCk1JSUUKLS0tLS1FTkQgUFJJVkFURSBLRVktLS0tLQo="
#define KEY         "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n"

#define ADMIN                                                                                      \
	"apiVersion: v1\n"                                                                         \
	"kind: Config\n"                                                                           \
	"clusters:\n"                                                                              \
	"- name: lab\n"                                                                            \
	"  cluster:\n"                                                                             \
	"    server: https://127.0.0.1:6443/\n"                                                    \
	"    certificate-authority-data: " CERTIFICATE_DATA "\n"                                   \
	"contexts:\n"                                                                              \
	"- name: admin@lab\n"                                                                      \
	"  context: {cluster: lab, user: admin, namespace: game}\n"                                \
	"current-context: admin@lab\n"                                                             \
	"users:\n"                                                                                 \
	"- name: admin\n"                                                                          \
	"  user:\n"                                                                                \
	"    client-certificate-data: " CERTIFICATE_DATA "\n"                                      \
	"    client-key-data: " KEY_DATA "\n"

static struct diag_kube_config *load(const struct diag_kube_flags *flags)
{
	struct diag_error err = DIAG_ERROR_INIT;
	struct diag_kube_config *config = NULL;

	if (diag_kube_config_load(flags, &config, &err) < 0)
		fail_msg("%s", err.message);
	return config;
}

TEST(loads_an_admin_from_home)
{
	struct place *place = PLACE(cmocka_state);
	const struct diag_kube_flags flags = { .environment = place->environment };
	diag_kube_config_auto struct diag_kube_config *config = NULL;

	write_file(place, ".kube/config", ADMIN);
	config = load(&flags);
	assert_string_equal(config->context, "admin@lab");
	assert_string_equal(config->cluster, "lab");
	assert_string_equal(config->user, "admin");
	assert_string_equal(config->namespace_, "game");
	assert_string_equal(config->server, "https://127.0.0.1:6443");
	assert_string_equal(config->ca_pem, CERTIFICATE);
	assert_string_equal(config->client_certificate_pem, CERTIFICATE);
	assert_string_equal(config->client_key_pem, KEY);
	assert_null(config->token);
	assert_null(config->exec);
	assert_false(config->in_cluster);
}

#define U(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
RUN_TESTS("kubeconfig", U(loads_an_admin_from_home))
