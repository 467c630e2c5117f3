/* Every vector of tests/data/semver-vectors.tsv (first argument), by kind. */

#include "base/alloc.h"
#include "base/str.h"
#include "text/semver.h"

#include "tests/support/unit.h"

static const char *vectors_path;

/* Undo the escapes of the file: \\ \t \n, and \e for the empty string. */
static void unescape(char *text)
{
	char *to = text;

	if (strcmp(text, "\\e") == 0) {
		*text = '\0';
		return;
	}
	for (; *text; text++) {
		if (*text == '\\' && text[1]) {
			text++;
			*to++ = *text == 't' ? '\t' : *text == 'n' ? '\n' : *text;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

static const char *check_constraint(const char *a, const char *b)
{
	diag_constraint_auto struct diag_constraint *constraint = NULL;
	struct diag_semver version diag_semver_auto = { 0 };

	if (diag_constraint_parse(a, &constraint, NULL) < 0)
		return "invalid";
	assert_int_equal(diag_semver_parse(b, &version, NULL), 0);
	return diag_constraint_holds(constraint, &version) ? "true" : "false";
}

static const char *check_syntax(const char *a, const char *b DIAG_UNUSED)
{
	diag_constraint_auto struct diag_constraint *constraint = NULL;

	return diag_constraint_parse(a, &constraint, NULL) < 0 ? "invalid" : "valid";
}

static const char *check_version(const char *a, const char *b DIAG_UNUSED)
{
	struct diag_semver version diag_semver_auto = { 0 };

	return diag_semver_parse(a, &version, NULL) < 0 ? "invalid" : "valid";
}

static const char *check_normal(const char *a, const char *b DIAG_UNUSED)
{
	static char normal[512];
	struct diag_semver version diag_semver_auto = { 0 };
	diag_autofree char *text = NULL;

	assert_int_equal(diag_semver_parse(a, &version, NULL), 0);
	text = diag_semver_format(&version);
	snprintf(normal, sizeof(normal), "%s", text);
	return normal;
}

static const char *check_compare(const char *a, const char *b)
{
	struct diag_semver one diag_semver_auto = { 0 }, two diag_semver_auto = { 0 };
	int order;

	assert_int_equal(diag_semver_parse(a, &one, NULL), 0);
	assert_int_equal(diag_semver_parse(b, &two, NULL), 0);
	order = diag_semver_compare(&one, &two);
	return order < 0 ? "-1" : order ? "1" : "0";
}

static const struct {
	const char *kind;
	const char *(*check)(const char *a, const char *b);
} kinds[] = {
	{ "constraint", check_constraint }, { "syntax", check_syntax },
	{ "version", check_version },       { "normal", check_normal },
	{ "compare", check_compare },
};

static int check_line(char *line)
{
	char *field[6] = { 0 };

	for (size_t i = 0; i < 6 && line; i++)
		field[i] = strsep(&line, "\t");
	assert_non_null(field[3]);
	unescape(field[1]);
	unescape(field[2]);
	unescape(field[3]);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(kinds); i++) {
		const char *got;

		if (strcmp(kinds[i].kind, field[0]) != 0)
			continue;
		got = kinds[i].check(field[1], field[2]);
		if (strcmp(got, field[3]) == 0)
			return 0;
		print_error("%s '%s' '%s': want %s, got %s\n", field[0], field[1], field[2],
			    field[3], got);
		return 1;
	}
	fail_msg("unknown kind '%s'", field[0]);
	return 1;
}

static void test_vectors(void **state DIAG_UNUSED)
{
	FILE *file = fopen(vectors_path, "r");
	char *line = NULL;
	size_t size = 0;
	int wrong = 0, seen = 0;
	ssize_t length;

	assert_non_null(file);
	while ((length = getline(&line, &size, file)) > 0) {
		if (*line == '#')
			continue;
		if (line[length - 1] == '\n')
			line[length - 1] = '\0';
		wrong += check_line(line);
		seen++;
	}
	free(line);
	fclose(file);
	assert_int_equal(wrong, 0);
	assert_true(seen > 400); /* the file was really read */
}

static void test_operator_trims(void **state DIAG_UNUSED)
{
	static const char *const star[] = { "", "  ", "\u00a0\u3000", " * " };
	struct diag_semver version diag_semver_auto = { 0 };

	assert_int_equal(diag_semver_parse("1.2.3", &version, NULL), 0);
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(star); i++) {
		diag_constraint_auto struct diag_constraint *constraint = NULL;

		assert_int_equal(diag_constraint_parse_trimmed(star[i], &constraint, NULL), 0);
		assert_true(diag_constraint_holds(constraint, &version));
	}
}

static void test_prerelease_alone(void **state DIAG_UNUSED)
{
	diag_constraint_auto struct diag_constraint *constraint = NULL;
	struct diag_semver rc diag_semver_auto = { 0 }, old diag_semver_auto = { 0 };

	assert_int_equal(diag_constraint_parse("^2.0.0", &constraint, NULL), 0);
	assert_int_equal(diag_semver_parse("2.1.0-rc.1", &rc, NULL), 0);
	assert_int_equal(diag_semver_parse("1.1.0-rc.1", &old, NULL), 0);
	assert_true(diag_constraint_fails_on_prerelease(constraint, &rc));
	assert_false(diag_constraint_fails_on_prerelease(constraint, &old));
}

/* The white space around a range goes with it. Verified with the library, v3.3.1. */
static void test_range_neighbours(void **state DIAG_UNUSED)
{
	static const struct {
		const char *constraint, *version, *answer;
	} rows[] = {
		{ ">=1 2 - 3", "2.5.0", "invalid" },
		{ ">=1, 2 - 3", "2.5.0", "true" },
		{ ">=1,  2 - 3", "1.5.0", "false" },
		{ "2 - 3 >=1", "2.5.0", "true" },
		{ "1 - 2 1.5 - 3", "1.7.0", "true" },
		{ "1 - 2   1.5 - 3", "2.9.0", "true" },
		{ "1 - 2   1.5 - 3", "3.1.0", "false" },
		{ " 1 - 2 || 4 - 5 ", "4.5.0", "true" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++)
		assert_string_equal(check_constraint(rows[i].constraint, rows[i].version),
				    rows[i].answer);
}

/* What people read. */
static void test_reasons(void **state DIAG_UNUSED)
{
	static const struct {
		const char *constraint, *reason;
	} rows[] = {
		{ "latest", "'latest' is no version" },
		{ ">=1.0<2.0", "separate comparators by a space or a comma" },
		{ ">=1.0 || ", "an alternative beside '||' is empty" },
		{ ">=1.0,", "it ends with a comma" },
		{ ">=01.2.3", "a number has a leading zero" },
		{ ">=", "a version is missing at the end" },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		diag_constraint_auto struct diag_constraint *constraint = NULL;
		struct diag_error err = DIAG_ERROR_INIT;

		assert_int_equal(diag_constraint_parse(rows[i].constraint, &constraint, &err),
				 DIAG_E_PARSE);
		assert_non_null(strstr(err.message, rows[i].reason));
	}
}

/* The traps of semver-constraints.md section 7 that do not parse, and spelling of other tools. */
static void test_suggestions(void **state DIAG_UNUSED)
{
	static const struct {
		const char *written, *meant;
	} traps[] = {
		{ "latest", "*" },
		{ "Stable", "*" },
		{ ">=1.0<2.0", ">=1.0 <2.0" },
		{ ">=1.0 && <2.0", ">=1.0 <2.0" },
		{ ">=1.0 and <2.0", ">=1.0 <2.0" },
		{ ">=1.0;<2.0", ">=1.0 <2.0" },
		{ ">=1.0,,<2.0,", ">=1.0 <2.0" },
		{ "^1.0 | ^2.0", "^1.0 || ^2.0" },
		{ "|| ^2.0", "^2.0" },
		{ "V1.2.3", "v1.2.3" },
		{ "==1.2.3", "=1.2.3" },
		{ "~=1.2", "~1.2" },
		{ "> =1.2", ">=1.2" },
		{ "(>=1.2 <2)", ">=1.2 <2" },
		{ "01.2.3", "1.2.3" },
		{ ">=2026.01.05", ">=2026.1.5" },
		{ "1.0.010", "1.0.10" },
		{ ">=1 2 - 3", ">=1, 2 - 3" },
		{ ">=1.2", NULL },	       /* nothing wrong with it */
		{ "1.2.3.4", NULL },	       /* which of the four numbers? */
		{ "newer than 1", NULL },
		{ "", NULL },
		{ "1.0.0-01", NULL },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(traps); i++) {
		diag_autofree char *got = diag_constraint_suggest(traps[i].written);

		if (traps[i].meant)
			assert_string_equal(got, traps[i].meant);
		else
			assert_null(got);
	}
}

/* The traps of section 7 that parse. */
static void test_traps(void **state DIAG_UNUSED)
{
	static const struct {
		const char *written, *effect, *meant;
	} traps[] = {
		{ "^*", "only version 0.0.0", "*" },
		{ "<=*", "only versions 0.0.z", "*" },
		{ "<x", "no release", "*" },
		{ "~0.0.0", "every release", "=0.0.0" },
		{ "1.2-1.4", "no range", "1.2 - 1.4" },
		{ "1.2.3-1.4.0", "no range", "1.2.3 - 1.4.0" },
		{ "!=1.2.3", "prereleases of other versions", "!=1.2.3 >=0.0.0" },
		{ ">=1 || ^*", "only version 0.0.0", NULL },
		{ "1.2.3-1", NULL, NULL }, /* as Debian revisions are written */
		{ "1.2-0", NULL, NULL },   /* lets prereleases in */
		{ ">=1.2-1.4", NULL, NULL },
		{ "!=1.2.3 >=0.0.0", NULL, NULL },
		{ "*", NULL, NULL },
		{ "^1.2", NULL, NULL },
		{ "latest", NULL, NULL },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(traps); i++) {
		diag_autofree char *meant = NULL;
		const char *effect = diag_constraint_trap(traps[i].written, &meant);

		if (!traps[i].effect) {
			assert_null(effect);
		} else {
			assert_non_null(effect);
			assert_non_null(strstr(effect, traps[i].effect));
		}
		if (traps[i].meant)
			assert_string_equal(meant, traps[i].meant);
		else
			assert_null(meant);
	}
}

static void test_admitting_prereleases(void **state DIAG_UNUSED)
{
	static const struct {
		const char *written, *admitting;
	} rows[] = {
		{ ">=1.0.0", ">=1.0.0-0" },
		{ ">=1.0.0 <2.0.0", ">=1.0.0-0 <2.0.0-0" },
		{ "^1.2 || ~2.3.4", "^1.2-0 || ~2.3.4-0" },
		{ "*", ">=0.0.0-0" },
		{ "1.2.x", "~1.2-0" },
		{ "<=2.0.0", "<2.0.1-0" },
		{ ">2.0.0", ">=2.0.1-0" },
		{ ">1.2", ">1.2-0" },
		{ ">=1.0.0-rc.1 <2", ">=1.0.0-rc.1 <2-0" },
		{ "!=1.2.3 >=1", "!=1.2.3 >=1-0" },
		{ "*-rc.1", "=*-rc.1" },
		{ "=1.2.3", NULL },
		{ "!=1.2", NULL },
		{ "<=18446744073709551615.0.18446744073709551615", NULL },
	};
	static const char *const versions[] = { "0.9.0", "1.0.0", "1.2.0", "1.2.3", "2.0.0",
						"2.3.4", "2.3.9", "3.0.0" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		diag_constraint_auto struct diag_constraint *constraint = NULL;
		diag_autofree char *got = NULL;

		assert_int_equal(diag_constraint_parse(rows[i].written, &constraint, NULL), 0);
		got = diag_constraint_admit_prereleases(constraint);
		if (!rows[i].admitting) {
			assert_null(got);
			continue;
		}
		assert_string_equal(got, rows[i].admitting);
		/* The same releases as before. */
		for (size_t v = 0; v < DIAG_ARRAY_SIZE(versions); v++)
			assert_string_equal(check_constraint(rows[i].written, versions[v]),
					    check_constraint(got, versions[v]));
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_operator_trims),
		cmocka_unit_test(test_prerelease_alone),
		cmocka_unit_test(test_range_neighbours),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_suggestions),
		cmocka_unit_test(test_traps),
		cmocka_unit_test(test_admitting_prereleases),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: %s VECTORS.tsv\n", argv[0]);
		return 2;
	}
	vectors_path = argv[1];
	return cmocka_run_group_tests_name("semver", tests, NULL, NULL);
}
