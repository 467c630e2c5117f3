/*
 * `-o sarif`: SARIF 2.1.0 (OASIS), for code scanning. Every check that ran is a rule, also when
 * nothing was found; `results` is always there. An object that is in no file has its logical
 * location, and a path made of its name, since uploaders refuse a result without one.
 */
#include <jansson.h>
#include <string.h>

#include "base/map.h"
#include "report/escape.h"
#include "report/json_parts.h"
#include "report/renderers.h"
#include "report/words.h"

static const char *const levels[] = {
	[DIAG_SEVERITY_INFO] = "note",
	[DIAG_SEVERITY_WARNING] = "warning",
	[DIAG_SEVERITY_ERROR] = "error",
};

static json_t *message(const char *text)
{
	json_t *object = json_object();

	json_object_set_new(object, "text", diag_report_json_clean(text));
	return object;
}

static const char *page_of(const struct diag_report *report, const char *check)
{
	return report->page ? report->page(check) : NULL;
}

static json_t *rule_help(const struct diag_check *check, const char *page)
{
	json_t *help = message(check->hint ? check->hint : check->title);

	diag_report_json_set(help, "markdown", page);
	return help;
}

static json_t *rule_json(const struct diag_report *report, const struct diag_check *check)
{
	json_t *rule = json_object(), *tags = json_array();
	const char *page = page_of(report, check->id);

	json_array_append_new(tags, json_string("bindery"));
	if (check->fault)
		json_array_append_new(tags, diag_report_json_clean(check->fault));
	json_object_set_new(rule, "id", diag_report_json_clean(check->id));
	json_object_set_new(rule, "shortDescription", message(check->title));
	json_object_set_new(rule, "fullDescription",
			    message(check->impact ? check->impact : check->title));
	json_object_set_new(rule, "help", rule_help(check, page));
	json_object_set_new(rule, "defaultConfiguration",
			    json_pack("{s:s}", "level", levels[check->severity]));
	json_object_set_new(rule, "properties", json_pack("{s:o}", "tags", tags));
	return rule;
}

/* A finding whose check is no rule yet (of the policy, say) becomes one by its id alone. */
static json_int_t rule_index(json_t *rules, json_t *indexes, const char *id)
{
	json_t *known = json_object_get(indexes, id);

	if (known)
		return json_integer_value(known);
	json_array_append_new(rules, json_pack("{s:o,s:o}", "id", diag_report_json_clean(id),
					       "shortDescription", message(id)));
	json_object_set_new(indexes, id, json_integer((json_int_t)json_array_size(rules) - 1));
	return (json_int_t)json_array_size(rules) - 1;
}

static json_t *rules_json(const struct diag_report *report, json_t *indexes)
{
	json_t *rules = json_array();
	size_t count;
	const struct diag_result *results = diag_run_results(report->run, &count);

	for (size_t i = 0; i < count; i++) {
		json_object_set_new(indexes, results[i].check->id, json_integer((json_int_t)i));
		json_array_append_new(rules, rule_json(report, results[i].check));
	}
	return rules;
}

static json_t *logical_location(struct diag_ref ref)
{
	struct diag_buf name diag_buf_auto = { 0 };
	json_t *location = json_object();

	diag_buf_init(&name, DIAG_MAX_MESSAGE);
	diag_ref_name(ref, &name);
	json_object_set_new(location, "name", diag_report_json_clean(ref.name));
	json_object_set_new(location, "fullyQualifiedName",
			    diag_report_json_clean(diag_buf_str(&name)));
	json_object_set_new(location, "kind", diag_report_json_clean("resource"));
	return location;
}

static json_t *artifact(const char *path)
{
	struct diag_buf uri diag_buf_auto = { 0 };

	diag_buf_init(&uri, DIAG_MAX_MESSAGE);
	if (*path == '/')
		diag_buf_puts(&uri, "file://");
	diag_escape_uri(&uri, path);
	return json_pack("{s:o}", "uri", diag_report_json_clean(diag_buf_str(&uri)));
}

static json_t *physical_location(const struct diag_report *report,
				 const struct diag_finding *finding)
{
	struct diag_buf path diag_buf_auto = { 0 };
	json_t *location = json_object(), *region;

	diag_buf_init(&path, DIAG_MAX_MESSAGE);
	if (!diag_report_path(report, finding, &path)) {
		diag_buf_puts(&path, "cluster/");
		diag_ref_name(finding->subject, &path);
	}
	json_object_set_new(location, "artifactLocation", artifact(diag_buf_str(&path)));
	if (finding->where.line <= 0)
		return location;
	region = json_pack("{s:i}", "startLine", finding->where.line);
	if (finding->where.column > 0)
		json_object_set_new(region, "startColumn", json_integer(finding->where.column));
	json_object_set_new(location, "region", region);
	return location;
}

static json_t *locations_json(const struct diag_report *report, const struct diag_finding *finding)
{
	return json_pack("[{s:o,s:[o]}]", "physicalLocation", physical_location(report, finding),
			 "logicalLocations", logical_location(finding->subject));
}

