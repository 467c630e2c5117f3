/* Autoscalers and the worlds they write. */
#pragma once

#include "checks/support.h"

/* "namespace/world" -> the first, and the second if there is one, in the snapshot's order. */
struct autoscalers {
	struct diag_map *first, *second;
};

/** Sort out all autoscalers of the subject namespaces, in one pass; free with autoscalers_done().
 */
struct autoscalers autoscalers_of(const struct diag_check_ctx *ctx);
void autoscalers_done(struct autoscalers *autoscalers);

/** The world that it names, in its own namespace; NULL when it names none. */
const char *autoscaler_world(const json_t *autoscaler);

/** The first autoscaler of the world that this one names (perhaps itself); NULL without world. */
const json_t *autoscaler_first(const struct autoscalers *autoscalers, const json_t *autoscaler);

/** True when another autoscaler writes the same world. */
bool autoscaler_has_rival(const struct autoscalers *autoscalers, const json_t *autoscaler);

/** The WorldInstance that it names, or NULL. */
const json_t *autoscaler_target(const struct diag_check_ctx *ctx, const json_t *autoscaler);

/** The finding is about the autoscaler's world. */
void finding_about_target(struct diag_finding *finding, const json_t *autoscaler);
