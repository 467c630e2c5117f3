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
	check("a\177b", NULL);
	check("a\xc2\x9b"
	      "2Jb",
	      NULL); /* CSI as one character of UTF-8 */
	check("a\xc3\xa9", "a\xc3\xa9");
	check(".", "");
	check("", "");
	check("..", NULL);
	check("a..b/...c", "a..b/...c");
}

static void link_to(const char *name, const char *target, const char *want)
{
	char *got = diag_bundle_link_target(name, target);

	if (!want) {
		assert_null(got);
		return;
	}
	assert_string_equal(got, want);
	free(got);
}

TEST(links)
{
	link_to("top/a/x.yaml", "x.json", "top/a/x.json");
	link_to("top/a/x.yaml", "../b/./x.json", "top/b/x.json");
	link_to("top/a/x.yaml", "../../top/x", "top/x");
	link_to("x", "a/../b", "b");
	link_to("", "top/a", "top/a"); /* a hard link */
	link_to("top/x", "../../etc/passwd", NULL);
	link_to("top/x", "../../top/x", NULL); /* out and in again */
	link_to("top/x", "/etc/passwd", NULL);
	link_to("top/x", "a\nb", NULL);
	link_to("x", "..", NULL);
	link_to("x", ".", NULL);
	link_to("x", "", NULL);
	link_to("x", NULL, NULL);
}

RUN_TESTS("name", T(names), T(links))
