#include "report/json_parts.h"

#include <string.h>

#include "base/buf.h"
#include "base/timestamp.h"
#include "text/clean.h"

json_t *diag_report_json_clean(const char *value)
{
	struct diag_buf clean diag_buf_auto = { 0 };

	diag_buf_init(&clean, DIAG_MAX_MESSAGE + strlen(value));
	diag_clean_add(&clean, value, strlen(value), DIAG_CLEAN_LINES);
	return json_string(diag_buf_str(&clean));
}

json_t *diag_report_json_text(const char *value)
{
	json_t *string = value ? json_string(value) : json_null();

	return string ? string : diag_report_json_clean(value); /* cut inside a character */
}

void diag_report_json_set(json_t *object, const char *key, const char *value)
{
	if (value)
		json_object_set_new(object, key, diag_report_json_text(value));
}

json_t *diag_report_json_ref(struct diag_ref ref)
{
	json_t *object = json_object();

	json_object_set_new(object, "kind", diag_report_json_text(ref.kind));
	diag_report_json_set(object, "namespace", ref.namespace_);
	json_object_set_new(object, "name", diag_report_json_text(ref.name));
	return object;
}

static void set_time(json_t *object, const char *key, int64_t time_ms)
{
	char stamp[32];

	if (time_ms != DIAG_TIME_NONE)
		json_object_set_new(
			object, key,
			diag_report_json_text(diag_time_format(time_ms, stamp, sizeof(stamp))));
}

static json_t *evidence_json(const struct diag_evidence *evidence)
{
	static const char *const types[] = {
		[DIAG_EVIDENCE_FIELD] = "field",
		[DIAG_EVIDENCE_EVENT] = "event",
		[DIAG_EVIDENCE_LOG] = "log",
		[DIAG_EVIDENCE_NOTE] = "note",
	};
	static const char *const path_keys[] = {
		[DIAG_EVIDENCE_FIELD] = "path",
		[DIAG_EVIDENCE_EVENT] = "reason",
		[DIAG_EVIDENCE_LOG] = "container",
		[DIAG_EVIDENCE_NOTE] = NULL,
	};
	json_t *object = json_object();

	json_object_set_new(object, "type", diag_report_json_text(types[evidence->type]));
	json_object_set_new(object, "object", diag_report_json_ref(evidence->object));
	if (path_keys[evidence->type])
		diag_report_json_set(object, path_keys[evidence->type], evidence->path);
	json_object_set_new(object, "value", diag_report_json_text(evidence->value));
	set_time(object, "time", evidence->time_ms);
	return object;
}

static json_t *where_json(struct diag_position where)
{
	json_t *object = json_object();

	json_object_set_new(object, "file", diag_report_json_text(where.file));
	json_object_set_new(object, "line", json_integer(where.line));
	json_object_set_new(object, "column", json_integer(where.column));
	return object;
}

static void set_lists(json_t *object, const struct diag_finding *finding)
{
	json_t *related = json_array(), *evidence = json_array(), *explained_by = json_array();
	json_t *next = json_array();

	for (size_t i = 0; i < finding->related_count; i++)
		json_array_append_new(related, diag_report_json_ref(finding->related[i]));
	for (size_t i = 0; i < finding->evidence_count; i++)
		json_array_append_new(evidence, evidence_json(&finding->evidence[i]));
	for (size_t i = 0; i < finding->explained_by_count; i++)
		json_array_append_new(explained_by,
				      diag_report_json_text(finding->explained_by[i]->id));
	for (size_t i = 0; i < finding->remedy_count; i++) {
		const struct diag_remedy *remedy = &finding->remedies[i];

		json_array_append_new(
			next,
			json_pack("{s:o}", remedy->type == DIAG_REMEDY_COMMAND ? "command" : "edit",
				  diag_report_json_text(remedy->text)));
	}
	json_object_set_new(object, "related", related);
	json_object_set_new(object, "evidence", evidence);
	json_object_set_new(object, "next", next);
	json_object_set_new(object, "explainedBy", explained_by);
}

