/* The cause graph on small graphs: chains, circles, several causes, order by damage. */
#include "check/cause.h"

#include "tests/support/unit.h"

static const struct diag_cause_rule rules[] = {
	{ "pod.*", "wait.*", "workload" },
	{ "wait.*", "wait.*", "workload" },
	{ "wait.*", "workload.down", "workload" },
	{ NULL, NULL, NULL },
};

static struct diag_finding *add(struct diag_findings *findings, const char *check, const char *name,
				enum diag_severity severity, const char *at, const char *needs)
{
	struct diag_finding *finding = diag_findings_add(findings, check, NULL, severity,
							 diag_ref_make("Deployment", "game", name));

	if (at)
		diag_finding_at(finding, "workload", "game", at);
	if (needs)
		diag_finding_needs(finding, "workload", "game", needs);
	return finding;
}

static struct diag_finding *const *link_all(struct diag_findings *findings, size_t *count)
{
	diag_cause_graph(findings, rules);
	return diag_findings_all(findings, count);
}

/* One crash behind a chain of waits is one root cause. */
TEST(chain)
{
	diag_findings_auto struct diag_findings *findings = diag_findings_new();
	struct diag_finding *const *all;
	size_t count;

	add(findings, "wait.dependency", "b", DIAG_SEVERITY_ERROR, "b", "a");
	add(findings, "wait.dependency", "c", DIAG_SEVERITY_ERROR, "c", "b");
	add(findings, "workload.down", "c", DIAG_SEVERITY_ERROR, NULL, "c");
	add(findings, "pod.crash", "a", DIAG_SEVERITY_ERROR, "a", NULL);
	all = link_all(findings, &count);
	assert_int_equal(count, 4);
	assert_string_equal(all[0]->check, "pod.crash");
	assert_string_equal(all[0]->id, "f1");
	assert_true(all[0]->root);
	assert_int_equal(all[0]->effect_count, 3);
	assert_int_equal(all[0]->damage, 3);
	for (size_t i = 1; i < count; i++) {
		assert_false(all[i]->root);
		assert_true(all[i]->explained_by_count > 0);
	}
}

/* A circle without an outside cause still has a root, and everything reaches it. */
TEST(circle)
{
	diag_findings_auto struct diag_findings *findings = diag_findings_new();
	struct diag_finding *const *all;
	size_t count;

	add(findings, "wait.dependency", "a", DIAG_SEVERITY_WARNING, "a", "b");
	add(findings, "wait.dependency", "b", DIAG_SEVERITY_ERROR, "b", "a");
	all = link_all(findings, &count);
	assert_true(all[0]->root);
	assert_int_equal(all[0]->severity, DIAG_SEVERITY_ERROR);
	assert_int_equal(all[0]->explained_by_count, 0);
	assert_false(all[1]->root);
	assert_ptr_equal(all[1]->explained_by[0], all[0]);
}

/* No rule, no edge: the same key alone explains nothing. */
TEST(independent)
{
	diag_findings_auto struct diag_findings *findings = diag_findings_new();
	struct diag_finding *const *all;
	size_t count;

	add(findings, "workload.down", "b", DIAG_SEVERITY_ERROR, "b", NULL);
	add(findings, "pod.crash", "a", DIAG_SEVERITY_ERROR, "a", "b");
	all = link_all(findings, &count);
	assert_true(all[0]->root);
	assert_true(all[1]->root);
}

/* Severity first, then how much it holds back. */
TEST(order)
{
	diag_findings_auto struct diag_findings *findings = diag_findings_new();
	struct diag_finding *const *all;
	struct diag_finding *wide;
	size_t count;

	add(findings, "pod.small", "a", DIAG_SEVERITY_ERROR, "a", NULL);
	add(findings, "pod.warning", "w", DIAG_SEVERITY_WARNING, "w", NULL);
	wide = add(findings, "pod.wide", "b", DIAG_SEVERITY_ERROR, "b", NULL);
	diag_finding_at(wide, "workload", "game", "c");
	all = link_all(findings, &count);
	assert_string_equal(all[0]->check, "pod.wide");
	assert_string_equal(all[1]->check, "pod.small");
	assert_string_equal(all[2]->check, "pod.warning");
}

TEST(fingerprints)
{
	diag_findings_auto struct diag_findings *findings = diag_findings_new();
	struct diag_finding *a = add(findings, "pod.x", "a", DIAG_SEVERITY_ERROR, NULL, NULL);
	struct diag_finding *b = add(findings, "pod.x", "a", DIAG_SEVERITY_WARNING, NULL, NULL);
	struct diag_finding *c = add(findings, "pod.x", "c", DIAG_SEVERITY_ERROR, NULL, NULL);

	diag_finding_message(a, "one wording");
	diag_finding_message(b, "another");
	assert_string_equal(a->fingerprint, b->fingerprint);
	assert_string_not_equal(a->fingerprint, c->fingerprint);
	diag_finding_discriminate(b, "second container");
	assert_string_not_equal(a->fingerprint, b->fingerprint);
}

TEST(commands_are_quoted)
{
	char foreign[64];
	diag_findings_auto struct diag_findings *findings = diag_findings_new();
	struct diag_finding *f = add(findings, "pod.x", "a", DIAG_SEVERITY_ERROR, NULL, NULL);

	diag_finding_command(f, "kubectl", "-n", "game", "get", "a b;rm", "it's", "", NULL);
	assert_string_equal(f->remedies[0].text, "kubectl -n game get 'a b;rm' 'it'\\''s' ''");
	snprintf(foreign, sizeof(foreign), "%s", diag_finding_new_poke);
	/* Only our own constant passes as it is, never a text that looks like it. */
	diag_finding_command(f, "annotate", diag_finding_new_poke, NULL);
	diag_finding_command(f, "annotate", foreign, NULL);
	assert_string_equal(f->remedies[1].text, "annotate poke=$(date +%s)");
	assert_string_equal(f->remedies[2].text, "annotate 'poke=$(date +%s)'");
}

RUN_TESTS("cause", T(chain), T(circle), T(independent), T(order), T(fingerprints),
	  T(commands_are_quoted))
