#include "cli/input.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/str.h"
#include "source/bundle.h"
#include "source/live.h"
#include "source/manifest.h"
#include "text/k8sname.h"

struct diag_input {
	const struct diag_source_options *options;
	const char *const *wants;
	const struct diag_cancel *cancel;
	struct diag_kube_config *config; /* of a cluster */
	struct diag_source *base;
	struct diag_source *overlay;
	const char *namespaces[2]; /* the context's, when nothing else was said */
	bool live;
};

/* -n where it is given, else the context's namespace, which a cluster always has. */
static const char *const *namespaces_of(const struct diag_input *input)
{
	if (input->options->namespaces.count)
		return input->options->namespaces.items;
	return input->live && !input->options->all_namespaces ? input->namespaces : NULL;
}

static int open_manifests(const struct diag_input *input, struct diag_source **ret,
			  struct diag_error *err)
{
	const char *const *namespaces = namespaces_of(input);
	const struct diag_manifest_options manifest = {
		.paths = input->options->filenames.items,
		.default_namespace = namespaces ? namespaces[0] : NULL,
		.cancel = input->cancel,
	};

	return diag_manifest_open(&manifest, ret, err);
}

/* The names become parts of paths. */
static int check_names(const struct diag_input *input, struct diag_error *err)
{
	const char *const *names = namespaces_of(input);
	const char *operator_namespace = input->options->kube.operator_namespace;

	for (; names && *names; names++)
		if (!diag_k8s_is_label(*names))
			return diag_error_set(err, DIAG_E_INVALID,
					      "'%s' cannot be the name of a namespace", *names);
	if (operator_namespace && !diag_k8s_is_label(operator_namespace))
		return diag_error_set(
			err, DIAG_E_INVALID,
			"--operator-namespace: '%s' cannot be the name of a namespace",
			operator_namespace);
	return DIAG_OK;
}

/* Whoever names no source at all may not have meant a cluster. */
static int nothing_to_look_at(struct diag_error *err)
{
	diag_autofree char *why = diag_xstrdup(err->message);

	return diag_error_set(err, DIAG_E_NOT_FOUND, "%s; or give --bundle PATH or -f PATH", why);
}

static int open_cluster(struct diag_input *input, struct diag_error *err)
{
	const struct diag_kube_options *kube = &input->options->kube;
	struct diag_live_options live = {
		.domain = kube->domain,
		.operator_namespace = kube->operator_namespace,
		.request_timeout_ms = kube->request_timeout_ms,
		.page = (size_t)kube->chunk_size,
		.cancel = input->cancel,
	};
	int r = diag_kube_options_load(kube, &input->config, err);

	if (r == DIAG_E_NOT_FOUND && !diag_kube_is_chosen(kube) && err)
		return nothing_to_look_at(err);
	if (r < 0)
		return r;
	input->live = true;
	input->namespaces[0] = input->config->namespace_;
	if (diag_str_empty(input->namespaces[0]))
		input->namespaces[0] = "default";
	live.config = input->config;
	live.namespaces = namespaces_of(input);
	r = check_names(input, err);
	return r < 0 ? r : diag_live_open(&live, &input->base, err);
}

static int open_all(struct diag_input *input, struct diag_error *err)
{
	const struct diag_source_options *options = input->options;
	bool manifests = options->filenames.count > 0;
	bool chosen = diag_kube_is_chosen(&options->kube);
	int r;

	if (options->all_namespaces && options->namespaces.count)
		return diag_error_set(err, DIAG_E_INVALID, "-n and -A contradict each other");
	if (options->bundle && chosen)
		return diag_error_set(err, DIAG_E_INVALID,
				      "--bundle and a cluster contradict each other: give one");
	if (manifests && !options->bundle && !chosen)
		return open_manifests(input, &input->base, err);
	if (!options->bundle && !options->kube.domain)
		return diag_error_set(err, DIAG_E_INVALID,
				      "nothing to look at: give --bundle PATH or -f PATH");
	r = options->bundle ? diag_bundle_open(options->bundle, input->cancel, &input->base, err)
			    : open_cluster(input, err);
	if (r == 0 && manifests)
		r = open_manifests(input, &input->overlay, err);
	return r;
}

int diag_input_open(const struct diag_source_options *options, const char *const *wants,
		    const struct diag_cancel *cancel, struct diag_input **ret,
		    struct diag_error *err)
{
	diag_input_auto struct diag_input *input = diag_xcalloc(1, sizeof(*input));
	int r;

	input->options = options;
	input->wants = wants;
	input->cancel = cancel;
	r = open_all(input, err);
	if (r == 0)
		*ret = DIAG_STEAL(input);
	return r;
}

void diag_input_free(struct diag_input *input)
{
	if (!input)
		return;
	diag_source_close(input->base);
	diag_source_close(input->overlay);
	diag_kube_config_free(input->config);
	free(input);
}

int diag_input_read(struct diag_input *input, struct diag_snapshot **ret_snapshot,
		    struct diag_error *err)
{
	const struct diag_snapshot_options how = {
		.wants = input->wants,
		.namespaces = namespaces_of(input),
		.all_namespaces = input->options->all_namespaces,
		.at_ms = input->options->at_ms,
	};
	diag_snapshot_auto struct diag_snapshot *snapshot = diag_snapshot_new(&how);
	struct diag_sink *sink = diag_snapshot_sink(snapshot);
	int r = diag_source_load(input->base, sink, err);

	if (r == 0)
		r = diag_snapshot_finish(snapshot, err);
	if (r == 0)
		r = diag_source_logs(input->base, snapshot, sink, err);
	if (r == 0)
		*ret_snapshot = DIAG_STEAL(snapshot);
	return r;
}

bool diag_input_has_overlay(const struct diag_input *input)
{
	return input->overlay != NULL;
}

int diag_input_overlay(struct diag_input *input, struct diag_snapshot *snapshot,
		       struct diag_error *err)
{
	int r;

	if (!input->overlay)
		return DIAG_OK;
	diag_snapshot_overlay(snapshot);
	r = diag_source_load(input->overlay, diag_snapshot_sink(snapshot), err);
	return r < 0 ? r : diag_snapshot_finish(snapshot, err);
}

bool diag_input_is_live(const struct diag_input *input)
{
	return input->live;
}
