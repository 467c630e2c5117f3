/* F119: an object that is being deleted is kept by a finalizer. */
#include "base/str.h"
#include "base/timestamp.h"
#include "text/json.h"

#include "checks/support.h"

static const char *const kinds[] = {
	"worldinstances.bindery.platform",     "worldshards.bindery.platform",
	"capabilitybindings.bindery.platform", "booklets.bindery.platform",
	"modulemanifests.bindery.platform",    "realms.bindery.platform",
	"worldstorageclaims.bindery.platform",
};

/* Kubernetes' own finalizers take their time; any other should be gone within seconds. */
static bool may_still_go(const struct diag_check_ctx *ctx, const char *finalizer, int64_t since)
{
	bool own = diag_str_in(finalizer, "foregroundDeletion", "orphan",
			       "kubernetes.io/pvc-protection", NULL);

	return diag_check_age(ctx, since) <
	       DIAG_MIN(ctx->grace_ms, (own ? 30 : 10) * DIAG_SECOND_MS);
}

static void report(const struct diag_check_ctx *ctx, const json_t *object, const char *finalizer)
{
	struct diag_ref ref = diag_ref_of(object);
	const char *since = diag_json_str(object, "metadata", "deletionTimestamp");
	struct diag_finding *finding = diag_check_find(
		ctx, ref, "%s %s is being deleted since %s, kept by the finalizer %s", ref.kind,
		ref.name, since ? since : "some time", finalizer);

	diag_finding_at(finding, "namespace", NULL, ref.namespace_);
	if (diag_str_eq(ref.kind, "WorldInstance"))
		diag_finding_at(finding, "world", ref.namespace_, ref.name);
	diag_finding_field(finding, ref, "metadata.finalizers", "%s", finalizer);
	diag_finding_edit(finding,
			  "find out who should remove %s and why it does not; no controller of "
			  "Bindery uses finalizers",
			  finalizer);
	diag_finding_command(finding, "kubectl", "-n", ref.namespace_, "get", ref.kind, ref.name,
			     "-o", "yaml", NULL);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(kinds); i++) {
		const json_t *object;

		diag_snapshot_foreach(ctx->snapshot, kinds[i], object) {
			int64_t since = diag_time_parse(
				diag_json_str(object, "metadata", "deletionTimestamp"));
			const char *finalizer = json_string_value(json_array_get(
				diag_json_array(object, "metadata", "finalizers"), 0));

			if (!bindery_is_deleting(object) || !finalizer)
				continue;
			if (may_still_go(ctx, finalizer, since))
				diag_check_progress(ctx, diag_ref_of(object), "being deleted");
			else
				report(ctx, object, finalizer);
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(object_deletion_hangs) = {
	.id = "object.deletion-hangs",
	.title = "Objects that are deleted go away",
	.fault = "F119",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "The object stays Terminating, and nothing of that name can be made again.",
	.hint = "Mend or replace the owner of the finalizer.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.enriches = DIAG_RESOURCES("worldshards.bindery.platform",
				   "capabilitybindings.bindery.platform",
				   "booklets.bindery.platform", "modulemanifests.bindery.platform",
				   "realms.bindery.platform",
				   "worldstorageclaims.bindery.platform"),
	.run = run,
};
