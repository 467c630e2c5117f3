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

/**
 * Name of an environment variable as every release takes it: letters, digits, `-_.`, no digit first, not
 * `.` and not beginning with `..`.
 */
bool diag_k8s_is_env_name(const char *text);

/**
 * The same since Kubernetes 1.32 (RelaxedEnvironmentVariableValidation): printable ASCII without `=`. What
 * fails here is refused by every release.
 */
bool diag_k8s_is_env_name_relaxed(const char *text);

/**
 * Semantic version X.Y.Z[-pre][+meta] as the pattern of the Bindery CRDs checks it. Laxer than the
 * resolver: `1.0.0-01` and numbers over 64 bits pass here, and diag_semver_parse() refuses them (F20).
 */
bool diag_k8s_is_strict_version(const char *text);
