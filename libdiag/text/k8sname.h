/* Which texts Kubernetes takes as names and label values. Source: k8s.io/apimachinery validation,
 * RFC 1035, RFC 1123. */
#pragma once

#include <stdbool.h>

/** DNS-1123 subdomain, at most 253: names of most objects. */
bool diag_k8s_is_subdomain(const char *text);

/** DNS-1123 label, at most 63: container names. */
bool diag_k8s_is_label(const char *text);

/** DNS-1035 label, at most 63, starting with a letter: Service names. */
bool diag_k8s_is_service_name(const char *text);

/** Label value: empty, or at most 63 of letters, digits, `-_.` with letters or digits at both ends.
 */
bool diag_k8s_is_label_value(const char *text);

/** Strict semantic version X.Y.Z[-pre][+meta] as the Bindery CRDs check it. */
bool diag_k8s_is_strict_version(const char *text);
