/* The scenario vectors of bindery-platform.md section 4.2: world `arena`, scope world,
 * multiplicity 1. */

#include "base/arena.h"
#include "bindery/resolver.h"

#include "tests/support/unit.h"

static struct diag_arena *arena;

/* A manifest from fragments of provides[] and requires[], with single quotes for double ones. */
static json_t *manifest(const char *name, const char *scope, const char *provides,
			const char *requires)
{
	char *text =
		diag_arena_printf(arena,
				  "{'metadata':{'name':'%s'},'spec':{'module':{'id':'x','version':"
				  "'0.9.0'},'provides':[%s],'requires':[%s],'scaling':{"
				  "'defaultScope':'%s'}}}",
				  name, provides, requires, scope);
	json_error_t error;
	json_t *value;

	for (char *p = text; *p; p++)
		if (*p == '\'')
			*p = '"';
	value = json_loads(text, 0, &error);
	if (!value)
		fail_msg("%s: %s", text, error.text);
	return value;
}

struct world {
	struct bindery_module modules[8];
	size_t count;
	struct bindery_resolution *resolution;
};

static void add(struct world *w, json_t *object, bool external)
{
	w->modules[w->count++] = (struct bindery_module){
		json_string_value(json_object_get(json_object_get(object, "metadata"), "name")),
		object, external
	};
}

static const char *provide(const char *version, const char *scope, const char *multiplicity)
{
	return diag_arena_printf(
		arena, "{'capabilityId':'a.b','version':'%s','scope':'%s','multiplicity':'%s'}",
		version, scope, multiplicity);
}

static const char *require(const char *constraint, const char *scope, const char *multiplicity)
{
	return diag_arena_printf(arena,
				 "{'capabilityId':'a.b','versionConstraint':'%s','scope':'%s',"
				 "'multiplicity':'%s','dependencyMode':'required'}",
				 constraint, scope, multiplicity);
}

/* All bindings as "consumer>provider version constraint", root bindings as "root:scope:provider".
 */
static const char *resolve(struct world *w)
{
	char *text = diag_arena_printf(arena, "%s", "");

	w->resolution = bindery_resolve(arena, "arena", w->modules, w->count);
	for (size_t i = 0; i < w->resolution->desired_count; i++) {
		const struct bindery_desired *d = &w->resolution->desired[i];

		if (d->requirement)
			text = diag_arena_printf(arena, "%s%s>%s %s %s; ", text, d->consumer,
						 d->provider, d->version, d->constraint);
		else
			text = diag_arena_printf(arena, "%sroot:%s:%s; ", text, d->scope,
						 d->provider);
	}
	return text;
}

static size_t unresolved(const struct world *w)
{
	size_t count = 0;

	for (size_t i = 0; i < w->resolution->requirement_count; i++)
		count += !w->resolution->requirements[i].resolved;
	return count;
}

static void done(struct world *w)
{
	bindery_resolution_done(w->resolution);
	for (size_t i = 0; i < w->count; i++)
		json_decref((json_t *)(uintptr_t)w->modules[i].manifest);
}

/* Rows with one consumer `c` and providers in scope world. */
static const struct {
	const char *p1, *p1_version, *p1_multiplicity;
	const char *p2, *p2_version, *p2_multiplicity;
	const char *constraint, *multiplicity;
	const char *result;
} rows[] = {
	{ "pa", "1.0.0", "1", "pb", "1.5.0", "1", ">=1.0.0 <2.0.0", "1",
	  "root:world:c; root:world:pa; c>pb 1.5.0 >=1.0.0 <2.0.0; " },
	{ "pb", "1.0.0", "1", "pa", "1.0.0+z", "1", "=1.0.0", "1",
	  "root:world:c; root:world:pb; c>pa 1.0.0+z =1.0.0; " },
	{ "p1", "1.0.0", "many", "p2", "1.1.0", "many", "^1", "many",
	  "root:world:c; c>p1 1.0.0 ^1; c>p2 1.1.0 ^1; " },
	{ "p1", "1.0.0", "1", NULL, NULL, NULL, "^1", "many", "root:world:c; root:world:p1; " },
	{ "p1", "1.0.0", "", NULL, NULL, NULL, "", "", "root:world:c; c>p1 1.0.0 *; " },
	{ "p1", "2.0.0-rc.1", "1", NULL, NULL, NULL, "*", "1", "root:world:c; root:world:p1; " },
	{ "p1", "1.0.0-01", "1", "p2", "0.9.0", "1", "*", "1",
	  "root:world:c; root:world:p1; c>p2 0.9.0 *; " },
};

