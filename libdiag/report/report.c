#include "report/report.h"

#include "base/limits.h"
#include "base/str.h"
#include "report/renderers.h"

const struct diag_renderer diag_renderers[] = {
	{ "text", "for people: causes first, consequences folded", diag_render_text },
	{ "short", "one line a finding", diag_render_short },
	{ "json", "one document, docs/schema/findings.schema.json", diag_render_json },
	{ NULL, NULL, NULL },
};

const struct diag_renderer *diag_renderer_find(const struct diag_renderer *renderers,
					       const char *name)
{
	for (const struct diag_renderer *renderer = renderers; renderer->name; renderer++)
		if (diag_str_eq(renderer->name, name))
			return renderer;
	return NULL;
}

int diag_report_render(const struct diag_renderer *renderer, const struct diag_report *report,
		       char **ret_text, struct diag_error *err)
{
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, DIAG_MAX_REPORT);
	renderer->render(report, &out);
	if (diag_buf_failed(&out))
		return diag_error_set(err, DIAG_E_LIMIT,
				      "the report is larger than %zu bytes; narrow it with -n, "
				      "--only or --show",
				      (size_t)DIAG_MAX_REPORT);
	*ret_text = diag_snapshot_redact(report->snapshot, diag_buf_str(&out));
	return DIAG_OK;
}
