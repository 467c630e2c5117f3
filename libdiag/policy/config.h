/*
 * The configuration file of a tool that runs checks: what counts, what does not, and since when.
 * Its form is docs/schema/policy.schema.json; docs/policy.md is its manual.
 */
#pragma once

#include "base/error.h"
#include "check/runner.h"
#include "text/position.h"

/* Findings that are known and accepted for a while, by whom and why. */
struct diag_suppression {
	const char *check;       /* glob over check and fault ids */
	const char *object;      /* glob over "namespace/Kind/name", or NULL */
	const char *file;        /* glob over paths below the configuration's folder, or NULL */
	const char *fingerprint; /* or NULL */
	const char *reason, *owner;
	const char *expires; /* "YYYY-MM-DD", its last day */
	struct diag_ref
		from; /* the object whose annotation says so; kind NULL: the configuration */
	struct diag_position where;
	bool used;
};

struct diag_config {
	char *path;        /* of the file, as it was found or given */
	char *folder;      /* absolute, of the file */
	int show, fail_on; /* enum diag_severity, or -1 where the file is silent */
	int64_t grace_ms;  /* or -1 */
	const char **only; /* NULL-terminated, or NULL */
	const char **skip;
	struct diag_severity_rule *severities; /* the file's order */
	size_t severity_count;
	struct diag_suppression *suppressions;
	size_t suppression_count;
	struct diag_positions *positions;
	json_t *document;
};

/**
 * Read a configuration file; what it names is borrowed from `ret_config->document`.
 *
 * Returns DIAG_OK; NOT_FOUND; PARSE, INVALID or LIMIT with file, line, and what was meant instead.
 */
int diag_config_read(const char *path, struct diag_config **ret_config, struct diag_error *err);

/** A configuration that says nothing, for when there is no file. */
struct diag_config *diag_config_new(void);
void diag_config_free(struct diag_config *config);

/** The line on which a top-level key stands, 0 when the file does not have it. */
int diag_config_line(const struct diag_config *config, const char *key);

/** Whether a text is a day "YYYY-MM-DD" that the calendar has. */
bool diag_config_is_day(const char *day);

/** Whether a last day "YYYY-MM-DD" (UTC) is over at `now_ms`. */
bool diag_config_is_over(const char *last_day, int64_t now_ms);

DIAG_GUARD(diag_config_auto, struct diag_config *, diag_config_free);
#define diag_config_auto DIAG_CLEANUP(diag_config_auto)
