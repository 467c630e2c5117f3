/*
 * `-o json`: exactly one document, docs/schema/findings.schema.json. Fields are only ever added; a
 * change of meaning raises schemaVersion.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/timestamp.h"
#include "report/renderers.h"

/* Foreign text may be cut inside a character by whoever wrote it: such bytes become U+FFFD. */
static json_t *text(const char *value)
{
	json_t *string = value ? json_string(value) : json_null();

	return string ? string : json_string("\xef\xbf\xbd");
}

static void set_optional(json_t *object, const char *key, const char *value)
{
	if (value)
		json_object_set_new(object, key, text(value));
}

static json_t *ref_json(struct diag_ref ref)
{
	json_t *object = json_object();

	json_object_set_new(object, "kind", text(ref.kind));
	set_optional(object, "namespace", ref.namespace_);
	json_object_set_new(object, "name", text(ref.name));
	return object;
}

static void set_time(json_t *object, const char *key, int64_t time_ms)
{
	char stamp[32];

	if (time_ms != DIAG_TIME_NONE)
		json_object_set_new(object, key,
				    text(diag_time_format(time_ms, stamp, sizeof(stamp))));
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

	json_object_set_new(object, "type", text(types[evidence->type]));
	json_object_set_new(object, "object", ref_json(evidence->object));
	if (path_keys[evidence->type])
		set_optional(object, path_keys[evidence->type], evidence->path);
	json_object_set_new(object, "value", text(evidence->value));
	set_time(object, "time", evidence->time_ms);
	return object;
}

static json_t *where_json(struct diag_position where)
{
	json_t *object = json_object();

	json_object_set_new(object, "file", text(where.file));
	json_object_set_new(object, "line", json_integer(where.line));
	json_object_set_new(object, "column", json_integer(where.column));
	return object;
}

static void set_lists(json_t *object, const struct diag_finding *finding)
{
	json_t *related = json_array(), *evidence = json_array(), *explained_by = json_array();
	json_t *next = json_array();

	for (size_t i = 0; i < finding->related_count; i++)
		json_array_append_new(related, ref_json(finding->related[i]));
	for (size_t i = 0; i < finding->evidence_count; i++)
		json_array_append_new(evidence, evidence_json(&finding->evidence[i]));
	for (size_t i = 0; i < finding->explained_by_count; i++)
		json_array_append_new(explained_by, text(finding->explained_by[i]->id));
	for (size_t i = 0; i < finding->remedy_count; i++) {
		const struct diag_remedy *remedy = &finding->remedies[i];

		json_array_append_new(
			next,
			json_pack("{s:o}", remedy->type == DIAG_REMEDY_COMMAND ? "command" : "edit",
				  text(remedy->text)));
	}
	json_object_set_new(object, "related", related);
	json_object_set_new(object, "evidence", evidence);
	json_object_set_new(object, "next", next);
	json_object_set_new(object, "explainedBy", explained_by);
}

static json_t *finding_json(const struct diag_finding *finding)
{
	json_t *object = json_object();

	json_object_set_new(object, "id", text(finding->id));
	json_object_set_new(object, "check", text(finding->check));
	json_object_set_new(object, "fault", text(finding->fault));
	json_object_set_new(object, "severity", text(diag_severity_names[finding->severity]));
	json_object_set_new(object, "rootCause", json_boolean(finding->root));
	json_object_set_new(object, "subject", ref_json(finding->subject));
	json_object_set_new(object, "message", text(finding->message));
	set_optional(object, "impact", finding->impact);
	if (finding->where.file)
		json_object_set_new(object, "location", where_json(finding->where));
	set_lists(object, finding);
	if (finding->root)
		json_object_set_new(object, "consequences",
				    json_integer((json_int_t)finding->effect_count));
	set_optional(object, "docs", finding->docs);
	json_object_set_new(object, "fingerprint", text(finding->fingerprint));
	return object;
}

static json_t *findings_json(const struct diag_report *report)
{
	json_t *array = json_array();
	size_t count;
	struct diag_finding *const *findings =
		diag_findings_all(diag_run_findings(report->run), &count);

	for (size_t i = 0; i < count; i++)
		if (findings[i]->severity >= report->policy->show)
			json_array_append_new(array, finding_json(findings[i]));
	return array;
}

static json_t *results_json(const struct diag_run *run)
{
	json_t *array = json_array();
	size_t count;
	const struct diag_result *results = diag_run_results(run, &count);

	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "id", text(results[i].check->id));
		json_object_set_new(object, "status", text(diag_result_names[results[i].status]));
		set_optional(object, "reason", results[i].reason);
		json_object_set_new(object, "findings",
				    json_integer((json_int_t)results[i].finding_count));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *progress_json(const struct diag_run *run)
{
	json_t *array = json_array();
	size_t count;
	const struct diag_progress *progress =
		diag_findings_progress(diag_run_findings(run), &count);

	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "subject", ref_json(progress[i].subject));
		json_object_set_new(object, "message", text(progress[i].message));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *problems_json(const struct diag_snapshot *snapshot)
{
	json_t *array = json_array();
	size_t count;
	const struct diag_problem *problems = diag_snapshot_problems(snapshot, &count);

	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();

		json_object_set_new(object, "file", text(problems[i].file));
		if (problems[i].line)
			json_object_set_new(object, "line", json_integer(problems[i].line));
		json_object_set_new(object, "message", text(problems[i].message));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *source_json(const struct diag_snapshot *snapshot, const struct diag_run *run)
{
	static const struct {
		const char *fact, *key;
	} facts[] = {
		{ "source", "type" },
		{ "origin", "origin" },
		{ "context", "context" },
		{ "server-version", "serverVersion" },
	};
	json_t *object = json_object(), *namespaces = json_array();
	size_t count;
	const char *const *names = diag_snapshot_namespaces(snapshot, &count);

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(facts); i++)
		set_optional(object, facts[i].key, diag_snapshot_fact(snapshot, facts[i].fact));
	set_optional(object, "operatorVersion", diag_run_version(run));
	set_time(object, "time", diag_snapshot_time(snapshot));
	for (size_t i = 0; i < count; i++)
		json_array_append_new(namespaces, text(names[i]));
	json_object_set_new(object, "namespaces", namespaces);
	return object;
}

void diag_render_json(const struct diag_report *report, struct diag_buf *out)
{
	json_t *document = json_object();
	char *dump;

	json_object_set_new(document, "schemaVersion", json_integer(1));
	json_object_set_new(
		document, "tool",
		json_pack("{s:s,s:s}", "name", report->tool, "version", report->version));
	json_object_set_new(document, "source", source_json(report->snapshot, report->run));
	json_object_set_new(document, "complete",
			    json_boolean(!diag_run_is_incomplete(report->run)));
	json_object_set_new(document, "findings", findings_json(report));
	json_object_set_new(document, "inProgress", progress_json(report->run));
	json_object_set_new(document, "checks", results_json(report->run));
	json_object_set_new(document, "problems", problems_json(report->snapshot));
	dump = json_dumps(document, JSON_INDENT(2));
	if (dump) {
		diag_buf_puts(out, dump);
		diag_buf_putc(out, '\n');
	}
	free(dump);
	json_decref(document);
}