static json_t *related_json(const struct diag_finding *finding)
{
	json_t *related = json_array();

	for (size_t i = 0; i < finding->related_count; i++)
		json_array_append_new(related, json_pack("{s:[o]}", "logicalLocations",
							 logical_location(finding->related[i])));
	return related;
}

/* Accepted findings stay in the file, so that whoever reads it sees what was accepted, and why. */
static void set_standing(json_t *result, const struct diag_finding *finding)
{
	bool suppressed = finding->standing == DIAG_STANDING_IN_SOURCE ||
			  finding->standing == DIAG_STANDING_EXTERNAL;

	if (finding->standing == DIAG_STANDING_UNCHANGED)
		json_object_set_new(result, "baselineState", json_string("unchanged"));
	if (suppressed)
		json_object_set_new(
			result, "suppressions",
			json_pack("[{s:s,s:s,s:o}]", "kind", diag_standing_names[finding->standing],
				  "status", "accepted", "justification",
				  diag_report_json_clean(
					  finding->justification ? finding->justification : "")));
}

static json_t *result_json(const struct diag_report *report, const struct diag_finding *finding,
			   json_int_t rule)
{
	struct diag_buf text diag_buf_auto = { 0 };
	json_t *result = json_object();

	diag_buf_init(&text, DIAG_MAX_REPORT);
	diag_report_explain(finding, &text);
	json_object_set_new(result, "ruleId", diag_report_json_clean(finding->check));
	json_object_set_new(result, "ruleIndex", json_integer(rule));
	json_object_set_new(result, "level", diag_report_json_clean(levels[finding->severity]));
	json_object_set_new(result, "message", message(diag_buf_str(&text)));
	json_object_set_new(result, "locations", locations_json(report, finding));
	if (finding->related_count)
		json_object_set_new(result, "relatedLocations", related_json(finding));
	json_object_set_new(result, "partialFingerprints",
			    json_pack("{s:s}", "finding/v1", finding->fingerprint));
	set_standing(result, finding);
	json_object_set_new(result, "properties",
			    json_pack("{s:b,s:o}", "rootCause", finding->root, "fault",
				      diag_report_json_text(finding->fault)));
	return result;
}

static json_t *notification(const char *level, const char *text)
{
	return json_pack("{s:s,s:o}", "level", level, "message", message(text));
}

/* What was not looked at, and why: otherwise a clean file would say more than is known. */
static json_t *notifications_json(const struct diag_report *report)
{
	json_t *array = json_array();
	size_t count;
	const struct diag_result *results = diag_run_results(report->run, &count);
	const struct diag_problem *problems;
	struct diag_buf text diag_buf_auto = { 0 };

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	for (size_t i = 0; i < count; i++) {
		if (!results[i].incomplete)
			continue;
		diag_buf_clear(&text);
		diag_buf_printf(&text, "%s: %s", results[i].check->id,
				results[i].reason ? results[i].reason : "");
		json_array_append_new(array, notification("warning", diag_buf_str(&text)));
	}
	problems = diag_snapshot_problems(report->snapshot, &count);
	for (size_t i = 0; i < count; i++) {
		diag_buf_clear(&text);
		diag_buf_printf(&text, "%s:%d: %s", problems[i].file, problems[i].line,
				problems[i].message);
		json_array_append_new(array, notification("error", diag_buf_str(&text)));
	}
	return array;
}

static json_t *invocation_json(const struct diag_report *report)
{
	json_t *invocation = json_object();

	json_object_set_new(invocation, "executionSuccessful",
			    json_boolean(!diag_run_is_incomplete(report->run)));
	json_object_set_new(invocation, "exitCode", json_integer(report->status));
	diag_report_json_set(invocation, "exitCodeDescription", report->verdict);
	json_object_set_new(invocation, "toolExecutionNotifications", notifications_json(report));
	return invocation;
}

static json_t *results_json(const struct diag_report *report, json_t *rules, json_t *indexes)
{
	json_t *results = json_array();
	size_t count;
	struct diag_finding *const *all = diag_findings_all(diag_run_findings(report->run), &count);

	for (size_t i = 0; i < count; i++)
		if (all[i]->severity >= report->policy->show)
			json_array_append_new(
				results, result_json(report, all[i],
						     rule_index(rules, indexes, all[i]->check)));
	return results;
}

void diag_render_sarif(const struct diag_report *report, struct diag_buf *out)
{
	json_auto_t *indexes = json_object();
	json_t *rules = rules_json(report, indexes);
	json_t *results = results_json(report, rules, indexes);
	json_t *driver =
		json_pack("{s:s,s:s,s:s,s:o}", "name", report->tool, "version", report->version,
			  "semanticVersion", report->version, "rules", rules);
	json_t *run = json_pack("{s:{s:o},s:[o],s:s,s:o}", "tool", "driver", driver, "invocations",
				invocation_json(report), "columnKind", "unicodeCodePoints",
				"results", results);
	json_auto_t *log = json_pack("{s:s,s:s,s:[o]}", "$schema",
				     "https://json.schemastore.org/sarif-2.1.0.json", "version",
				     "2.1.0", "runs", run);

	diag_report_json_write(log, JSON_INDENT(2), out);
}
