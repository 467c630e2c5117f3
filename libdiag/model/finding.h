/*
 * A finding: one fault, on one subject, with its evidence, its remedy and its place in the cause
 * graph. Findings and all their strings live in the arena of the collection.
 */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/limits.h"
#include "base/macros.h"
#include "model/ref.h"
#include "text/position.h"

enum diag_severity { DIAG_SEVERITY_INFO, DIAG_SEVERITY_WARNING, DIAG_SEVERITY_ERROR };

/** "info", "warning", "error"; the array ends with NULL and is indexed by severity. */
extern const char *const diag_severity_names[];

enum diag_evidence_type {
	DIAG_EVIDENCE_FIELD, /* path and value in an object */
	DIAG_EVIDENCE_EVENT, /* path is the event's reason, value its message */
	DIAG_EVIDENCE_LOG,   /* path is the container, value the line */
	DIAG_EVIDENCE_NOTE,  /* value is a sentence of ours */
};

struct diag_evidence {
	enum diag_evidence_type type;
	struct diag_ref object;
	const char *path;
	const char *value;
	int64_t time_ms; /* DIAG_TIME_NONE when unknown */
};

enum diag_remedy_type {
	DIAG_REMEDY_COMMAND, /* ready to paste into a shell */
	DIAG_REMEDY_EDIT,    /* what to change in a manifest, as a sentence */
};

struct diag_remedy {
	enum diag_remedy_type type;
	const char *text;
};

/* Whether a finding counts: one that is known or accepted does not (SARIF: baselineState,
 * suppressions). */
enum diag_standing {
	DIAG_STANDING_NEW,       /* it counts */
	DIAG_STANDING_UNCHANGED, /* it was there before */
	DIAG_STANDING_IN_SOURCE, /* suppressed by an annotation of the object */
	DIAG_STANDING_EXTERNAL,  /* suppressed by a configuration */
};

/** "new", "unchanged", "inSource", "external": SARIF's words. */
extern const char *const diag_standing_names[];

struct diag_finding {
	const char *id; /* "f1"…, in report order; given by the cause graph */
	const char *check;
	const char *fault; /* "F61", or NULL */
	enum diag_severity severity;
	struct diag_ref subject; /* the object to edit or repair */
	struct diag_ref related[DIAG_MAX_RELATED];
	size_t related_count;
	const char *message; /* one sentence */
	const char *impact;
	const char *docs; /* page below docs/checks/ */
	struct diag_position where;
	const char *discriminator; /* tells apart findings of one check on one subject */
	char fingerprint[17];

	struct diag_evidence *evidence;
	size_t evidence_count, evidence_capacity;
	struct diag_remedy *remedies;
	size_t remedy_count, remedy_capacity;

	/* Keys "type/…" of what this finding is about, and of what, if broken, would explain it. */
	const char **at;
	size_t at_count, at_capacity;
	const char **needs;
	size_t needs_count, needs_capacity;

	/* Filled by the cause graph. */
	struct diag_finding **explained_by;
	size_t explained_by_count, explained_by_capacity;
	size_t effect_count; /* findings explained, directly or through others */
	size_t damage;       /* worlds and workloads held back by it and its effects */
	bool root;
	enum diag_standing standing;
	const char *justification; /* of a suppression: why, and by whom; else NULL */
	bool lasting;              /* cannot become right by itself: somebody has to act */
	bool kept; /* by a filter: it concerns what was asked for, or explains what does */
	struct diag_findings *owner;
};

/* A state that may still become right by itself. */
struct diag_progress {
	struct diag_ref subject;
	const char *message;
};

struct diag_findings;

struct diag_findings *diag_findings_new(void);
void diag_findings_free(struct diag_findings *findings);

/** All findings; after diag_cause_graph() root causes come first, most damaging first. */
struct diag_finding *const *diag_findings_all(const struct diag_findings *findings,
					      size_t *ret_count);

/** Replace the order; `order` holds the same findings. Used by the cause graph. */
void diag_findings_reorder(struct diag_findings *findings, struct diag_finding *const *order);

/** States that are in progress. */
const struct diag_progress *diag_findings_progress(const struct diag_findings *findings,
						   size_t *ret_count);

/** Drop every finding for which `keep` is false (suppression, thresholds). */
void diag_findings_filter(struct diag_findings *findings,
			  bool (*keep)(const struct diag_finding *finding, const void *arg),
			  const void *arg);

/** Say that a finding does not count, and why; the text is copied. */
void diag_finding_accept(struct diag_finding *finding, enum diag_standing standing,
			 const char *justification);

/** Add a finding; checks use diag_check_find() instead. Strings are copied. */
struct diag_finding *diag_findings_add(struct diag_findings *findings, const char *check,
				       const char *fault, enum diag_severity severity,
				       struct diag_ref subject);

void diag_findings_add_progress(struct diag_findings *findings, struct diag_ref subject,
				const char *format, ...) DIAG_PRINTF(3, 4);

void diag_finding_message(struct diag_finding *finding, const char *format, ...) DIAG_PRINTF(2, 3);
void diag_finding_vmessage(struct diag_finding *finding, const char *format, va_list args)
	DIAG_PRINTF(2, 0);

/** Name an object on the path of evidence; duplicates and the subject are passed over, six are
 * kept. */
void diag_finding_related(struct diag_finding *finding, struct diag_ref ref);

/** Evidence: a field of an object, "status.phase", and its value as text. */
void diag_finding_field(struct diag_finding *finding, struct diag_ref object, const char *path,
			const char *format, ...) DIAG_PRINTF(4, 5);

/** Evidence: an event object (v1 or events.k8s.io). */
void diag_finding_event(struct diag_finding *finding, const json_t *event);

/** Evidence: one line of a container's log. */
void diag_finding_log(struct diag_finding *finding, struct diag_ref pod, const char *container,
		      const char *line, size_t length);

/** Evidence: a sentence of ours. */
void diag_finding_note(struct diag_finding *finding, const char *format, ...) DIAG_PRINTF(2, 3);

/** File and line; ignored when unknown or one is set already. */
void diag_finding_at_line(struct diag_finding *finding, struct diag_position where);

/** What tells it apart from others of the same check and subject; part of the fingerprint. */
void diag_finding_discriminate(struct diag_finding *finding, const char *text);

/* A word for diag_finding_command() that the shell makes new each time: "poke=$(date +%s)", not
 * quoted. */
extern const char diag_finding_new_poke[];

/** The next command: words are quoted for a POSIX shell where needed; ends with NULL. */
void diag_finding_command(struct diag_finding *finding, ...) __attribute__((sentinel));

/** The smallest edit that mends it, as a sentence. */
void diag_finding_edit(struct diag_finding *finding, const char *format, ...) DIAG_PRINTF(2, 3);

/**
 * Keys for the cause graph: `type/namespace/name`, e.g. ("workload", "game", "rt-arena-store").
 * `_at`: the finding is about it. `_needs`: a fault there would explain this finding.
 */
void diag_finding_at(struct diag_finding *finding, const char *type, const char *namespace_,
		     const char *name);
void diag_finding_needs(struct diag_finding *finding, const char *type, const char *namespace_,
			const char *name);

/** True when the finding is about that key. */
bool diag_finding_is_at(const struct diag_finding *finding, const char *type,
			const char *namespace_, const char *name);

DIAG_GUARD(diag_findings_auto, struct diag_findings *, diag_findings_free);
#define diag_findings_auto DIAG_CLEANUP(diag_findings_auto)
