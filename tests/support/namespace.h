/* A namespace for tests of the Bindery domain, written as JSON with single quotes. */
#pragma once

#include <jansson.h>

#include "base/macros.h"
#include "bindery/predict.h"

struct test_namespace {
	json_t *worlds, *booklets, *manifests, *realms;
	struct bindery_prediction *prediction;
};

/** Start an empty one. */
void test_namespace_init(struct test_namespace *ns);

/** Free everything, the prediction too. */
void test_namespace_done(struct test_namespace *ns);

/** Append a value to an array; single quotes stand for double ones. Fails the test when it is no
 * JSON. */
void test_add(json_t *array, const char *format, ...) DIAG_PRINTF(2, 3);

/** A world of a Booklet without realm, one shard. */
void test_add_world(struct test_namespace *ns, const char *name, const char *booklet);

/** A Booklet; `modules` and `colocation` are the contents of the lists. */
void test_add_booklet(struct test_namespace *ns, const char *name, const char *modules,
		      const char *colocation);

/**
 * A manifest with image x:1, port 8080, module version 0.9.0 and default scope world.
 *
 * @provides, @requires contents of the lists
 * @annotations         contents of metadata.annotations
 */
void test_add_module(struct test_namespace *ns, const char *name, const char *provides,
		     const char *requires, const char *annotations);

/** Predict, in namespace `game`. */
struct bindery_prediction *test_predict(struct test_namespace *ns);

/** The workload of a Deployment name; fails the test when there is none. */
const struct bindery_workload *test_workload(const struct test_namespace *ns, const char *name);

/* provides[] and requires[] entries of version 1.0.0, multiplicity 1. */
#define PROVIDES(capability, scope)                                                                \
	"{'capabilityId':'" capability "','version':'1.0.0','scope':'" scope "','multiplicity':'1'}"
#define REQUIRES(capability, scope)                                                                \
	"{'capabilityId':'" capability "','versionConstraint':'^1','scope':'" scope                \
	"','multiplicity':'1','dependencyMode':'required'}"
#define WANTS(capability, scope)                                                                   \
	"{'capabilityId':'" capability "','versionConstraint':'^1','scope':'" scope                \
	"','multiplicity':'1','dependencyMode':'optional'}"
#define NAMED(name) "{'name':'" name "'}"
