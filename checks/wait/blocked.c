#include "checks/wait/blocked.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "model/condition.h"
#include "text/json.h"

static const char *wait_script(const json_t *pod)
{
	const json_t *container;
	size_t i;

	json_array_foreach(diag_json_array(pod, "spec", "initContainers"), i, container) {
		const json_t *command = diag_json_array(container, "command");

		if (diag_str_eq(diag_json_str(container, "name"), "wait-for-deps"))
			return json_string_value(
				json_array_get(command, json_array_size(command) - 1));
	}
	return NULL;
}

/* Split "SERVICE:PORT" of `length` bytes. */
static bool parse_target(const char *text, size_t length, struct blocked_pod *blocked)
{
	const char *colon = memrchr(text, ':', length);
	size_t name = colon ? (size_t)(colon - text) : 0;

	if (!name || name >= sizeof(blocked->service))
		return false;
	memcpy(blocked->service, text, name);
	blocked->service[name] = '\0';
	blocked->port = strtol(colon + 1, NULL, 10);
	return blocked->port > 0;
}

/* The target that the log's last line names. */
static bool target_from_log(const struct diag_check_ctx *ctx, const json_t *pod,
			    struct blocked_pod *blocked)
{
	static const char prefix[] = "waiting for ";
	struct diag_ref ref = diag_ref_of(pod);
	size_t length;
	const char *line = last_line(
		diag_snapshot_log(ctx->snapshot, ref.namespace_, ref.name, "wait-for-deps", false),
		&length);

	if (!line || length <= sizeof(prefix) - 1 || memcmp(line, prefix, sizeof(prefix) - 1) != 0)
		return false;
	return parse_target(line + sizeof(prefix) - 1, length - (sizeof(prefix) - 1), blocked);
}

static const json_t *service_of(const struct diag_check_ctx *ctx, const char *namespace_,
				const char *name)
{
	return diag_snapshot_get(ctx->snapshot, "services", namespace_, name);
}

static bool is_open(const struct diag_check_ctx *ctx, const char *namespace_,
		    const struct blocked_pod *blocked)
{
	return service_of(ctx, namespace_, blocked->service) &&
	       diag_workloads_backends(view_of(ctx)->workloads, namespace_, blocked->service)
			       .ready > 0;
}

/* Without a log: the first target of "for target in A:1 B:2; do" that has nothing ready. */
static bool target_from_script(const struct diag_check_ctx *ctx, const json_t *pod,
			       struct blocked_pod *blocked)
{
	const char *script = wait_script(pod);
	const char *at = script ? strstr(script, "for target in ") : NULL;

	if (!at)
		return false;
	at += strlen("for target in ");
	while (*at && *at != ';') {
		size_t length = strcspn(at, " ;");

		if (length && parse_target(at, length, blocked) &&
		    !is_open(ctx, diag_ref_of(pod).namespace_, blocked))
			return true;
		at += length + strspn(at + length, " ");
	}
	return false;
}

/* A provider that has just become ready was not seen by the last line yet. */
static bool provider_is_young(const struct diag_check_ctx *ctx, const struct blocked_pod *blocked)
{
	const struct bindery_runtime *provider =
		blocked->target ? bindery_view_runtime(view_of(ctx), blocked->target->namespace_,
						       blocked->target->name)
				: NULL;

	for (size_t i = 0; provider && i < provider->real->pod_count; i++) {
		const json_t *ready = diag_condition(provider->real->pods[i], "Ready");
		int64_t since = diag_condition_time(ready);

		if (diag_check_is_young(ctx, since))
			return true;
	}
	return false;
}

static bool judge(const struct diag_check_ctx *ctx, struct blocked_pod *blocked)
{
	const char *namespace_ = blocked->found.runtime->namespace_;
	const json_t *service = service_of(ctx, namespace_, blocked->service);
	const json_t *ports = diag_json_array(service, "spec", "ports");

	blocked->service_port = diag_json_int(json_array_get(ports, 0), 0, "port");
	if (!service)
		blocked->by = BLOCKED_SERVICE_MISSING;
	else if (blocked->service_port && blocked->service_port != blocked->port)
		blocked->by = BLOCKED_OTHER_PORT;
	else if (!is_open(ctx, namespace_, blocked))
		blocked->by = BLOCKED_NOT_READY;
	else if (provider_is_young(ctx, blocked))
		return false;
	else
		blocked->by = BLOCKED_NOT_ANSWERING;
	return true;
}

bool find_blocked_pod(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		      struct blocked_pod *ret_blocked)
{
	struct blocked_pod *blocked = ret_blocked;
	const struct bindery_prediction *p;

	*blocked = (struct blocked_pod){ 0 };
	if (!find_troubled_pod(ctx, runtime, DIAG_POD_INIT, &blocked->found) ||
	    !is_wait_container(&blocked->found.state))
		return false;
	if (!target_from_log(ctx, blocked->found.pod, blocked) &&
	    !target_from_script(ctx, blocked->found.pod, blocked))
		return false;
	p = bindery_view_prediction(view_of(ctx), runtime->namespace_);
	blocked->target = p ? bindery_prediction_service(p, blocked->service) : NULL;
	return judge(ctx, blocked);
}

void each_blocked_pod(const struct diag_check_ctx *ctx, enum blocked_by by,
		      void (*report)(const struct diag_check_ctx *ctx,
				     const struct blocked_pod *blocked))
{
	const struct bindery_runtime *runtime;
	struct blocked_pod blocked;

	foreach_runtime(ctx, runtime)
		if (find_blocked_pod(ctx, runtime, &blocked) && blocked.by == by)
			report(ctx, &blocked);
}

void finding_about_blocked(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			   const struct blocked_pod *blocked)
{
	const char *namespace_ = blocked->found.runtime->namespace_;
	struct diag_ref pod = diag_ref_of(blocked->found.pod);
	size_t length;
	const char *line = last_line(
		diag_snapshot_log(ctx->snapshot, namespace_, pod.name, "wait-for-deps", false),
		&length);

	finding_about_pod(finding, &blocked->found);
	diag_finding_related(finding, diag_ref_make("Service", namespace_, blocked->service));
	diag_finding_needs(finding, "service", namespace_, blocked->service);
	if (blocked->target)
		diag_finding_needs(finding, "workload", namespace_, blocked->target->name);
	if (line)
		diag_finding_log(finding, pod, "wait-for-deps", line,
				 DIAG_MIN(length, (size_t)300));
}
