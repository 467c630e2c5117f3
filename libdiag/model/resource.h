/*
 * The resources we know, in the API's own words. A resource is named as kubectl names it in full:
 * "pods", "deployments.apps", "worldinstances.bindery.platform".
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct diag_resource {
	const char *name;        /* plural, plus ".group" outside the core group */
	const char *kind;        /* "Deployment" */
	const char *api_version; /* "apps/v1" */
	bool namespaced;
	bool authored;      /* written by people in manifests, not made by a controller */
	const char *folder; /* name below cluster-resources/ in a support bundle; NULL:
			       custom-resources/NAME */
};

/** All known resources; `*ret_count` of them. */
const struct diag_resource *diag_resources(size_t *ret_count);

/** By full name; NULL when unknown. */
const struct diag_resource *diag_resource_by_name(const char *name);

/** By the path below cluster-resources/ of a support bundle: "pods", "custom-resources/NAME"; NULL
 * when unknown. */
const struct diag_resource *diag_resource_by_folder(const char *folder);

/**
 * By kind and apiVersion, the version within the group ignored; NULL when unknown.
 *
 * @api_version as in the object, or NULL to match the kind alone
 */
const struct diag_resource *diag_resource_by_kind(const char *kind, const char *api_version);
