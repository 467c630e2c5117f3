#include "bundle/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/macros.h"
#include "base/timestamp.h"

/*
 * The grammar; the first row that fits counts. In each part of a pattern "%" and a letter stand for
 * one or more characters: %F the folder of a list, %C the name of a custom resource's definition,
 * %N a namespace, %P a pod, %O a container. What follows in that part stands as it is.
 *
 * Source: replicatedhq/troubleshoot, pkg/collect/cluster_resources.go and pkg/constants. Old
 * releases (2023) wrote some cluster-wide lists without ".json", and replica sets into a folder
 * that was meant to be the error file of the stateful sets.
 */
static const struct pattern {
	const char *text;
	enum diag_bundle_kind kind;
	const char *folder; /* where the pattern does not tell */
	bool previous, yaml;
} patterns[] = {
	{ "cluster-resources/pods/logs/%N/%P/%O-logs-errors.log", DIAG_BUNDLE_LOG_ERRORS },
	{ "cluster-resources/pods/logs/%N/%P/%O-previous.log", DIAG_BUNDLE_LOG, .previous = true },
	{ "cluster-resources/pods/logs/%N/%P/%O.log", DIAG_BUNDLE_LOG },
	{ "cluster-resources/auth-cani-list/%N.json", DIAG_BUNDLE_ACCESS },
	{ "cluster-resources/custom-resources/custom-resources-errors.json", DIAG_BUNDLE_ERRORS,
	  .folder = "custom-resources" },
	{ "cluster-resources/custom-resources/%C-errors.json", DIAG_BUNDLE_ERRORS },
	{ "cluster-resources/custom-resources/%C/%N.json", DIAG_BUNDLE_OBJECTS },
	{ "cluster-resources/custom-resources/%C/%N.yaml", DIAG_BUNDLE_OBJECTS, .yaml = true },
	{ "cluster-resources/custom-resources/%C.json", DIAG_BUNDLE_OBJECTS },
	{ "cluster-resources/custom-resources/%C.yaml", DIAG_BUNDLE_OBJECTS, .yaml = true },
	{ "cluster-resources/statefulsets-errors.json/%N.json", DIAG_BUNDLE_OBJECTS,
	  .folder = "replicasets" },
	{ "cluster-resources/%F-errors.json", DIAG_BUNDLE_ERRORS },
	{ "cluster-resources/%F/%N.json", DIAG_BUNDLE_OBJECTS },
	{ "cluster-resources/%F/%N.yaml", DIAG_BUNDLE_OBJECTS, .yaml = true },
	{ "cluster-resources/%F.json", DIAG_BUNDLE_OBJECTS },
	{ "cluster-resources/%F.yaml", DIAG_BUNDLE_OBJECTS, .yaml = true },
	{ "cluster-resources/clusterrolebindings", DIAG_BUNDLE_OBJECTS,
	  .folder = "clusterrolebindings" },
	{ "cluster-resources/clusterroles", DIAG_BUNDLE_OBJECTS, .folder = "clusterroles" },
	{ "cluster-resources/pvs", DIAG_BUNDLE_OBJECTS, .folder = "pvs" },
	{ "cluster-info/cluster_version.json", DIAG_BUNDLE_SERVER_VERSION },
	{ "version.yaml", DIAG_BUNDLE_VERSION },
	{ "bundle.json", DIAG_BUNDLE_MANIFEST },
	{ "metrics/%N/%P.txt", DIAG_BUNDLE_METRICS },
};

/* Folders that may stand in front: the bundle's own, and one around it. */
enum { MAX_TOP = 2 };

/* What a pattern's letters stood for, in the order of `letters`; points into the name. */
static const char letters[] = "FCNPO";

struct match {
	const char *text[sizeof(letters) - 1];
	size_t length[sizeof(letters) - 1];
};

/* One part, without slashes. */
static bool part_fits(const char *pattern, size_t pattern_length, const char *part, size_t length,
		      struct match *match)
{
	size_t rest, slot;

	if (*pattern != '%')
		return length == pattern_length && memcmp(part, pattern, length) == 0;
	rest = pattern_length - 2;
	if (length <= rest || memcmp(part + length - rest, pattern + 2, rest) != 0)
		return false;
	slot = (size_t)(strchr(letters, pattern[1]) - letters);
	match->text[slot] = part;
	match->length[slot] = length - rest;
	return true;
}

static bool fits(const char *pattern, const char *name, struct match *match)
{
	for (;;) {
		size_t pattern_length = strcspn(pattern, "/");
		size_t length = strcspn(name, "/");

		if (!part_fits(pattern, pattern_length, name, length, match))
			return false;
		pattern += pattern_length;
		name += length;
		if (*pattern != *name)
			return false;
		if (!*pattern)
			return true;
		pattern++;
		name++;
	}
}

