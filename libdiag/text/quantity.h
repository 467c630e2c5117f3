/* Kubernetes quantities: "10Gi", "500m", "1e3". Source: apimachinery resource.ParseQuantity. */
#pragma once

#include <stdbool.h>

/** True when the API would take the text as a quantity. */
bool diag_quantity_is_valid(const char *text);
