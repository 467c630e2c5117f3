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

/* The traps of semver-constraints.md section 7 that have one reading. */
static void test_suggestions(void **state DIAG_UNUSED)
{
	static const struct {
		const char *written, *meant;
	} traps[] = {
		{ "latest", "*" },
		{ ">=1.0<2.0", ">=1.0 <2.0" },
		{ ">=1.0 && <2.0", ">=1.0   <2.0" },
		{ ">=1.0;<2.0", ">=1.0 <2.0" },
		{ "V1.2.3", "v1.2.3" },
		{ "==1.2.3", "=1.2.3" },
		{ "01.2.3", NULL },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(traps); i++) {
		diag_autofree char *got = diag_constraint_suggest(traps[i].written);

		if (traps[i].meant)
			assert_string_equal(got, traps[i].meant);
		else
			assert_null(got);
	}
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vectors),
		cmocka_unit_test(test_operator_trims),
		cmocka_unit_test(test_prerelease_alone),
		cmocka_unit_test(test_suggestions),
	};

	if (argc != 2) {
		fprintf(stderr, "usage: %s VECTORS.tsv\n", argv[0]);
		return 2;
	}
	vectors_path = argv[1];
	return cmocka_run_group_tests_name("semver", tests, NULL, NULL);
}
