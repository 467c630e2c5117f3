#include "checks/autoscaler/autoscalers.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/str.h"
#include "text/json.h"

const char *autoscaler_world(const json_t *autoscaler)
{
	const char *name = diag_json_str(autoscaler, "spec", "worldRef", "name");

	return diag_str_empty(name) ? NULL : name;
}

/* Worlds of one name in two namespaces are two worlds. */
static void *look_up(const struct diag_map *map, const json_t *autoscaler)
{
	struct diag_buf key diag_buf_auto = { 0 };

	if (!autoscaler_world(autoscaler))
		return NULL;
	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	diag_buf_printf(&key, "%s/%s", diag_ref_of(autoscaler).namespace_,
			autoscaler_world(autoscaler));
	return diag_map_get(map, diag_buf_str(&key));
}

static void insert(struct diag_map *map, json_t *autoscaler)
{
	struct diag_buf key diag_buf_auto = { 0 };

	diag_buf_init(&key, DIAG_MAX_MESSAGE);
	diag_buf_printf(&key, "%s/%s", diag_ref_of(autoscaler).namespace_,
			autoscaler_world(autoscaler));
	diag_map_set(map, diag_buf_str(&key), autoscaler);
}

struct autoscalers autoscalers_of(const struct diag_check_ctx *ctx)
{
	struct autoscalers all = { diag_map_new(), diag_map_new() };
	json_t *autoscaler;
	size_t i;

	json_array_foreach(
		diag_snapshot_subjects(ctx->snapshot, "shardautoscalers.bindery.platform"), i,
		autoscaler) {
		if (!autoscaler_world(autoscaler))
			continue;
		if (!look_up(all.first, autoscaler))
			insert(all.first, autoscaler);
		else if (!look_up(all.second, autoscaler))
			insert(all.second, autoscaler);
	}
	return all;
}

void autoscalers_done(struct autoscalers *autoscalers)
{
	diag_map_free(autoscalers->first);
	diag_map_free(autoscalers->second);
}

const json_t *autoscaler_first(const struct autoscalers *autoscalers, const json_t *autoscaler)
{
	return look_up(autoscalers->first, autoscaler);
}

bool autoscaler_has_rival(const struct autoscalers *autoscalers, const json_t *autoscaler)
{
	return look_up(autoscalers->second, autoscaler) != NULL;
}

const json_t *autoscaler_target(const struct diag_check_ctx *ctx, const json_t *autoscaler)
{
	return diag_snapshot_get(ctx->snapshot, "worldinstances.bindery.platform",
				 diag_ref_of(autoscaler).namespace_, autoscaler_world(autoscaler));
}

void finding_about_target(struct diag_finding *finding, const json_t *autoscaler)
{
	const char *namespace_ = diag_ref_of(autoscaler).namespace_;
	const char *world = autoscaler_world(autoscaler);

	if (!world)
		return;
	diag_finding_at(finding, "world", namespace_, world);
	diag_finding_related(finding, diag_ref_make("WorldInstance", namespace_, world));
}
