#include "tests/support/recording-sink.h"

#include "base/limits.h"
#include "model/snapshot.h"
#include "text/json.h"
#include "text/yaml.h"

#include "tests/support/unit.h"

static struct recording_sink *of(struct diag_sink *sink)
{
	return (struct recording_sink *)sink; /* its first member */
}

static const char *or_dash(const char *text)
{
	return text ? text : "-";
}

static int page(struct diag_sink *sink, const struct diag_page *page, struct diag_error *err)
{
	json_auto_t *documents = NULL;
	const json_t *items;
	bool yaml = page->format == DIAG_PAGE_YAML;
	int r = yaml ? diag_yaml_load(page->bytes, page->length, NULL, page->file, 1, &documents,
				      err)
		     : diag_json_load(page->bytes, page->length, NULL, page->file, 1, &documents,
				      err);

	if (r < 0)
		return r;
	items = json_array_get(documents, 0);
	if (json_is_object(items))
		items = json_object_get(items, "items");
	diag_buf_printf(&of(sink)->lines, "page %s %s %s %s %zu\n", page->resource,
			or_dash(page->namespace_), page->file, yaml ? "yaml" : "json",
			json_array_size(items));
	return DIAG_OK;
}

static void log_text(struct diag_sink *sink, const struct diag_log *log)
{
	struct diag_buf *lines = &of(sink)->lines;

	diag_buf_printf(lines, "log %s %s %s %s %s ", log->namespace_, log->pod, log->container,
			log->previous ? "previous" : "current", log->truncated ? "cut" : "whole");
	for (size_t i = 0; i < DIAG_MIN(log->length, (size_t)40); i++)
		diag_buf_putc(lines, log->bytes[i] == '\n' ? '|' : log->bytes[i]);
	diag_buf_putc(lines, '\n');
}

static void state(struct diag_sink *sink, const char *resource, const char *namespace_,
		  enum diag_availability state, const char *reason)
{
	diag_buf_printf(&of(sink)->lines, "state %s %s %s: %s\n", resource, or_dash(namespace_),
			diag_availability_name(state), or_dash(reason));
}

static void problem(struct diag_sink *sink, const char *file, int line, const char *message)
{
	diag_buf_printf(&of(sink)->lines, "problem %s:%d: %s\n", file, line, message);
}

static void fact(struct diag_sink *sink, const char *name, const char *value)
{
	diag_buf_printf(&of(sink)->lines, "fact %s=%s\n", name, value);
}

static bool wants(const struct diag_sink *sink, const char *resource)
{
	const struct recording_sink *recording = (const struct recording_sink *)sink;
	const char *const *want = recording->wants;

	for (; want && *want; want++)
		if (strcmp(*want, resource) == 0)
			return true;
	return !want;
}

static const struct diag_sink_ops ops = {
	.page = page,
	.log = log_text,
	.state = state,
	.problem = problem,
	.fact = fact,
	.wants = wants,
};

void recording_sink_init(struct recording_sink *recording, const char *const *wants)
{
	*recording = (struct recording_sink){ .sink = { &ops }, .wants = wants };
	diag_buf_init(&recording->lines, 64 * DIAG_MIB);
}

void recording_sink_done(struct recording_sink *recording)
{
	diag_buf_done(&recording->lines);
}

/* The next line that begins with `start`, at or after `from`; NULL when there is none. */
static const char *next_line(const char *from, const char *start)
{
	while (*from) {
		const char *end = strchr(from, '\n');

		if (strncmp(from, start, strlen(start)) == 0)
			return from;
		from = end ? end + 1 : from + strlen(from);
	}
	return NULL;
}

size_t recording_sink_count(const struct recording_sink *recording, const char *start)
{
	const char *line = diag_buf_str(&recording->lines);
	size_t count = 0;

	while ((line = next_line(line, start))) {
		line += strlen(start);
		count++;
	}
	return count;
}

size_t recording_sink_at(const struct recording_sink *recording, const char *start)
{
	const char *all = diag_buf_str(&recording->lines);
	const char *line = next_line(all, start);

	if (!line)
		fail_msg("no line '%s' in\n%s", start, all);
	return (size_t)(line - all);
}

void recording_sink_has(const struct recording_sink *recording, const char *start)
{
	recording_sink_at(recording, start);
}

void recording_sink_lacks(const struct recording_sink *recording, const char *start)
{
	if (recording_sink_count(recording, start))
		fail_msg("line '%s' in\n%s", start, diag_buf_str(&recording->lines));
}
