#include "cli/changes.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/timestamp.h"
#include "report/report.h"

/* The lines of one run: "fingerprint severity root" -> the line of `-o short`. */
struct lines {
	struct diag_arena *arena;
	struct diag_map *map;
};

struct diag_changes {
	struct lines before;
	bool started, incomplete;
};

/* A change from `old` to `new`, one sign at a time. */
struct comparing {
	const struct lines *other;
	const char *sign;
	const char *time;
	struct diag_buf *out;
	bool any;
};

static void lines_done(struct lines *lines)
{
	diag_map_free(lines->map);
	diag_arena_free(lines->arena);
	*lines = (struct lines){ 0 };
}

struct diag_changes *diag_changes_new(void)
{
	struct diag_changes *changes = diag_xcalloc(1, sizeof(*changes));

	changes->before = (struct lines){ diag_arena_new(), diag_map_new() };
	return changes;
}

void diag_changes_free(struct diag_changes *changes)
{
	if (!changes)
		return;
	lines_done(&changes->before);
	free(changes);
}

static void add_line(struct lines *lines, const struct diag_snapshot *snapshot,
		     const struct diag_finding *finding)
{
	struct diag_buf line diag_buf_auto = { 0 };
	diag_autofree char *masked = NULL;

	diag_buf_init(&line, DIAG_MAX_REPORT);
	diag_render_short_line(finding, &line);
	masked = diag_snapshot_redact(snapshot, diag_buf_str(&line));
	diag_map_set(lines->map,
		     diag_arena_printf(lines->arena, "%s %d %d", finding->fingerprint,
				       (int)finding->severity, finding->root),
		     diag_arena_strdup(lines->arena, masked));
}

static struct lines lines_of(const struct diag_snapshot *snapshot, const struct diag_run *run,
			     enum diag_severity show)
{
	struct lines lines = { diag_arena_new(), diag_map_new() };
	size_t count;
	struct diag_finding *const *findings = diag_findings_all(diag_run_findings(run), &count);

	for (size_t i = 0; i < count; i++)
		if (findings[i]->severity >= show)
			add_line(&lines, snapshot, findings[i]);
	return lines;
}

static void compare(const char *key, void *value, void *arg)
{
	struct comparing *comparing = arg;

	if (diag_map_get(comparing->other->map, key))
		return;
	diag_buf_printf(comparing->out, "%s %s %s", comparing->time, comparing->sign,
			(const char *)value);
	comparing->any = true;
}

static bool add_changes(const struct lines *these, const struct lines *other, const char *sign,
			const char *time, struct diag_buf *out)
{
	struct comparing comparing = { other, sign, time, out, false };

	diag_map_each(these->map, compare, &comparing);
	return comparing.any;
}

bool diag_changes_next(struct diag_changes *changes, const struct diag_snapshot *snapshot,
		       const struct diag_run *run, enum diag_severity show, struct diag_buf *out)
{
	struct lines now = lines_of(snapshot, run, show);
	bool incomplete = diag_run_is_incomplete(run);
	char time[32];
	bool any;

	diag_time_format(diag_snapshot_time(snapshot), time, sizeof(time));
	any = add_changes(&changes->before, &now, "-", time, out);
	any |= add_changes(&now, &changes->before, "+", time, out);
	if (!diag_map_count(now.map) &&
	    (any || !changes->started || incomplete != changes->incomplete)) {
		diag_buf_printf(out, "%s = no problems found%s\n", time,
				incomplete ? " in what could be read" : "");
		any = true;
	}
	lines_done(&changes->before);
	changes->before = now;
	changes->started = true;
	changes->incomplete = incomplete;
	return any;
}