static char *matched(const struct match *match, char letter)
{
	size_t slot = (size_t)(strchr(letters, letter) - letters);

	return match->text[slot] ? diag_xstrndup(match->text[slot], match->length[slot]) : NULL;
}

static char *folder_of(const struct pattern *pattern, const struct match *match)
{
	static const char custom[] = "custom-resources/";
	diag_autofree char *name = matched(match, 'C');
	char *folder;
	size_t size;

	if (pattern->folder)
		return diag_xstrdup(pattern->folder);
	if (!name)
		return matched(match, 'F');
	size = sizeof(custom) + strlen(name);
	folder = diag_xalloc(size);
	snprintf(folder, size, "%s%s", custom, name);
	return folder;
}

/* `at` is where the part of the name begins that the grammar is about. */
static bool classify_at(const char *name, const char *at, struct diag_bundle_path *ret_path)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(patterns); i++) {
		struct match match = { 0 };

		if (!fits(patterns[i].text, at, &match))
			continue;
		*ret_path = (struct diag_bundle_path){
			.kind = patterns[i].kind,
			.top = diag_xstrndup(name, at > name ? (size_t)(at - name - 1) : 0),
			.folder = folder_of(&patterns[i], &match),
			.namespace_ = matched(&match, 'N'),
			.pod = matched(&match, 'P'),
			.container = matched(&match, 'O'),
			.previous = patterns[i].previous,
			.yaml = patterns[i].yaml,
		};
		return true;
	}
	return false;
}

void diag_bundle_classify(const char *name, struct diag_bundle_path *ret_path)
{
	const char *at = name;

	for (int top = 0; at && top <= MAX_TOP; top++) {
		if (classify_at(name, at, ret_path))
			return;
		at = strchr(at, '/');
		if (at)
			at++;
	}
	*ret_path = (struct diag_bundle_path){ .kind = DIAG_BUNDLE_OTHER };
}

void diag_bundle_path_done(struct diag_bundle_path *path)
{
	free(path->top);
	free(path->folder);
	free(path->namespace_);
	free(path->pod);
	free(path->container);
	*path = (struct diag_bundle_path){ 0 };
}

bool diag_bundle_time(const char *name, char ret_text[21])
{
	static const char prefix[] = "support-bundle-", form[] = "dddd-dd-ddTdd_dd_dd";
	const char *at = name ? strstr(name, prefix) : NULL;
	char text[sizeof(form) + 1];

	if (!at)
		return false;
	at += sizeof(prefix) - 1;
	for (size_t i = 0; i < sizeof(form) - 1; i++) {
		bool digit = at[i] >= '0' && at[i] <= '9';

		if (form[i] == 'd' ? !digit : at[i] != form[i])
			return false;
		text[i] = (char)(at[i] == '_' ? ':' : at[i]);
	}
	memcpy(text + sizeof(form) - 1, "Z", 2);
	if (diag_time_parse(text) == DIAG_TIME_NONE)
		return false;
	memcpy(ret_text, text, sizeof(text));
	return true;
}

/* --- the same names, to be written --- */

static char *name_of(const char *format, ...) DIAG_PRINTF(1, 2);

static char *name_of(const char *format, ...)
{
	struct diag_buf name = { 0 };
	va_list args;

	diag_buf_init(&name, DIAG_MAX_MESSAGE);
	va_start(args, format);
	diag_buf_vprintf(&name, format, args);
	va_end(args);
	return diag_buf_steal(&name);
}

char *diag_bundle_list_name(const char *folder, const char *custom, const char *namespace_)
{
	return name_of("cluster-resources/%s%s%s%s.json", folder ? "" : "custom-resources/",
		       folder ? folder : custom, namespace_ ? "/" : "",
		       namespace_ ? namespace_ : "");
}

char *diag_bundle_errors_name(const char *folder, const char *custom)
{
	return name_of("cluster-resources/%s%s-errors.json", folder ? "" : "custom-resources/",
		       folder ? folder : custom);
}

char *diag_bundle_log_name(const char *namespace_, const char *pod, const char *container,
			   bool previous)
{
	return name_of("cluster-resources/pods/logs/%s/%s/%s%s.log", namespace_, pod, container,
		       previous ? "-previous" : "");
}

char *diag_bundle_metrics_name(const char *namespace_, const char *pod)
{
	return name_of("metrics/%s/%s.txt", namespace_, pod);
}
