#include "model/finding.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "model/event.h"
#include "text/json.h"

const char *const diag_standing_names[] = {
	[DIAG_STANDING_NEW] = "new",
	[DIAG_STANDING_UNCHANGED] = "unchanged",
	[DIAG_STANDING_IN_SOURCE] = "inSource",
	[DIAG_STANDING_EXTERNAL] = "external",
};

const char *const diag_severity_names[] = { "info", "warning", "error", NULL };

struct diag_findings {
	struct diag_arena *arena;
	struct diag_finding **items;
	size_t count, capacity;
	struct diag_progress *progress;
	size_t progress_count, progress_capacity;
	struct diag_map *progress_seen; /* "kind/namespace/name": several checks see one state */
};

struct diag_findings *diag_findings_new(void)
{
	struct diag_findings *findings = diag_xcalloc(1, sizeof(*findings));

	findings->arena = diag_arena_new();
	findings->progress_seen = diag_map_new();
	return findings;
}

static void free_lists(struct diag_finding *finding)
{
	free(finding->evidence);
	free(finding->remedies);
	free(finding->at);
	free(finding->needs);
	free(finding->explained_by);
}

void diag_findings_free(struct diag_findings *findings)
{
	if (!findings)
		return;
	for (size_t i = 0; i < findings->count; i++)
		free_lists(findings->items[i]);
	free(findings->items);
	free(findings->progress);
	diag_map_free(findings->progress_seen);
	diag_arena_free(findings->arena);
	free(findings);
}

struct diag_finding *const *diag_findings_all(const struct diag_findings *findings,
					      size_t *ret_count)
{
	*ret_count = findings->count;
	return findings->items;
}

void diag_findings_reorder(struct diag_findings *findings, struct diag_finding *const *order)
{
	if (findings->count)
		memcpy(findings->items, order, findings->count * sizeof(*order));
	for (size_t i = 0; i < findings->count; i++)
		findings->items[i]->id = diag_arena_printf(findings->arena, "f%zu", i + 1);
}

void diag_findings_filter(struct diag_findings *findings,
			  bool (*keep)(const struct diag_finding *finding, const void *arg),
			  const void *arg)
{
	size_t kept = 0;

	for (size_t i = 0; i < findings->count; i++) {
		if (keep(findings->items[i], arg))
			findings->items[kept++] = findings->items[i];
		else
			free_lists(findings->items[i]);
	}
	findings->count = kept;
}

const struct diag_progress *diag_findings_progress(const struct diag_findings *findings,
						   size_t *ret_count)
{
	*ret_count = findings->progress_count;
	return findings->progress;
}

static struct diag_ref copy_ref(struct diag_arena *arena, struct diag_ref ref)
{
	return (struct diag_ref){ diag_arena_strdup(arena, ref.kind),
				  diag_arena_strdup(arena, ref.namespace_),
				  diag_arena_strdup(arena, ref.name) };
}

/* FNV-1a over the parts; stable across runs, releases and rewording. */
static uint64_t hash_part(uint64_t h, const char *text)
{
	for (const char *p = text ? text : ""; *p; p++)
		h = (h ^ (unsigned char)*p) * 0x100000001b3u;
	return (h ^ 0xff) * 0x100000001b3u;
}

static void set_fingerprint(struct diag_finding *finding)
{
	uint64_t h = 0xcbf29ce484222325u;

	h = hash_part(h, finding->check);
	h = hash_part(h, finding->subject.kind);
	h = hash_part(h, finding->subject.namespace_);
	h = hash_part(h, finding->subject.name);
	h = hash_part(h, finding->discriminator);
	snprintf(finding->fingerprint, sizeof(finding->fingerprint), "%016llx",
		 (unsigned long long)h);
}

struct diag_finding *diag_findings_add(struct diag_findings *findings, const char *check,
				       const char *fault, enum diag_severity severity,
				       struct diag_ref subject)
{
	struct diag_finding *finding = diag_arena_alloc(findings->arena, sizeof(*finding));