static void test_rows(void **state DIAG_UNUSED)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct world w = { .count = 0 };

		add(&w,
		    manifest(rows[i].p1, "world",
			     provide(rows[i].p1_version, "world", rows[i].p1_multiplicity), ""),
		    false);
		if (rows[i].p2)
			add(&w,
			    manifest(rows[i].p2, "world",
				     provide(rows[i].p2_version, "world", rows[i].p2_multiplicity),
				     ""),
			    false);
		add(&w,
		    manifest("c", "world", "",
			     require(rows[i].constraint, "world", rows[i].multiplicity)),
		    false);
		assert_string_equal(resolve(&w), rows[i].result);
		done(&w);
	}
}

static void test_scope_is_equality(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };

	add(&w, manifest("p1", "realm", provide("1.0.0", "realm", "1"), ""), false);
	add(&w, manifest("c", "world", "", require("*", "world", "1")), false);
	resolve(&w);
	assert_int_equal(unresolved(&w), 1);
	assert_int_equal(w.resolution->requirements[0].candidates[0].miss, BINDERY_MISS_SCOPE);
	done(&w);
}

/* A module may be bound to itself, and has no root binding then. */
static void test_self(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };

	add(&w, manifest("a", "world", provide("1.0.0", "world", "1"), require("^1", "world", "1")),
	    false);
	assert_string_equal(resolve(&w), "a>a 1.0.0 ^1; ");
	done(&w);
}

/* Two that need each other leave no root at all. */
static void test_mutual(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };

	add(&w,
	    manifest(
		    "a", "world",
		    "{'capabilityId':'c.a','version':'1.0.0','scope':'world','multiplicity':'1'}",
		    "{'capabilityId':'c.b','versionConstraint':'^1','scope':'world','multiplicity':'1','dependencyMode':'required'}"),
	    false);
	add(&w,
	    manifest(
		    "b", "world",
		    "{'capabilityId':'c.b','version':'1.0.0','scope':'world','multiplicity':'1'}",
		    "{'capabilityId':'c.a','versionConstraint':'^1','scope':'world','multiplicity':'1','dependencyMode':'required'}"),
	    false);
	assert_string_equal(resolve(&w), "a>b 1.0.0 ^1; b>a 1.0.0 ^1; ");
	done(&w);
}

/* Nobody provides: the consumer still gets its root binding (Q5). */
static void test_none(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };

	add(&w, manifest("c", "world", "", require("^1", "world", "1")), false);
	assert_string_equal(resolve(&w), "root:world:c; ");
	assert_int_equal(unresolved(&w), 1);
	done(&w);
}

static void test_roots_by_scope(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };

	add(&w, manifest("bots", "world", "", ""), false);
	add(&w, manifest("gateway", "world", "", ""), false);
	add(&w, manifest("shardy", "world-shard", "", ""), false);
	add(&w, manifest("noscope", "", "", ""), false);
	assert_string_equal(resolve(&w), "root:world:bots; root:world:gateway; root:world:noscope; "
					 "root:world-shard:shardy; ");
	done(&w);
}

/* A realm module provides, is never a root, and its own requirements are never looked at. */
static void test_external(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };

	add(&w, manifest("game", "world", "", require("*", "realm", "1")), false);
	add(&w,
	    manifest(
		    "chat", "realm", provide("1.0.0", "realm", "1"),
		    "{'capabilityId':'no.body','versionConstraint':'^1','scope':'world','multiplicity':'1','dependencyMode':'required'}"),
	    true);
	assert_string_equal(resolve(&w), "root:world:game; game>chat 1.0.0 *; ");
	assert_int_equal(unresolved(&w), 0);
	done(&w);
}

/* What a hostile or broken manifest may hold. */
static void test_wrong_types(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };

	add(&w,
	    manifest("a", "world", "1,'x',null,[],{'capabilityId':7,'version':[],'scope':{}}",
		     "1,'x',null,[],{'capabilityId':7,'versionConstraint':{},'scope':[]}"),
	    false);
	resolve(&w);
	assert_int_equal(w.resolution->provided_count, 5);
	assert_int_equal(w.resolution->requirement_count, 5);
	done(&w);
}

