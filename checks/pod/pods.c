#include "checks/pod/pods.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "model/event.h"
#include "text/json.h"

#include "checks/pod/exit-code.h"

bool is_wait_container(const struct diag_pod_state *state)
{
	return state->init && diag_str_eq(state->container, "wait-for-deps");
}

static bool is_young(const struct diag_check_ctx *ctx, const json_t *pod,
		     const struct diag_pod_state *state)
{
	return !state->repeated &&
	       (diag_check_is_young(ctx, diag_created_at(pod)) ||
		(state->trouble == DIAG_POD_CRASH && diag_check_is_young(ctx, state->since_ms)));
}

bool find_troubled_pod(const struct diag_check_ctx *ctx, const struct bindery_runtime *runtime,
		       enum diag_pod_trouble trouble, struct troubled_pod *ret_found)
{
	for (size_t i = 0; i < runtime->real->pod_count; i++) {
		const json_t *pod = runtime->real->pods[i];
		struct diag_pod_state state = diag_pod_state(pod);

		if (state.trouble != trouble)
			continue;
		if (is_young(ctx, pod, &state)) {
			diag_check_progress(ctx, diag_ref_of(pod), "%s",
					    state.reason ? state.reason : "starting");
			continue;
		}
		*ret_found = (struct troubled_pod){ runtime, pod, state };
		return true;
	}
	return false;
}

static const struct bindery_member *member_of(const struct troubled_pod *found)
{
	const struct bindery_workload *predicted = found->runtime->predicted;

	for (size_t i = 0; predicted && i < predicted->member_count; i++)
		if (predicted->strategy != BINDERY_GROUP_POD ||
		    diag_str_eq(predicted->members[i].module, found->state.container))
			return &predicted->members[i];
	return predicted && predicted->member_count ? &predicted->members[0] : NULL;
}

struct diag_ref workload_subject(const struct troubled_pod *found)
{
	const struct bindery_member *member = member_of(found);

	if (member)
		return bindery_ref_manifest(found->runtime->namespace_, member->module);
	return diag_ref_make("Deployment", found->runtime->namespace_, found->runtime->name);
}

const char *asked_image(const struct troubled_pod *found)
{
	const json_t *containers = diag_json_array(
		found->pod, "spec", found->state.init ? "initContainers" : "containers");
	const char *image =
		diag_json_str(diag_json_named(containers, found->state.container), "image");

	if (!image)
		image = found->state.image;
	return diag_str_empty(image) ? "(not told)" : image;
}

void finding_about_runtime(struct diag_finding *finding, const struct bindery_runtime *runtime)
{
	diag_finding_related(finding,
			     diag_ref_make("Deployment", runtime->namespace_, runtime->name));
	if (runtime->predicted)
		finding_about_workload(finding, runtime->predicted);
	else
		diag_finding_at(finding, "workload", runtime->namespace_, runtime->name);
}

void finding_about_pod(struct diag_finding *finding, const struct troubled_pod *found)
{
	const struct bindery_member *member = member_of(found);
	const char *node = diag_json_str(found->pod, "spec", "nodeName");

	finding_about_runtime(finding, found->runtime);
	diag_finding_related(finding, diag_ref_of(found->pod));
	if (found->state.container)
		diag_finding_discriminate(finding, found->state.container);
	if (member)
		diag_finding_related(
			finding, bindery_ref_manifest(found->runtime->namespace_, member->module));
	diag_finding_needs(finding, "group", found->runtime->namespace_, found->runtime->name);
	if (node)
		diag_finding_needs(finding, "node", NULL, node);
}

void finding_add_last_words(const struct diag_check_ctx *ctx, struct diag_finding *finding,
			    const struct troubled_pod *found)
{
	struct diag_ref pod = diag_ref_of(found->pod);
	size_t length = 0;
	const char *line = last_line(diag_snapshot_log(ctx->snapshot, pod.namespace_, pod.name,
						       found->state.container, true),
				     &length);

	diag_finding_field(finding, pod, "status.containerStatuses",
			   "container %s: exit code %" PRId64 "%s, %" PRId64 " restarts",
			   found->state.container, found->state.exit_code,
			   exit_code_meaning(&found->state), found->state.restarts);
	if (!line)
		line = last_line(diag_snapshot_log(ctx->snapshot, pod.namespace_, pod.name,
						   found->state.container, false),
				 &length);
	if (line)
		diag_finding_log(finding, pod, found->state.container, line,
				 DIAG_MIN(length, (size_t)1000));
}

void finding_roll_out(struct diag_finding *finding, const struct bindery_runtime *runtime)
{
	const struct bindery_workload *predicted = runtime->predicted;

	if (predicted && predicted->member_count && predicted->members[0].binding_count)
		finding_poke(finding, "capbind", runtime->namespace_,
			     predicted->members[0].bindings[0]->name);
}

const char *pull_refusal(const struct diag_check_ctx *ctx, const struct troubled_pod *found)
{
	static const char *const words[] = { "401 Unauthorized", "403 Forbidden",
					     "no basic auth credentials" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(words); i++) {
		const json_t *event;

		if (found->state.message && strstr(found->state.message, words[i]))
			return found->state.message;
		event = newest_event(ctx, diag_ref_of(found->pod), "Failed", words[i]);
		if (event)
			return diag_event_message(event);
	}
	return NULL;
}

const char *brief_message(const char *message, char *ret_text, size_t size)
{
	const char *last = message ? message : "";
	const char *colon;

	/* "a: b: c: d" nests causes: the last two parts say what went wrong. */
	while ((colon = strstr(last, ": ")) && strlen(last) > 120)
		last = colon + 2;
	snprintf(ret_text, size, "%s", last);
	return ret_text;
}

void each_troubled_pod(const struct diag_check_ctx *ctx, enum diag_pod_trouble trouble,
		       void (*report)(const struct diag_check_ctx *ctx,
				      const struct troubled_pod *found))
{
	const struct bindery_runtime *runtime;
	struct troubled_pod found;

	foreach_runtime(ctx, runtime)
		if (find_troubled_pod(ctx, runtime, trouble, &found))
			report(ctx, &found);
}