	finding->owner = findings;
	finding->check = diag_arena_strdup(findings->arena, check);
	finding->fault = diag_arena_strdup(findings->arena, fault);
	finding->severity = severity;
	finding->subject = copy_ref(findings->arena, subject);
	finding->message = "";
	set_fingerprint(finding);
	findings->items = diag_xgrow(findings->items, findings->count, &findings->capacity,
				     sizeof(*findings->items));
	findings->items[findings->count++] = finding;
	return finding;
}

void diag_findings_add_progress(struct diag_findings *findings, struct diag_ref subject,
				const char *format, ...)
{
	const char *key =
		diag_arena_printf(findings->arena, "%s/%s/%s", subject.kind,
				  subject.namespace_ ? subject.namespace_ : "", subject.name);
	va_list args;

	if (diag_map_get(findings->progress_seen, key))
		return;
	diag_map_set(findings->progress_seen, key, findings);
	findings->progress = diag_xgrow(findings->progress, findings->progress_count,
					&findings->progress_capacity, sizeof(*findings->progress));
	va_start(args, format);
	findings->progress[findings->progress_count++] = (struct diag_progress){
		copy_ref(findings->arena, subject),
		diag_arena_vprintf(findings->arena, format, args),
	};
	va_end(args);
}

void diag_finding_vmessage(struct diag_finding *finding, const char *format, va_list args)
{
	finding->message = diag_arena_vprintf(finding->owner->arena, format, args);
}

void diag_finding_message(struct diag_finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diag_finding_vmessage(finding, format, args);
	va_end(args);
}

void diag_finding_related(struct diag_finding *finding, struct diag_ref ref)
{
	if (diag_ref_eq(ref, finding->subject) || finding->related_count == DIAG_MAX_RELATED ||
	    diag_str_empty(ref.name))
		return;
	for (size_t i = 0; i < finding->related_count; i++)
		if (diag_ref_eq(ref, finding->related[i]))
			return;
	finding->related[finding->related_count++] = copy_ref(finding->owner->arena, ref);
}

static struct diag_evidence *add_evidence(struct diag_finding *finding,
					  enum diag_evidence_type type, struct diag_ref object)
{
	struct diag_evidence *evidence;

	finding->evidence = diag_xgrow(finding->evidence, finding->evidence_count,
				       &finding->evidence_capacity, sizeof(*evidence));
	evidence = &finding->evidence[finding->evidence_count++];
	*evidence = (struct diag_evidence){
		.type = type,
		.object = copy_ref(finding->owner->arena, object),
		.value = "",
		.time_ms = DIAG_TIME_NONE,
	};
	return evidence;
}

void diag_finding_field(struct diag_finding *finding, struct diag_ref object, const char *path,
			const char *format, ...)
{
	struct diag_evidence *evidence = add_evidence(finding, DIAG_EVIDENCE_FIELD, object);
	va_list args;

	evidence->path = diag_arena_strdup(finding->owner->arena, path);
	va_start(args, format);
	evidence->value = diag_arena_vprintf(finding->owner->arena, format, args);
	va_end(args);
}

void diag_finding_event(struct diag_finding *finding, const json_t *event)
{
	struct diag_evidence *evidence =
		add_evidence(finding, DIAG_EVIDENCE_EVENT, diag_event_object(event));
	const char *message = diag_event_message(event);

	evidence->path = diag_arena_strdup(finding->owner->arena, diag_event_reason(event));
	evidence->value = diag_arena_strdup(finding->owner->arena, message);
	evidence->time_ms = diag_event_time(event);
}

void diag_finding_log(struct diag_finding *finding, struct diag_ref pod, const char *container,
		      const char *line, size_t length)
{
	struct diag_evidence *evidence = add_evidence(finding, DIAG_EVIDENCE_LOG, pod);

	evidence->path = diag_arena_strdup(finding->owner->arena, container);
	evidence->value = diag_arena_strndup(finding->owner->arena, line, length);
}