/* Every provider of the capability is told, with the first test that it fails. */
static void test_candidates(void **state DIAG_UNUSED)
{
	static const struct {
		const char *name, *version, *scope, *multiplicity;
		enum bindery_miss miss;
	} providers[] = {
		{ "p0", "1.0.0-01", "realm", "1", BINDERY_MISS_UNPARSABLE },
		{ "p1", "1.0.0", "realm", "1", BINDERY_MISS_SCOPE },
		{ "p2", "9.0.0", "world", "1", BINDERY_MISS_MULTIPLICITY },
		{ "p3", "9.0.0", "world", "many", BINDERY_MISS_VERSION },
		{ "p4", "1.5.0-rc.1", "world", "many", BINDERY_MISS_PRERELEASE },
		{ "p5", " 1.4.0 ", "world", "many", BINDERY_FITS },
	};
	const struct bindery_requirement *requirement;
	struct world w = { .count = 0 };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(providers); i++)
		add(&w,
		    manifest(providers[i].name, "world",
			     provide(providers[i].version, providers[i].scope,
				     providers[i].multiplicity),
			     ""),
		    i % 2);
	add(&w,
	    manifest("c", "world",
		     "{'capabilityId':'x.y','version':'1.0.0','scope':'world','multiplicity':'1'}",
		     require("^1", "world", "many")),
	    false);
	resolve(&w);
	requirement = w.resolution->requirements;
	assert_int_equal(requirement->candidate_count, DIAG_ARRAY_SIZE(providers));
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(providers); i++) {
		assert_string_equal(requirement->candidates[i].provided->module->name,
				    providers[i].name);
		assert_int_equal(requirement->candidates[i].miss, providers[i].miss);
		assert_int_equal(requirement->candidates[i].provided->index, 0);
	}
	assert_true(requirement->resolved);
	assert_string_equal(w.resolution->desired[w.resolution->desired_count - 1].version,
			    "1.4.0");
	done(&w);
}

/* Only dependencyMode exactly `optional` is optional; an invalid constraint is told in words. */
static void test_unresolved(void **state DIAG_UNUSED)
{
	const struct bindery_requirement *r;
	struct world w = { .count = 0 };

	add(&w,
	    manifest("c", "world", "",
		     "{'capabilityId':'a.b','versionConstraint':'latest','scope':'world',"
		     "'dependencyMode':'optional'},"
		     "{'capabilityId':'a.b','versionConstraint':'^1','scope':'world',"
		     "'dependencyMode':'Optional'},"
		     "{'capabilityId':'a.b','versionConstraint':'^1','scope':'world'}"),
	    false);
	resolve(&w);
	r = w.resolution->requirements;
	assert_int_equal(w.resolution->unresolved_optional, 1);
	assert_int_equal(w.resolution->unresolved_required, 2);
	assert_true(r[0].invalid && !r[1].invalid);
	assert_non_null(strstr(r[0].invalid_reason, "'latest' is no version"));
	assert_int_equal(r[2].index, 2);
	done(&w);
}

/* A module listed twice consumes twice and is root once. */
static void test_listed_twice(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };
	json_t *c = manifest("c", "world", "", require("^1", "world", "1"));

	add(&w, manifest("p", "world", provide("1.0.0", "world", "1"), ""), false);
	add(&w, c, false);
	add(&w, json_incref(c), false);
	assert_string_equal(resolve(&w), "root:world:c; c>p 1.0.0 ^1; c>p 1.0.0 ^1; ");
	done(&w);
}

/* Booklet and realm compete: the higher version wins, wherever it is from. */
static void test_realm_competes(void **state DIAG_UNUSED)
{
	struct world w = { .count = 0 };

	add(&w, manifest("own", "world", provide("1.0.0", "world", "1"), ""), false);
	add(&w, manifest("c", "world", "", require("^1", "world", "1")), false);
	add(&w, manifest("theirs", "world", provide("1.2.0", "world", "1"), ""), true);
	assert_string_equal(resolve(&w), "root:world:c; root:world:own; c>theirs 1.2.0 ^1; ");
	done(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_candidates),   cmocka_unit_test(test_unresolved),
		cmocka_unit_test(test_listed_twice), cmocka_unit_test(test_realm_competes),
		cmocka_unit_test(test_rows),         cmocka_unit_test(test_scope_is_equality),
		cmocka_unit_test(test_self),         cmocka_unit_test(test_mutual),
		cmocka_unit_test(test_none),         cmocka_unit_test(test_roots_by_scope),
		cmocka_unit_test(test_external),     cmocka_unit_test(test_wrong_types),
	};
	int failed;

	arena = diag_arena_new();
	failed = cmocka_run_group_tests_name("resolver", tests, NULL, NULL);
	diag_arena_free(arena);
	return failed;
}
