#include "bundle/layout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/macros.h"
#include "base/str.h"

enum { MAX_PARTS = 10 };

/* A name cut at its slashes; the parts point into `text`. */
struct parts {
	char *text;
	char *part[MAX_PARTS];
	size_t count;
};

static bool split(const char *name, struct parts *ret_parts)
{
	char *at;

	*ret_parts = (struct parts){ .text = diag_xstrdup(name) };
	at = ret_parts->text;
	while (at) {
		if (ret_parts->count == MAX_PARTS)
			return false;
		ret_parts->part[ret_parts->count++] = strsep(&at, "/");
	}
	return true;
}

/* Cut a suffix off, in place. */
static bool cut(char *text, const char *suffix)
{
	if (!diag_str_ends(text, suffix) || strlen(text) == strlen(suffix))
		return false;
	text[strlen(text) - strlen(suffix)] = '\0';
	return true;
}

static char *join(char *const *part, size_t count)
{
	size_t length = 1;
	char *text;

	for (size_t i = 0; i < count; i++)
		length += strlen(part[i]) + 1;
	text = diag_xcalloc(length, 1);
	for (size_t i = 0; i < count; i++) {
		if (i)
			memcpy(text + strlen(text), "/", 2);
		memcpy(text + strlen(text), part[i], strlen(part[i]) + 1);
	}
	return text;
}

static void classify_log(char **part, size_t count, struct diag_bundle_path *path)
{
	char *file = part[count - 1];

	if (count != 5 || diag_str_ends(file, "-logs-errors.log") || !cut(file, ".log"))
		return;
	path->previous = cut(file, "-previous");
	path->kind = DIAG_BUNDLE_LOG;
	path->namespace_ = diag_xstrdup(part[2]);
	path->pod = diag_xstrdup(part[3]);
	path->container = diag_xstrdup(file);
}

/* `part` starts below cluster-resources/: FOLDER.json, FOLDER/NS.json,
 * custom-resources/CRD[/NS].json */
static void classify_objects(char **part, size_t count, struct diag_bundle_path *path)
{
	size_t deep = strcmp(part[0], "custom-resources") == 0 && count > 1 ? 2 : 1;
	char *file = part[count - 1];

	if (count > deep + 1)
		return;
	if (cut(file, "-errors.json")) {
		path->kind = DIAG_BUNDLE_ERRORS;
		path->folder = join(part, count);
		return;
	}
	path->yaml = cut(file, ".yaml");
	if (!path->yaml && !cut(file, ".json"))
		return;
	path->kind = DIAG_BUNDLE_OBJECTS;
	path->folder = join(part, deep);
	if (count == deep + 1)
		path->namespace_ = diag_xstrdup(file);
}

static void classify_resources(char **part, size_t count, struct diag_bundle_path *path)
{
	if (count >= 2 && strcmp(part[0], "pods") == 0 && strcmp(part[1], "logs") == 0)
		classify_log(part, count, path);
	else if (count)
		classify_objects(part, count, path);
}

static void classify_metrics(char **part, size_t count, struct diag_bundle_path *path)
{
	if (count != 2 || !cut(part[1], ".txt"))
		return;
	path->kind = DIAG_BUNDLE_METRICS;
	path->namespace_ = diag_xstrdup(part[0]);
	path->pod = diag_xstrdup(part[1]);
}

static void classify_info(char **part, size_t count, struct diag_bundle_path *path)
{
	if (count == 1 && strcmp(part[0], "cluster_version.json") == 0)
		path->kind = DIAG_BUNDLE_SERVER_VERSION;
}

static void classify_manifest(char **part DIAG_UNUSED, size_t count, struct diag_bundle_path *path)
{
	if (count == 0)
		path->kind = DIAG_BUNDLE_MANIFEST;
}

static const struct {
	const char *anchor;
	void (*classify)(char **part, size_t count, struct diag_bundle_path *path);
} anchors[] = {
	{ "cluster-resources", classify_resources },
	{ "cluster-info", classify_info },
	{ "metrics", classify_metrics },
	{ "bundle.json", classify_manifest },
};

static bool at_anchor(struct parts *parts, size_t index, struct diag_bundle_path *path)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(anchors); i++) {
		if (strcmp(parts->part[index], anchors[i].anchor) != 0)
			continue;
		free(path->top);
		path->top = join(parts->part, index);
		anchors[i].classify(parts->part + index + 1, parts->count - index - 1, path);
		return true;
	}
	return false;
}

void diag_bundle_classify(const char *name, struct diag_bundle_path *ret_path)
{
	struct parts parts;

	*ret_path = (struct diag_bundle_path){ .kind = DIAG_BUNDLE_OTHER, .top = diag_xstrdup("") };
	if (split(name, &parts))
		for (size_t i = 0; i < DIAG_MIN(parts.count, (size_t)3); i++)
			if (at_anchor(&parts, i, ret_path))
				break;
	free(parts.text);
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

bool diag_bundle_top_time(const char *top, char *ret_text)
{
	const char *at = strstr(top, "support-bundle-");
	int year, month, day, hour, minute, second;

	if (!at || sscanf(at, "support-bundle-%4d-%2d-%2dT%2d_%2d_%2d", &year, &month, &day, &hour,
			  &minute, &second) != 6)
		return false;
	if (year < 0 || month < 0 || day < 0 || hour < 0 || minute < 0 || second < 0)
		return false;
	snprintf(ret_text, 21, "%04d-%02d-%02dT%02d:%02d:%02dZ", year % 10000, month % 100,
		 day % 100, hour % 100, minute % 100, second % 100);
	return true;
}
