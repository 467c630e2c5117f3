#include "policy/baseline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "text/json.h"

static json_t *entry_of(const struct diag_finding *finding)
{
	struct diag_buf object diag_buf_auto = { 0 };

	diag_buf_init(&object, DIAG_MAX_MESSAGE);
	diag_ref_name(finding->subject, &object);
	return json_pack("{s:s,s:s,s:s,s:s}", "fingerprint", finding->fingerprint, "check",
			 finding->check, "object", diag_buf_str(&object), "message",
			 finding->message);
}

static int compare(const void *a, const void *b)
{
	const json_t *one = *(json_t *const *)a, *two = *(json_t *const *)b;
	static const char *const keys[] = { "check", "object", "fingerprint" };
	int order = 0;

	for (size_t i = 0; order == 0 && i < DIAG_ARRAY_SIZE(keys); i++)
		order = strcmp(json_string_value(json_object_get(one, keys[i])),
			       json_string_value(json_object_get(two, keys[i])));
	return order;
}

json_t *diag_baseline_of(const struct diag_findings *findings)
{
	size_t count, used = 0;
	struct diag_finding *const *all = diag_findings_all(findings, &count);
	diag_autofree json_t **entries = diag_xcalloc(count, sizeof(*entries));
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		bool counts = all[i]->standing == DIAG_STANDING_NEW ||
			      all[i]->standing == DIAG_STANDING_UNCHANGED;

		if (counts && (entries[used] = entry_of(all[i])) != NULL)
			used++;
	}
	if (used)
		qsort(entries, used, sizeof(*entries), compare);
	for (size_t i = 0; i < used; i++)
		json_array_append_new(list, entries[i]);
	return json_pack("{s:i,s:o}", "version", 1, "findings", list);
}

int diag_baseline_read(const char *path, json_t **ret_baseline, struct diag_error *err)
{
	struct diag_buf text diag_buf_auto = { 0 };
	json_auto_t *documents = NULL;
	const json_t *baseline;
	int r;

	diag_buf_init(&text, DIAG_MAX_CONFIG_BYTES);
	r = diag_file_read(path, &text, err);
	if (r < 0)
		return r;
	r = diag_json_load(diag_buf_str(&text), text.length, NULL, NULL, 1, &documents, err);
	if (r < 0)
		return diag_error_prefix(err, r, "%s:%d", path, err ? err->line : 0);
	baseline = json_array_get(documents, 0);
	if (json_array_size(documents) != 1 || diag_json_int(baseline, 0, "version") != 1 ||
	    !diag_json_array(baseline, "findings"))
		return diag_error_set(err, DIAG_E_INVALID,
				      "%s: this is no baseline; write one with --write-baseline",
				      path);
	*ret_baseline = json_incref(json_array_get(documents, 0));
	return DIAG_OK;
}

int diag_baseline_write(const char *path, const json_t *baseline, struct diag_error *err)
{
	diag_autofree char *text = json_dumps(baseline, JSON_INDENT(2));
	struct diag_buf line diag_buf_auto = { 0 };

	diag_buf_init(&line, DIAG_MAX_REPORT);
	diag_buf_printf(&line, "%s\n", text ? text : "");
	return diag_file_replace(path, diag_buf_str(&line), line.length, err);
}

struct diag_map *diag_baseline_index(const json_t *baseline)
{
	struct diag_map *map = diag_map_new();
	json_t *entry;
	size_t i;

	json_array_foreach(diag_json_array(baseline, "findings"), i, entry) {
		const char *fingerprint = diag_json_str(entry, "fingerprint");

		if (fingerprint)
			diag_map_set(map, fingerprint, entry);
	}
	return map;
}

json_t *diag_baseline_gone(const json_t *baseline, const struct diag_findings *findings)
{
	diag_map_auto struct diag_map *there = diag_map_new();
	json_t *gone = json_array(), *entry;
	size_t count, i;
	struct diag_finding *const *all = diag_findings_all(findings, &count);

	for (i = 0; i < count; i++)
		diag_map_set(there, all[i]->fingerprint, all[i]);
	json_array_foreach(diag_json_array(baseline, "findings"), i, entry) {
		const char *fingerprint = diag_json_str(entry, "fingerprint");

		if (fingerprint && !diag_map_get(there, fingerprint))
			json_array_append(gone, entry);
	}
	return gone;
}