json_t *diag_report_json_finding(const struct diag_finding *finding)
{
	json_t *object = json_object();

	json_object_set_new(object, "id", diag_report_json_text(finding->id));
	json_object_set_new(object, "check", diag_report_json_text(finding->check));
	json_object_set_new(object, "fault", diag_report_json_text(finding->fault));
	json_object_set_new(object, "severity",
			    diag_report_json_text(diag_severity_names[finding->severity]));
	json_object_set_new(object, "rootCause", json_boolean(finding->root));
	json_object_set_new(object, "subject", diag_report_json_ref(finding->subject));
	json_object_set_new(object, "message", diag_report_json_text(finding->message));
	diag_report_json_set(object, "impact", finding->impact);
	if (finding->where.file)
		json_object_set_new(object, "location", where_json(finding->where));
	set_lists(object, finding);
	if (finding->root)
		json_object_set_new(object, "consequences",
				    json_integer((json_int_t)finding->effect_count));
	diag_report_json_set(object, "docs", finding->docs);
	json_object_set_new(object, "fingerprint", diag_report_json_text(finding->fingerprint));
	if (finding->standing != DIAG_STANDING_NEW)
		json_object_set_new(object, "standing",
				    diag_report_json_text(diag_standing_names[finding->standing]));
	diag_report_json_set(object, "justification", finding->justification);
	return object;
}

json_t *diag_report_json_result(const struct diag_result *result)
{
	json_t *object = json_object();

	json_object_set_new(object, "id", diag_report_json_text(result->check->id));
	json_object_set_new(object, "status",
			    diag_report_json_text(diag_result_names[result->status]));
	diag_report_json_set(object, "reason", result->reason);
	json_object_set_new(object, "findings", json_integer((json_int_t)result->finding_count));
	return object;
}

json_t *diag_report_json_progress(const struct diag_progress *progress)
{
	json_t *object = json_object();

	json_object_set_new(object, "subject", diag_report_json_ref(progress->subject));
	json_object_set_new(object, "message", diag_report_json_text(progress->message));
	return object;
}

json_t *diag_report_json_problem(const struct diag_problem *problem)
{
	json_t *object = json_object();

	json_object_set_new(object, "file", diag_report_json_text(problem->file));
	if (problem->line)
		json_object_set_new(object, "line", json_integer(problem->line));
	json_object_set_new(object, "message", diag_report_json_text(problem->message));
	return object;
}

json_t *diag_report_json_source(const struct diag_report *report)
{
	static const struct {
		const char *fact, *key;
	} facts[] = {
		{ "source", "type" },
		{ "origin", "origin" },
		{ "context", "context" },
		{ "server-version", "serverVersion" },
	};
	const struct diag_snapshot *snapshot = report->snapshot;
	json_t *object = json_object(), *namespaces = json_array();
	size_t count;
	const char *const *names = diag_snapshot_namespaces(snapshot, &count);

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(facts); i++)
		diag_report_json_set(object, facts[i].key,
				     diag_snapshot_fact(snapshot, facts[i].fact));
	diag_report_json_set(object, "operatorVersion", diag_run_version(report->run));
	set_time(object, "time", diag_snapshot_time(snapshot));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(namespaces, diag_report_json_text(names[i]));
	json_object_set_new(object, "namespaces", namespaces);
	return object;
}

json_t *diag_report_json_tool(const struct diag_report *report)
{
	return json_pack("{s:s,s:s}", "name", report->tool, "version", report->version);
}

static int add_bytes(const char *bytes, size_t length, void *out)
{
	diag_buf_add(out, bytes, length);
	return diag_buf_failed(out) ? -1 : 0;
}

void diag_report_json_write(const json_t *value, size_t flags, struct diag_buf *out)
{
	json_dump_callback(value, add_bytes, out, flags);
	diag_buf_putc(out, '\n');
}
