/* Conditions as Kubernetes objects carry them in status.conditions. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/** The condition of a type, or NULL. Borrowed. */
const json_t *diag_condition(const json_t *object, const char *type);

/** True when the condition is there and its status is the given one ("True", "False"). */
bool diag_condition_is(const json_t *object, const char *type, const char *status);

/** lastTransitionTime of a condition (or NULL), milliseconds; DIAG_TIME_NONE when absent. */
int64_t diag_condition_time(const json_t *condition);

/** The reason of a condition, or NULL. */
const char *diag_condition_reason(const json_t *object, const char *type);
