/*
 * What a bundle tells about lists that are not in it: an error file means forbidden or failed; a
 * custom resource without a file, whose definition is known and whose siblings are there, was empty
 * (the format leaves empty kinds out); everything else was not collected.
 */
#pragma once

#include <stddef.h>

#include "model/resource.h"
#include "model/sink.h"

struct diag_bundle_states;

struct diag_bundle_states *diag_bundle_states_new(void);
void diag_bundle_states_free(struct diag_bundle_states *states);

/** A file of this resource is in the bundle, read or not. */
void diag_bundle_states_saw(struct diag_bundle_states *states, const struct diag_resource *resource,
			    const char *namespace_);

/** The content of custom-resource-definitions.json. */
void diag_bundle_states_crds(struct diag_bundle_states *states, const char *bytes, size_t length);

/**
 * The content of an error file.
 *
 * troubleshoot writes an array of texts (cluster scope), an object of namespace to text, or, for
 * custom resources, of definition to text.
 *
 * @folder path below cluster-resources/ without "-errors.json"
 */
void diag_bundle_states_errors(struct diag_bundle_states *states, const char *folder,
			       const char *bytes, size_t length);

/** Push what was found out; after all pages. */
void diag_bundle_states_push(struct diag_bundle_states *states, struct diag_sink *sink);
