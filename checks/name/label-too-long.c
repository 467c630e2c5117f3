/* F38: object names are used as label values, which have at most 63 characters. */
#include <string.h>

#include "base/str.h"

#include "checks/support.h"

/* Whose name the label carries. */
static struct diag_ref owner_of(const struct bindery_prediction *p,
				const struct bindery_refusal *refusal)
{
	const char *key = refusal->label + strlen(BINDERY_LABEL);

	if (strcmp(key, "world") == 0)
		return diag_ref_make("WorldInstance", p->namespace_, refusal->value);
	if (strcmp(key, "game") == 0)
		return diag_ref_make("Booklet", p->namespace_, refusal->value);
	if (strcmp(key, "realm") == 0)
		return diag_ref_make("Realm", p->namespace_, refusal->value);
	return diag_ref_make("ModuleManifest", p->namespace_, refusal->value);
}

static bool is_groups(const struct bindery_refusal *refusal)
{
	return strcmp(refusal->label, BINDERY_LABEL "coloc-group") == 0;
}

/* One name is one finding, however many objects it spoils. */
static bool was_reported(const struct bindery_prediction *p, const struct bindery_refusal *refusal)
{
	const struct bindery_refusal *other;

	for (other = p->refusals; other < refusal; other++)
		if (other->rule == refusal->rule && strcmp(other->label, refusal->label) == 0 &&
		    strcmp(other->value, refusal->value) == 0)
			return true;
	return false;
}

static const json_t *find(const struct diag_check_ctx *ctx, struct diag_ref ref)
{
	static const struct {
		const char *kind, *resource;
	} rows[] = {
		{ "WorldInstance", "worldinstances.bindery.platform" },
		{ "Booklet", "booklets.bindery.platform" },
		{ "Realm", "realms.bindery.platform" },
		{ "ModuleManifest", "modulemanifests.bindery.platform" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++)
		if (diag_str_eq(rows[i].kind, ref.kind))
			return diag_snapshot_get(ctx->snapshot, rows[i].resource, ref.namespace_,
						 ref.name);
	return NULL;
}

static void report(const struct diag_check_ctx *ctx, const struct bindery_prediction *p,
		   const struct bindery_refusal *refusal)
{
	struct diag_ref subject = owner_of(p, refusal);
	size_t spoiled = 0;
	struct diag_finding *finding = diag_check_find(
		ctx, subject,
		"the name of %s %.40s... has %zu characters; it is used as a label, which "
		"may have 63",
		subject.kind, subject.name, strlen(subject.name));

	for (size_t i = 0; i < p->refusal_count; i++) {
		const struct bindery_refusal *other = &p->refusals[i];

		if (other->rule != refusal->rule || strcmp(other->value, refusal->value) != 0)
			continue;
		spoiled++;
		if (other->world) {
			diag_finding_at(finding, "label", p->namespace_, other->world->name);
			if (spoiled == 1)
				finding_about_world(finding, other->world);
		}
		if (other->workload)
			diag_finding_at(finding, "workload", p->namespace_, other->workload->name);
	}
	diag_finding_field(finding, diag_ref_make(refusal->kind, p->namespace_, refusal->name),
			   refusal->label, "%s", refusal->value);
	finding_at_spec(ctx, finding, find(ctx, subject), NULL);
	diag_finding_edit(finding, "give the %s a name of at most 63 characters", subject.kind);
}

static int run(const struct diag_check_ctx *ctx, struct diag_error *err DIAG_UNUSED)
{
	const struct bindery_prediction *p;

	foreach_prediction(ctx, p) {
		for (size_t i = 0; i < p->refusal_count; i++) {
			const struct bindery_refusal *refusal = &p->refusals[i];

			if (refusal->rule == BINDERY_REFUSED_LABEL && !is_groups(refusal) &&
			    !was_reported(p, refusal))
				report(ctx, p, refusal);
		}
	}
	return DIAG_OK;
}

DIAG_CHECK(name_label_too_long) = {
	.id = "name.label-too-long",
	.title = "Names that become labels have at most 63 characters",
	.fault = "F38",
	.severity = DIAG_SEVERITY_ERROR,
	.impact = "Objects of that name's world or module are refused, without status or event.",
	.hint = "Shorten the name.",
	.requires = DIAG_RESOURCES("worldinstances.bindery.platform"),
	.enriches = DIAG_RESOURCES("booklets.bindery.platform", "modulemanifests.bindery.platform",
				   "realms.bindery.platform"),
	.run = run,
};
