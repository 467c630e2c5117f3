/* Who we are. Source: client-go tools/clientcmd, validation.go and client_config.go; rest,
 * transport.go for what goes before what. */
#include <string.h>

#include "base/str.h"
#include "kube/kubeconfig_internal.h"
#include "text/json.h"

static int invalid(const struct diag_kubeconfig_build *build, const char *key, const char *why)
{
	return diag_kubeconfig_fail(build->files->positions, build->user->file, build->user->value,
				    key, DIAG_E_INVALID, build->err, "user '%s' %s",
				    build->user->name, why);
}

static const char *copy(const struct diag_kubeconfig_build *build, const char *key)
{
	return diag_arena_strdup(build->arena, diag_kubeconfig_field(build->user, key));
}

/* A list of strings as C has it; nulls are empty strings, as in Go. */
static const char *const *copy_list(const struct diag_kubeconfig_build *build, const json_t *list)
{
	const char **copies =
		diag_arena_alloc(build->arena, (json_array_size(list) + 1) * sizeof(*copies));
	json_t *item;
	size_t i;

	json_array_foreach(list, i, item)
		copies[i] = diag_arena_strndup(build->arena, json_string_value(item) ?: "",
					       json_string_length(item));
	return copies;
}

static int identify_token(struct diag_kubeconfig_build *build)
{
	struct diag_kube_config *config = build->config;
	const char *file = diag_kubeconfig_field(build->user, "tokenFile");

	if (!diag_str_empty(build->flags->token)) {
		config->token = diag_arena_strdup(build->arena, build->flags->token);
		if (diag_kubeconfig_has_control(config->token, true))
			return diag_error_set(build->err, DIAG_E_INVALID,
					      "--token holds a space or a control character");
		return DIAG_OK;
	}
	config->token = copy(build, "token");
	if (config->token && diag_kubeconfig_has_control(config->token, true))
		return invalid(build, "token", "has a token with a space or a control character");
	if (file)
		config->token_file = diag_kubeconfig_path(build, build->user, file);
	config->username = copy(build, "username");
	config->password = copy(build, "password");
	if ((config->token || config->token_file) && (config->username || config->password))
		return invalid(build, config->username ? "username" : "password",
			       "has a token and a user name or password; only one is allowed");
	return DIAG_OK;
}

static int identify_certificate(struct diag_kubeconfig_build *build)
{
	const struct diag_kubeconfig_pem certificate = {
		.flag = build->flags->client_certificate,
		.data_key = "client-certificate-data",
		.file_key = "client-certificate",
	};
	const struct diag_kubeconfig_pem key = {
		.flag = build->flags->client_key,
		.data_key = "client-key-data",
		.file_key = "client-key",
		.key = true,
	};
	struct diag_kube_config *config = build->config;
	int r = diag_kubeconfig_pem(build, build->user, &certificate,
				    &config->client_certificate_pem);

	if (r < 0 || !config->client_certificate_pem)
		return r; /* a key alone proves nothing; client-go does not read it */
	r = diag_kubeconfig_pem(build, build->user, &key, &config->client_key_pem);
	if (r < 0 || config->client_key_pem)
		return r;
	if (!diag_str_empty(build->flags->client_certificate))
		return diag_error_set(build->err, DIAG_E_INVALID,
				      "--client-certificate needs --client-key");
	return invalid(build,
		       diag_kubeconfig_field(build->user, "client-certificate-data")
			       ? "client-certificate-data"
			       : "client-certificate",
		       "has a client certificate without a client-key");
}

static const char *const *exec_environment(const struct diag_kubeconfig_build *build,
					   const json_t *list)
{
	const char **variables =
		diag_arena_alloc(build->arena, (json_array_size(list) + 1) * sizeof(*variables));
	json_t *item;
	size_t i, used = 0;

	json_array_foreach(list, i, item) {
		const char *value = diag_json_str(item, "value");

		if (json_is_object(item))
			variables[used++] =
				diag_arena_printf(build->arena, "%s=%s",
						  diag_json_str(item, "name"), value ? value : "");
	}
	return variables;
}

static int check_exec(const struct diag_kubeconfig_build *build, const json_t *exec)
{
	const char *mode = diag_json_str(exec, "interactiveMode");
	const char *version = diag_json_str(exec, "apiVersion");
	json_t *item;
	size_t i;

	if (diag_str_empty(diag_json_str(exec, "command")))
		return invalid(build, "exec", "has an exec plugin without a command");
	if (diag_str_empty(version))
		return invalid(build, "exec", "has an exec plugin without an apiVersion");
	if (!diag_str_in(version, "client.authentication.k8s.io/v1",
			 "client.authentication.k8s.io/v1beta1", NULL))
		return invalid(build, "exec",
			       "has an exec plugin whose apiVersion is neither "
			       "client.authentication.k8s.io/v1 nor v1beta1");
	if (diag_str_empty(mode) && diag_str_ends(version, "/v1"))
		return invalid(build, "exec", "has an exec plugin without an interactiveMode");
	if (!diag_str_empty(mode) && !diag_str_in(mode, "Never", "IfAvailable", "Always", NULL))
		return invalid(build, "exec",
			       "has an exec plugin whose interactiveMode is none of Never, "
			       "IfAvailable, Always");
	json_array_foreach(diag_json_array(exec, "env"), i, item)
		if (diag_str_empty(diag_json_str(item, "name")))
			return invalid(build, "exec",
				       "has an exec plugin with a variable without a name");
	return DIAG_OK;
}

