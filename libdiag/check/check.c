#include "check/check.h"

#include <stdarg.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/timestamp.h"
#include "model/resource.h"

bool diag_check_observes(const struct diag_check *check, const char **ret_resource)
{
	for (const char *const *resource = check->requires; resource && *resource; resource++) {
		const struct diag_resource *known = diag_resource_by_name(*resource);

		if (known && known->authored)
			continue;
		if (ret_resource)
			*ret_resource = *resource;
		return true;
	}
	return false;
}

bool diag_check_matches(const char *glob, const char *id, const char *fault)
{
	return diag_str_glob(glob, id) || (fault && diag_str_glob(glob, fault));
}

struct diag_finding *diag_check_find(const struct diag_check_ctx *ctx, struct diag_ref subject,
				     const char *format, ...)
{
	struct diag_finding *finding = diag_findings_add(
		ctx->out, ctx->check->id, ctx->check->fault, ctx->check->severity, subject);
	va_list args;

	va_start(args, format);
	diag_finding_vmessage(finding, format, args);
	va_end(args);
	finding->impact = ctx->check->impact;
	finding->docs = ctx->check->id;
	finding->lasting = ctx->check->lasting || !diag_check_observes(ctx->check, NULL);
	return finding;
}

void diag_check_skip(const struct diag_check_ctx *ctx, const char *reason)
{
	*ctx->ret_skip = reason;
}

void diag_check_progress(const struct diag_check_ctx *ctx, struct diag_ref subject,
			 const char *format, ...)
{
	diag_arena_auto struct diag_arena *arena = diag_arena_new();
	va_list args;

	va_start(args, format);
	diag_findings_add_progress(ctx->out, subject, "%s",
				   diag_arena_vprintf(arena, format, args));
	va_end(args);
}

int64_t diag_check_age(const struct diag_check_ctx *ctx, int64_t since_ms)
{
	int64_t now = diag_snapshot_time(ctx->snapshot);

	if (since_ms == DIAG_TIME_NONE || now == DIAG_TIME_NONE)
		return INT64_MAX;
	return now > since_ms ? now - since_ms : 0;
}

bool diag_check_is_young(const struct diag_check_ctx *ctx, int64_t since_ms)
{
	return diag_check_age(ctx, since_ms) < ctx->grace_ms;
}
