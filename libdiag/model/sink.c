#include "model/sink.h"

int diag_sink_page(struct diag_sink *sink, const struct diag_page *page, struct diag_error *err)
{
	return sink->ops->page(sink, page, err);
}

void diag_sink_log(struct diag_sink *sink, const struct diag_log *log)
{
	sink->ops->log(sink, log);
}

void diag_sink_state(struct diag_sink *sink, const char *resource, const char *namespace_,
		     enum diag_availability state, const char *reason)
{
	sink->ops->state(sink, resource, namespace_, state, reason);
}

void diag_sink_problem(struct diag_sink *sink, const char *file, int line, const char *message)
{
	sink->ops->problem(sink, file, line, message);
}

void diag_sink_fact(struct diag_sink *sink, const char *name, const char *value)
{
	sink->ops->fact(sink, name, value);
}

bool diag_sink_wants(const struct diag_sink *sink, const char *resource)
{
	return sink->ops->wants(sink, resource);
}