/* What a cluster entry tells plugins: the extension of a reserved name. */
static const char *cluster_config(const struct diag_kubeconfig_build *build)
{
	const json_t *cluster = build->cluster ? build->cluster->value : NULL;
	json_t *item;
	size_t i;

	json_array_foreach(diag_json_array(cluster, "extensions"), i, item) {
		json_t *extension = json_object_get(item, "extension");
		const char *copied = NULL;
		char *dump;

		if (!diag_str_eq(diag_json_str(item, "name"), "client.authentication.k8s.io/exec"))
			continue;
		dump = json_dumps(extension, JSON_COMPACT | JSON_ENCODE_ANY);
		copied = diag_arena_strdup(build->arena, dump);
		free(dump);
		return copied;
	}
	return NULL;
}

static int identify_exec(struct diag_kubeconfig_build *build)
{
	const json_t *stanza = build->user ? diag_json_object(build->user->value, "exec") : NULL;
	struct diag_kube_exec *exec;
	const char *command, *mode;
	int r = stanza ? check_exec(build, stanza) : DIAG_OK;

	if (!stanza || r < 0)
		return r;
	exec = diag_arena_alloc(build->arena, sizeof(*exec));
	command = diag_json_str(stanza, "command");
	if (strchr(command, '/'))
		command = diag_kubeconfig_path(build, build->user, command);
	mode = diag_json_str(stanza, "interactiveMode");
	*exec = (struct diag_kube_exec){
		.api_version = diag_arena_strdup(build->arena, diag_json_str(stanza, "apiVersion")),
		.command = diag_arena_strdup(build->arena, command),
		.args = copy_list(build, diag_json_array(stanza, "args")),
		.environment = exec_environment(build, diag_json_array(stanza, "env")),
		.install_hint =
			diag_arena_strdup(build->arena, diag_json_str(stanza, "installHint")),
		.interactive_mode = diag_str_empty(mode) ? "IfAvailable"
							 : diag_arena_strdup(build->arena, mode),
		.provide_cluster_info = diag_json_true(stanza, "provideClusterInfo"),
		.cluster_config = cluster_config(build),
	};
	build->config->exec = exec;
	return DIAG_OK;
}

static int refuse_provider(const struct diag_kubeconfig_build *build)
{
	const json_t *provider =
		build->user ? diag_json_object(build->user->value, "auth-provider") : NULL;
	const char *name = diag_json_str(provider, "name");

	if (!provider)
		return DIAG_OK;
	return diag_kubeconfig_fail(
		build->files->positions, build->user->file, build->user->value, "auth-provider",
		DIAG_E_UNSUPPORTED, build->err,
		"user '%s' has the auth-provider '%s'; Kubernetes removed these in 1.26: use an "
		"exec plugin",
		build->user->name, name ? name : "");
}

static const char *const *copy_extra(const struct diag_kubeconfig_build *build, json_t *extra)
{
	size_t count = 0, used = 0, i;
	const char **pairs, *key;
	json_t *values, *value;

	json_object_foreach(extra, key, values)
		count += json_array_size(values);
	if (!count)
		return NULL;
	pairs = diag_arena_alloc(build->arena, (2 * count + 1) * sizeof(*pairs));
	json_object_foreach(extra, key, values)
		json_array_foreach(values, i, value) {
			pairs[used++] = diag_arena_strdup(build->arena, key);
			pairs[used++] =
				diag_arena_strdup(build->arena, json_string_value(value) ?: "");
		}
	return pairs;
}

static const char *const *copy_flags(const struct diag_kubeconfig_build *build,
				     const char *const *list)
{
	const char **copies;
	size_t count = 0;

	while (list[count])
		count++;
	copies = diag_arena_alloc(build->arena, (count + 1) * sizeof(*copies));
	for (size_t i = 0; i < count; i++)
		copies[i] = diag_arena_strdup(build->arena, list[i]);
	return copies;
}

static int impersonate(struct diag_kubeconfig_build *build)
{
	const struct diag_kube_flags *flags = build->flags;
	struct diag_kube_config *config = build->config;
	const json_t *user = build->user ? build->user->value : NULL;
	const json_t *groups = diag_json_array(user, "as-groups");

	config->as = diag_str_empty(flags->as) ? copy(build, "as")
					       : diag_arena_strdup(build->arena, flags->as);
	config->as_uid = diag_str_empty(flags->as_uid)
				 ? copy(build, "as-uid")
				 : diag_arena_strdup(build->arena, flags->as_uid);
	if (flags->as_groups && *flags->as_groups)
		config->as_groups = copy_flags(build, flags->as_groups);
	else if (json_array_size(groups))
		config->as_groups = copy_list(build, groups);
	config->as_extra = copy_extra(build, diag_json_object(user, "as-user-extra"));
	if (config->as || !(config->as_uid || config->as_groups || config->as_extra))
		return DIAG_OK;
	return diag_error_set(
		build->err, DIAG_E_INVALID,
		"--as-uid and --as-group (as-user-extra) need a user to act as: --as");
}

int diag_kubeconfig_identify(struct diag_kubeconfig_build *build)
{
	struct diag_kube_config *config = build->config;
	int r = identify_token(build);

	if (r == 0)
		r = identify_certificate(build);
	if (r == 0)
		r = impersonate(build);
	if (r < 0 || !diag_str_empty(build->flags->token))
		return r;
	r = refuse_provider(build);
	/* A plugin does not run beside anything else that proves who we are. */
	if (r < 0 || config->token || config->token_file || config->username || config->password ||
	    config->client_certificate_pem)
		return r;
	return identify_exec(build);
}