void diag_finding_note(struct diag_finding *finding, const char *format, ...)
{
	struct diag_evidence *evidence =
		add_evidence(finding, DIAG_EVIDENCE_NOTE, finding->subject);
	va_list args;

	va_start(args, format);
	evidence->value = diag_arena_vprintf(finding->owner->arena, format, args);
	va_end(args);
}

void diag_finding_at_line(struct diag_finding *finding, struct diag_position where)
{
	if (!where.file || finding->where.file)
		return;
	finding->where = where;
	finding->where.file = diag_arena_strdup(finding->owner->arena, where.file);
}

void diag_finding_discriminate(struct diag_finding *finding, const char *text)
{
	finding->discriminator = diag_arena_strdup(finding->owner->arena, text);
	set_fingerprint(finding);
}

static void add_remedy(struct diag_finding *finding, enum diag_remedy_type type, const char *text)
{
	finding->remedies = diag_xgrow(finding->remedies, finding->remedy_count,
				       &finding->remedy_capacity, sizeof(*finding->remedies));
	finding->remedies[finding->remedy_count++] = (struct diag_remedy){ type, text };
}

const char diag_finding_new_poke[] = "poke=$(date +%s)";

/* Append one word, in single quotes unless it is plain; POSIX shell quoting, section 2.2.2. */
static void quote_word(struct diag_buf *buf, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "-_./:=,@%+";

	if (word == diag_finding_new_poke || (*word && strspn(word, plain) == strlen(word))) {
		diag_buf_puts(buf, word);
		return;
	}
	diag_buf_putc(buf, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			diag_buf_puts(buf, "'\\''");
		else
			diag_buf_putc(buf, *word);
	}
	diag_buf_putc(buf, '\'');
}

void diag_finding_command(struct diag_finding *finding, ...)
{
	struct diag_buf text diag_buf_auto = { 0 };
	const char *word;
	va_list args;

	diag_buf_init(&text, DIAG_MAX_MESSAGE);
	va_start(args, finding);
	while ((word = va_arg(args, const char *))) {
		if (text.length)
			diag_buf_putc(&text, ' ');
		quote_word(&text, word);
	}
	va_end(args);
	add_remedy(finding, DIAG_REMEDY_COMMAND,
		   diag_arena_strdup(finding->owner->arena, diag_buf_str(&text)));
}

void diag_finding_edit(struct diag_finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_remedy(finding, DIAG_REMEDY_EDIT,
		   diag_arena_vprintf(finding->owner->arena, format, args));
	va_end(args);
}

static const char *make_key(struct diag_finding *finding, const char *type, const char *namespace_,
			    const char *name)
{
	return diag_arena_printf(finding->owner->arena, "%s/%s/%s", type,
				 namespace_ ? namespace_ : "", name ? name : "");
}

void diag_finding_at(struct diag_finding *finding, const char *type, const char *namespace_,
		     const char *name)
{
	finding->at = diag_xgrow(finding->at, finding->at_count, &finding->at_capacity,
				 sizeof(*finding->at));
	finding->at[finding->at_count++] = make_key(finding, type, namespace_, name);
}

void diag_finding_needs(struct diag_finding *finding, const char *type, const char *namespace_,
			const char *name)
{
	finding->needs = diag_xgrow(finding->needs, finding->needs_count, &finding->needs_capacity,
				    sizeof(*finding->needs));
	finding->needs[finding->needs_count++] = make_key(finding, type, namespace_, name);
}

bool diag_finding_is_at(const struct diag_finding *finding, const char *type,
			const char *namespace_, const char *name)
{
	const char *key = diag_arena_printf(finding->owner->arena, "%s/%s/%s", type,
					    namespace_ ? namespace_ : "", name ? name : "");

	for (size_t i = 0; i < finding->at_count; i++)
		if (strcmp(finding->at[i], key) == 0)
			return true;
	return false;
}

void diag_finding_accept(struct diag_finding *finding, enum diag_standing standing,
			 const char *justification)
{
	finding->standing = standing;
	finding->justification = diag_arena_strdup(finding->owner->arena, justification);
}
