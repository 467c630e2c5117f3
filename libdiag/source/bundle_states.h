/*
 * What a bundle tells about lists, those that are not in it above all. The collector lists each
 * built-in kind in each namespace and writes the result also when it is empty; custom resources it
 * lists over the whole cluster and writes only where there are any. So:
 *
 *   an error file names the list     FORBIDDEN or FAILED, or TRUNCATED when a part of it is there
 *   its file cannot be read          FAILED
 *   no file, a built-in kind         NOT_COLLECTED in each namespace of which other lists are there
 *   no file, a custom resource       EMPTY there, when its definition is known and other custom
 *                                    resources were asked for; EMPTY everywhere without definition
 *
 * A bundle that breaks off proves no absence: there, EMPTY becomes NOT_COLLECTED.
 *
 * Source: replicatedhq/troubleshoot, pkg/collect/cluster_resources.go.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "model/resource.h"
#include "model/sink.h"

struct diag_bundle_states;

struct diag_bundle_states *diag_bundle_states_new(void);
void diag_bundle_states_free(struct diag_bundle_states *states);

/** A file of this resource is in the bundle, read or not. `namespace_` NULL for cluster scope. */
void diag_bundle_states_saw(struct diag_bundle_states *states, const struct diag_resource *resource,
			    const char *namespace_);

/** A custom resource is in the bundle, of a kind that we need not know. */
void diag_bundle_states_saw_custom(struct diag_bundle_states *states);

/** A .yaml file of this list is there, which is read only when nothing else is. */
void diag_bundle_states_saw_twin(struct diag_bundle_states *states,
				 const struct diag_resource *resource, const char *namespace_);

/**
 * The list was pushed.
 *
 * @bare it was `null` or `[]`, which the collector also writes when it could list nothing
 */
void diag_bundle_states_read(struct diag_bundle_states *states,
			     const struct diag_resource *resource, const char *namespace_,
			     bool bare);

/** Whether the list was pushed. */
bool diag_bundle_states_is_read(const struct diag_bundle_states *states,
				const struct diag_resource *resource, const char *namespace_);

/** Whether some list can be had only from its .yaml file. */
bool diag_bundle_states_need_twins(const struct diag_bundle_states *states);

/**
 * The list's file could not be read. It becomes a problem, unless a twin is read instead or an
 * error file tells why; the first failure of a list counts.
 *
 * @file where, or NULL when the problem was already told
 * @why  line and message
 */
void diag_bundle_states_failed(struct diag_bundle_states *states,
			       const struct diag_resource *resource, const char *namespace_,
			       const char *file, const struct diag_error *why);

/** The content of custom-resource-definitions.json. */
void diag_bundle_states_crds(struct diag_bundle_states *states, const char *bytes, size_t length);

/**
 * The content of an error file: an array of texts (cluster scope), an object of namespace to text
 * ("" for all), or, for "custom-resources", of "NAME.GROUP" or "NAME.GROUP/NAMESPACE" to text. Any
 * other key there means that no custom resource could be listed.
 *
 * @folder path below cluster-resources/ without "-errors.json"
 *
 * Returns DIAG_OK, or PARSE, LIMIT; then the list counts as failed.
 */
int diag_bundle_states_errors(struct diag_bundle_states *states, const char *folder,
			      const char *bytes, size_t length);

/** The bundle could not be read to its end. */
void diag_bundle_states_broke(struct diag_bundle_states *states);

/** Push what was found out, of all resources that the sink wants; after all pages. */
void diag_bundle_states_push(struct diag_bundle_states *states, struct diag_sink *sink);
