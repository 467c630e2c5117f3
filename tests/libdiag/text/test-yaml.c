#include "base/buf.h"
#include "base/limits.h"
#include "text/json.h"
#include "text/yaml.h"

#include "tests/support/unit.h"

static int try_load(const char *text, size_t length, struct diag_positions *positions,
		    json_t **ret_documents, struct diag_error *err)
{
	return diag_yaml_load(text, length, positions, "f.yaml", 1, ret_documents, err);
}

/* The first document as compact JSON. */
static void check(const char *yaml, const char *want)
{
	struct diag_error err = DIAG_ERROR_INIT;
	json_t *documents = NULL;
	char *got;

	if (try_load(yaml, strlen(yaml), NULL, &documents, &err) < 0)
		fail_msg("%s: %s", yaml, err.message);
	got = json_dumps(json_array_get(documents, 0), JSON_COMPACT | JSON_ENCODE_ANY);
	assert_string_equal(got, want);
	free(got);
	json_decref(documents);
}

static void check_error(const char *yaml, int code, int line)
{
	struct diag_error err = DIAG_ERROR_INIT;
	json_t *documents = NULL;

	assert_int_equal(try_load(yaml, strlen(yaml), NULL, &documents, &err), code);
	assert_int_equal(err.line, line);
}

/* Plain scalars as kubectl's library types them (sigs.k8s.io/yaml, goyaml.v2 resolve table). */
TEST(scalars_as_kubectl_reads_them)
{
	check("[y, Yes, on, true, TRUE]", "[true,true,true,true,true]");
	check("[n, No, off, false]", "[false,false,false,false]");
	check("[yEs, 'yes', \"on\", yess]", "[\"yEs\",\"yes\",\"on\",\"yess\"]");
	check("[~, null, Null, ]", "[null,null,null]");
	check("[017, 0o17, 0x1f, 0b101, 1_000, -0x10, +5]", "[15,15,31,5,1000,-16,5]");
	check("[1.5, .5, 1e3, 1., 08]", "[1.5,0.5,1000.0,1.0,8.0]");
	check("[.inf, -.inf, .nan]", "[\".inf\",\"-.inf\",\".nan\"]");
	check("[2026-01-02, 1.2.3, 12:30, 1-2, '1']",
	      "[\"2026-01-02\",\"1.2.3\",\"12:30\",\"1-2\",\"1\"]");
	check("a: !!str 1\nb: !!int 2\nc: !custom x", "{\"a\":\"1\",\"b\":2,\"c\":\"x\"}");
}

TEST(keys_become_strings)
{
	check("1: a\nyes: b\n1.5: c\n'': d",
	      "{\"1\":\"a\",\"true\":\"b\",\"1.5\":\"c\",\"\":\"d\"}");
}

TEST(blocks_anchors_merges)
{
	check("a: |\n  x\n  y\nb: >\n  x\n  y\n", "{\"a\":\"x\\ny\\n\",\"b\":\"x y\\n\"}");
	check("a: &a {p: 1, q: 2}\nb: {<<: *a, q: 3}\nc: *a",
	      "{\"a\":{\"p\":1,\"q\":2},\"b\":{\"q\":3,\"p\":1},\"c\":{\"p\":1,\"q\":2}}");
}

TEST(lines)
{
	static const char text[] = "a: 1\nb:\n- x\n- c: 2\n  d: 3\n";
	diag_positions_auto struct diag_positions *positions = diag_positions_new();
	json_t *documents = NULL;
	const json_t *root, *list;

	assert_int_equal(try_load(text, strlen(text), positions, &documents, NULL), 0);
	root = json_array_get(documents, 0);
	list = json_object_get(root, "b");
	assert_int_equal(diag_positions_key(positions, root, "b").line, 2);
	assert_int_equal(diag_positions_index(positions, list, 1).line, 4);
	assert_int_equal(diag_positions_key(positions, json_array_get(list, 1), "d").line, 5);
	json_decref(documents);
}

TEST(errors_name_the_line)
{
	check_error("a: 1\nb: 2\na: 3\n", DIAG_E_PARSE, 3);
	check_error("a:\n\t- b\n", DIAG_E_PARSE, 2);
	check_error("a: *nobody\n", DIAG_E_PARSE, 1);
	check_error("? [a]\n: b\n", DIAG_E_PARSE, 1);
	check_error("~: b\n", DIAG_E_PARSE, 1);
	check_error("a: !!int x\n", DIAG_E_PARSE, 1);
	check_error("a: \"\xff\"\n", DIAG_E_PARSE, 1);
}

/* Nine lines that stand for a billion values. */
TEST(billion_laughs)
{
	struct diag_buf text diag_buf_auto = { 0 };
	struct diag_error err = DIAG_ERROR_INIT;
	json_t *documents = NULL;

	diag_buf_init(&text, 10000);
	diag_buf_puts(&text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
	for (int i = 1; i < 10; i++) {
		diag_buf_printf(&text, "a%d: &a%d [", i, i);
		for (int j = 0; j < 10; j++)
			diag_buf_printf(&text, "%s*a%d", j ? ", " : "", i - 1);
		diag_buf_puts(&text, "]\n");
	}
	assert_int_equal(try_load(diag_buf_str(&text), text.length, NULL, &documents, &err),
			 DIAG_E_LIMIT);
}

TEST(ten_thousand_levels)
{
	struct diag_error err = DIAG_ERROR_INIT;
	json_t *documents = NULL;
	char text[10000];
	int r;

	memset(text, '[', sizeof(text));
	r = try_load(text, sizeof(text), NULL, &documents, &err);
	assert_true(r == DIAG_E_LIMIT || r == DIAG_E_PARSE);
}

RUN_TESTS("yaml", T(scalars_as_kubectl_reads_them), T(keys_become_strings),
	  T(blocks_anchors_merges), T(lines), T(errors_name_the_line), T(billion_laughs),
	  T(ten_thousand_levels))
