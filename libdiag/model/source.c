#include "model/source.h"

int diag_source_load(struct diag_source *source, struct diag_sink *sink, struct diag_error *err)
{
	return source->ops->load(source, sink, err);
}

int diag_source_logs(struct diag_source *source, const struct diag_snapshot *snapshot,
		     struct diag_sink *sink, struct diag_error *err)
{
	return source->ops->logs ? source->ops->logs(source, snapshot, sink, err) : DIAG_OK;
}

void diag_source_close(struct diag_source *source)
{
	if (source)
		source->ops->close(source);
}
