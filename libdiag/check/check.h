/*
 * Checks: pure functions of a snapshot, described by data. The runner reads the descriptor: what a
 * check needs, what it finds, under which names it is known.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "model/domain.h"
#include "model/finding.h"
#include "model/snapshot.h"

struct diag_check;

/* What a check is given. */
struct diag_check_ctx {
	const struct diag_check *check;
	const struct diag_snapshot *snapshot;
	const void *domain; /* what the check set's prepare() computed, shared by its checks */
	int64_t grace_ms;   /* younger states are in progress (--grace) */
	struct diag_findings *out;
	const char **ret_skip; /* set by diag_check_skip() */
};

struct diag_check {
	const char *id;    /* "area.name" */
	const char *title; /* what holds when the check passes, as a sentence without full stop */
	const char *fault; /* the reference's fault id, or NULL */
	enum diag_severity severity; /* of its findings, unless one says otherwise */
	const char *impact;          /* what the fault does to the game, one sentence */
	const char *hint;            /* what to do about it in general, one sentence */
	const char *const
		*requires; /* resources without which there is no verdict; NULL-terminated */
	const char *const *enriches; /* resources that only add evidence; NULL-terminated or NULL */
	bool supplementary; /* what it requires is often not allowed to be read: then it is skipped,
			     * and the run is no less complete */
	bool lasting; /* what it finds needs somebody to act, though it is seen in what was observed
		       * (diag_check_observes(); others are lasting anyway) */
	int (*run)(const struct diag_check_ctx *ctx, struct diag_error *err);
};

/* `const struct diag_check check_pod_image_pull` from DIAG_CHECK(pod_image_pull). */
#define DIAG_CHECK(name)    const struct diag_check check_##name
#define DIAG_RESOURCES(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Findings of check `cause` at a key of type `key` explain findings of `effect` that need that key.
 */
struct diag_cause_rule {
	const char *cause;  /* glob over check ids */
	const char *effect; /* glob over check ids */
	const char *key;    /* key type: "workload", "service", … (checks/causes.c lists them) */
};

/* Checks that belong together, and what they share. */
struct diag_check_set {
	const char *name; /* "bindery" */
	const struct diag_domain *domain;
	const struct diag_check *const *checks; /* NULL-terminated, sorted by id */
	const struct diag_cause_rule *rules;    /* ends with a NULL cause */
	const char *const *wants;               /* resources read beyond the checks' own */
	/* The version of the platform's operator as people name it, or NULL; borrowed from the
	 * snapshot. */
	const char *(*version)(const struct diag_snapshot *snapshot);
	void *(*prepare)(const struct diag_snapshot *snapshot);
	void (*release)(void *domain);
};

/**
 * Whether a check needs anything that controllers made: it judges what is, not only what was
 * written.
 *
 * @ret_resource the first such resource, when there is one; may be NULL
 */
bool diag_check_observes(const struct diag_check *check, const char **ret_resource);

/** Whether a glob, of an option or a policy, means a check: by its id or by its fault's, which may
 * be NULL. */
bool diag_check_matches(const char *glob, const char *id, const char *fault);

/** Add a finding with the check's fault and severity; the message is one sentence. */
struct diag_finding *diag_check_find(const struct diag_check_ctx *ctx, struct diag_ref subject,
				     const char *format, ...) DIAG_PRINTF(3, 4);

/** End the check without a verdict: what it is about is not visible. `reason` is a constant. */
void diag_check_skip(const struct diag_check_ctx *ctx, const char *reason);

/** Say that something is not right yet but may still become so by itself. */
void diag_check_progress(const struct diag_check_ctx *ctx, struct diag_ref subject,
			 const char *format, ...) DIAG_PRINTF(3, 4);

/**
 * How old something is at the snapshot's time, in milliseconds; never negative.
 *
 * @since_ms DIAG_TIME_NONE, or a snapshot without time, gives INT64_MAX: unknown age is no excuse
 */
int64_t diag_check_age(const struct diag_check_ctx *ctx, int64_t since_ms);

/** True while something that began then is within the grace. */
bool diag_check_is_young(const struct diag_check_ctx *ctx, int64_t since_ms);
