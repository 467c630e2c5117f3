#include "policy/annotation.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/str.h"
#include "model/resource.h"
#include "text/json.h"

#include "policy/acceptance.h"

/* The next word of `*at`, which moves behind it. */
static char *next_word(struct diag_arena *arena, const char **at)
{
	const char *start = *at + strspn(*at, " \t");
	size_t length = strcspn(start, " \t");

	*at = start + length;
	return diag_arena_strndup(arena, start, length);
}

/* "CHECK by OWNER until YYYY-MM-DD: REASON" */
static bool parse(struct diag_arena *arena, const char *line, struct diag_suppression *ret)
{
	const char *at = line, *by, *until, *reason;
	char *day;
	size_t length;

	ret->check = next_word(arena, &at);
	by = next_word(arena, &at);
	ret->owner = next_word(arena, &at);
	until = next_word(arena, &at);
	ret->expires = day = next_word(arena, &at);
	length = strlen(day);
	reason = diag_str_trim(at, &length);
	ret->reason = diag_arena_strndup(arena, reason, length);
	length = strlen(day);
	if (length != sizeof("YYYY-MM-DD:") - 1 || day[length - 1] != ':')
		return false;
	day[length - 1] = '\0';
	return strcmp(by, "by") == 0 && strcmp(until, "until") == 0 && *ret->reason &&
	       diag_config_is_day(day);
}

static void add_line(struct diag_annotations *annotations, const struct diag_suppression *base,
		     const char *text, size_t length)
{
	struct diag_suppression s = *base;
	const char *trimmed;
	char *line = diag_arena_strndup(annotations->arena, text, length);

	trimmed = diag_str_trim(line, &length);
	line = diag_arena_strndup(annotations->arena, trimmed, length);
	if (!*line)
		return;
	if (parse(annotations->arena, line, &s)) {
		annotations->suppressions =
			diag_xgrow(annotations->suppressions, annotations->count,
				   &annotations->capacity, sizeof(s));
		annotations->suppressions[annotations->count++] = s;
		return;
	}
	s.check = line;
	annotations->broken = diag_xgrow(annotations->broken, annotations->broken_count,
					 &annotations->broken_capacity, sizeof(s));
	annotations->broken[annotations->broken_count++] = s;
}

static void read_object(struct diag_annotations *list, const struct diag_snapshot *snapshot,
			const json_t *object, const char *annotation)
{
	const json_t *annotations = diag_json_object(object, "metadata", "annotations");
	const char *text = json_string_value(json_object_get(annotations, annotation));
	const struct diag_suppression base = {
		.from = diag_ref_of(object),
		.where = text ? diag_snapshot_position_key(snapshot, annotations, annotation)
			      : (struct diag_position){ 0 },
	};

	while (text && *text) {
		size_t length = strcspn(text, "\n");

		add_line(list, &base, text, length);
		text += length + (text[length] == '\n');
	}
}

struct diag_annotations *diag_annotations_read(const struct diag_snapshot *snapshot,
					       const char *annotation)
{
	struct diag_annotations *annotations = diag_xcalloc(1, sizeof(*annotations));
	size_t count;
	const struct diag_resource *resources = diag_resources(&count);

	annotations->arena = diag_arena_new();
	for (size_t i = 0; i < count; i++) {
		const json_t *object;

		diag_snapshot_foreach(snapshot, resources[i].name, object)
			read_object(annotations, snapshot, object, annotation);
	}
	return annotations;
}

void diag_annotations_free(struct diag_annotations *annotations)
{
	free(annotations->suppressions);
	free(annotations->broken);
	diag_arena_free(annotations->arena);
	free(annotations);
}

void diag_annotations_tell(const struct diag_annotations *annotations,
			   struct diag_findings *findings)
{
	for (size_t i = 0; i < annotations->broken_count; i++) {
		const struct diag_suppression *s = &annotations->broken[i];
		struct diag_finding *finding = diag_findings_add(findings, DIAG_POLICY_CHECK, NULL,
								 DIAG_SEVERITY_ERROR, s->from);

		diag_finding_discriminate(finding, s->check);
		diag_finding_at_line(finding, s->where);
		diag_finding_message(finding,
				     "%s %s suppresses nothing, for this cannot be read: '%s'",
				     s->from.kind, s->from.name, s->check);
		diag_finding_edit(finding,
				  "write 'CHECK by OWNER until YYYY-MM-DD: REASON', a line each");
	}
}
