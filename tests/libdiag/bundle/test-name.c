#include "bundle/name.h"

#include "tests/support/unit.h"

static void check(const char *name, const char *want)
{
	const char *reason = NULL;
	char *got = diag_bundle_name(name, &reason);

	if (!want) {
		assert_null(got);
		assert_non_null(reason);
		return;
	}
	assert_string_equal(got, want);
	free(got);
}

TEST(names)
{
	check("./top//a/./b.json", "top/a/b.json");
	check("./", "");
	check("../x", NULL);
	check("a/../../x", NULL);
	check("a/..", NULL);
	check("/etc/passwd", NULL);
	check("a\nb", NULL);
	check("a\033b", NULL);
	check("a..b/...c", "a..b/...c");
}

TEST(links)
{
	assert_true(diag_bundle_link_is_inside("top/a/x.yaml", "x.json"));
	assert_true(diag_bundle_link_is_inside("top/a/x.yaml", "../b/x.json"));
	assert_false(diag_bundle_link_is_inside("top/x", "../../etc/passwd"));
	assert_false(diag_bundle_link_is_inside("top/x", "/etc/passwd"));
	assert_false(diag_bundle_link_is_inside("x", ".."));
	assert_false(diag_bundle_link_is_inside("x", ""));
	assert_false(diag_bundle_link_is_inside("x", NULL));
}

RUN_TESTS("name", T(names), T(links))
