#include "base/buf.h"
#include "base/limits.h"
#include "text/toml.h"

#include "tests/support/unit.h"

static void check(const char *text, const char *want)
{
	struct diag_error err = DIAG_ERROR_INIT;
	json_t *root = NULL;
	char *got;

	if (diag_toml_load(text, strlen(text), NULL, "f.toml", &root, &err) < 0)
		fail_msg("%s: %s", text, err.message);
	got = json_dumps(root, JSON_COMPACT | JSON_SORT_KEYS);
	assert_string_equal(got, want);
	free(got);
	json_decref(root);
}

static void check_error(const char *text, size_t length, int code, int line)
{
	struct diag_error err = DIAG_ERROR_INIT;
	json_t *root = NULL;

	assert_int_equal(diag_toml_load(text, length, NULL, "f.toml", &root, &err), code);
	assert_null(root);
	assert_int_equal(err.line, line);
	assert_true(*err.message);
}

TEST(values)
{
	check("", "{}");
	check("a = 1\nb = 'x'\nc = true\nd = 1.5\n", "{\"a\":1,\"b\":\"x\",\"c\":true,\"d\":1.5}");
	check("a.b.c = [1, [2], {x = 3}]\n", "{\"a\":{\"b\":{\"c\":[1,[2],{\"x\":3}]}}}");
	check("[[s]]\nid = 'a'\n[s.r]\nx = 1\n[[s]]\nid = 'b'\n",
	      "{\"s\":[{\"id\":\"a\",\"r\":{\"x\":1}},{\"id\":\"b\"}]}");
	check("n = 9223372036854775807\n", "{\"n\":9223372036854775807}");
	/* What JSON has not. */
	check("a = 1979-05-27\nb = inf\nc = nan\nd = 07:32:00\n",
	      "{\"a\":null,\"b\":null,\"c\":null,\"d\":null}");
}

TEST(positions)
{
	static const char text[] = "# first\norganization = 'acme'\n\n[[shards]]\nid = 'a'\n"
				   "[[shards]]\nports = [1,\n  2]\n";
	diag_positions_auto struct diag_positions *positions = diag_positions_new();
	json_t *root = NULL, *shards, *ports;

	assert_int_equal(diag_toml_load(text, strlen(text), positions, "world.toml", &root, NULL),
			 DIAG_OK);
	shards = json_object_get(root, "shards");
	ports = json_object_get(json_array_get(shards, 1), "ports");
	assert_int_equal(diag_positions_key(positions, root, "organization").line, 2);
	assert_string_equal(diag_positions_key(positions, root, "organization").file, "world.toml");
	assert_int_equal(diag_positions_index(positions, shards, 0).line, 4);
	assert_int_equal(diag_positions_index(positions, shards, 1).line, 6);
	assert_int_equal(diag_positions_key(positions, json_array_get(shards, 0), "id").line, 5);
	assert_int_equal(diag_positions_index(positions, ports, 1).line, 8);
	json_decref(root);
}

TEST(errors)
{
	static const char *const bad[] = { "a = 1\na = 2\n",
					   "a = 1\nb\n",
					   "x = 1\n[t\n",
					   "ok = 1\ns = \"open\n",
					   "ok = 1\nnul = \"a\\u0000b\"\n",
					   "ok = 1\n\"k\\u0000\" = 1\n" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(bad); i++)
		check_error(bad[i], strlen(bad[i]), DIAG_E_PARSE, 2);
}

/* A document of `count` repeats between two texts. */
static void check_repeated(const char *before, const char *part, size_t count, const char *after,
			   int code, int line)
{
	diag_buf_auto struct diag_buf text;

	diag_buf_init(&text, 4 * DIAG_MIB);
	diag_buf_puts(&text, before);
	for (size_t i = 0; i < count; i++)
		diag_buf_puts(&text, part);
	diag_buf_puts(&text, after);
	check_error(diag_buf_str(&text), text.length, code, line);
}

TEST(limits)
{
	check_repeated("\n", "a.", 200000, "a = 1\n", DIAG_E_LIMIT, 2);
	check_repeated("\n[", "a.", 200000, "a]\n", DIAG_E_LIMIT, 2);
	check_repeated("x = ", "[", 200000, "", DIAG_E_PARSE, 1);
	check_repeated("", "# padding\n", 200000, "", DIAG_E_LIMIT, 0);
	/* Dots in text, comments and lists are no path. */
	check("a = '...................................................................' # ....\n"
	      "b = \"\"\"\n\\\"...................................................................\"\"\"\n",
	      "{\"a\":\"...................................................................\","
	      "\"b\":\"\\\"...................................................................\"}");
	check("a = [1.0, 1.0, 1.0, 1.0]\n", "{\"a\":[1.0,1.0,1.0,1.0]}");
}

RUN_TESTS("libdiag/text/toml", T(values), T(positions), T(errors), T(limits))
