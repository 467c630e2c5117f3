#include "policy/acceptance.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "text/json.h"

#include "policy/annotation.h"
#include "policy/baseline.h"

static bool object_matches(const struct diag_suppression *s, const struct diag_finding *finding)
{
	struct diag_buf name diag_buf_auto = { 0 };

	if (s->from.kind && !diag_ref_eq(s->from, finding->subject))
		return false;
	if (!s->object)
		return true;
	diag_buf_init(&name, DIAG_MAX_MESSAGE);
	diag_ref_name(finding->subject, &name);
	return diag_str_glob(s->object, diag_buf_str(&name));
}

static bool file_matches(const struct diag_suppression *s, const struct diag_config *config,
			 const struct diag_finding *finding)
{
	diag_autofree char *path = NULL;
	size_t folder = config->folder ? strlen(config->folder) : 0;

	if (!s->file)
		return true;
	if (!finding->where.file)
		return false;
	path = diag_file_absolute(finding->where.file);
	if (folder == 1)
		folder = 0; /* the root */
	return strncmp(path, config->folder, folder) == 0 && path[folder] == '/' &&
	       diag_str_glob(s->file, path + folder + 1);
}

static bool matches(const struct diag_suppression *s, const struct diag_config *config,
		    const struct diag_finding *finding)
{
	return diag_check_matches(s->check, finding->check, finding->fault) &&
	       object_matches(s, finding) &&
	       (!s->fingerprint || strcmp(s->fingerprint, finding->fingerprint) == 0) &&
	       file_matches(s, config, finding);
}

static void suppress(struct diag_suppression *s, const struct diag_config *config,
		     struct diag_finding *const *findings, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct diag_buf text diag_buf_auto = { 0 };

		if (!matches(s, config, findings[i]))
			continue;
		s->used = true;
		diag_buf_init(&text, DIAG_MAX_MESSAGE);
		diag_buf_printf(&text, "%s (%s, until %s)", s->reason, s->owner, s->expires);
		diag_finding_accept(findings[i],
				    s->from.kind ? DIAG_STANDING_IN_SOURCE : DIAG_STANDING_EXTERNAL,
				    diag_buf_str(&text));
	}
}

static struct diag_finding *find(struct diag_findings *findings, const struct diag_config *config,
				 const struct diag_suppression *s, enum diag_severity severity)
{
	struct diag_ref subject =
		s->from.kind ? s->from : diag_ref_make("Configuration", NULL, config->path);
	struct diag_finding *finding =
		diag_findings_add(findings, DIAG_POLICY_CHECK, NULL, severity, subject);

	diag_finding_discriminate(finding, s->check);
	diag_finding_at_line(finding, s->where);
	return finding;
}

static void tell_expired(struct diag_findings *findings, const struct diag_config *config,
			 const struct diag_suppression *s)
{
	struct diag_finding *finding = find(findings, config, s, DIAG_SEVERITY_ERROR);

	diag_finding_message(finding, "the suppression of %s by %s expired on %s", s->check,
			     s->owner, s->expires);
	diag_finding_note(finding, "its reason was: %s", s->reason);
	diag_finding_edit(finding,
			  "mend what it suppressed and remove it, or agree with %s on a "
			  "later day",
			  s->owner);
}

static void tell_unused(struct diag_findings *findings, const struct diag_config *config,
			const struct diag_suppression *s)
{
	struct diag_finding *finding = find(findings, config, s, DIAG_SEVERITY_INFO);

	diag_finding_message(finding, "the suppression of %s by %s suppresses nothing here",
			     s->check, s->owner);
	diag_finding_edit(finding, "remove it, unless what it is for is not looked at in this run");
}

static void apply_suppressions(struct diag_findings *findings, struct diag_acceptance *acceptance,
			       struct diag_suppression *list, size_t count)
{
	size_t found;
	struct diag_finding *const *all = diag_findings_all(findings, &found);

	for (size_t i = 0; i < count; i++)
		if (!diag_config_is_over(list[i].expires, acceptance->now_ms))
			suppress(&list[i], acceptance->config, all, found);
	for (size_t i = 0; i < count; i++) {
		if (diag_config_is_over(list[i].expires, acceptance->now_ms))
			tell_expired(findings, acceptance->config, &list[i]);
		else if (!list[i].used)
			tell_unused(findings, acceptance->config, &list[i]);
	}
}

static void apply_baseline(struct diag_findings *findings, const json_t *baseline)
{
	size_t count;
	struct diag_finding *const *all = diag_findings_all(findings, &count);
	diag_map_auto struct diag_map *known = diag_baseline_index(baseline);

	for (size_t i = 0; i < count; i++)
		if (diag_map_get(known, all[i]->fingerprint))
			diag_finding_accept(all[i], DIAG_STANDING_UNCHANGED, NULL);
}

void diag_acceptance_apply(struct diag_findings *findings, const struct diag_snapshot *snapshot,
			   void *arg)
{
	struct diag_acceptance *acceptance = arg;
	struct diag_annotations *annotations =
		diag_annotations_read(snapshot, acceptance->annotation);

	if (acceptance->baseline)
		apply_baseline(findings, acceptance->baseline);
	apply_suppressions(findings, acceptance, acceptance->config->suppressions,
			   acceptance->config->suppression_count);
	apply_suppressions(findings, acceptance, annotations->suppressions, annotations->count);
	diag_annotations_tell(annotations, findings);
	diag_annotations_free(annotations);
}
