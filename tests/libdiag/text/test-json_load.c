#include "base/limits.h"
#include "text/json.h"

#include "tests/support/unit.h"

static json_t *load(const char *text, struct diag_positions *positions)
{
	json_t *documents = NULL;
	struct diag_error err = DIAG_ERROR_INIT;

	if (diag_json_load(text, strlen(text), positions, "f.json", 1, &documents, &err) < 0)
		fail_msg("%s", err.message);
	return documents;
}

static int fails(const char *text, size_t length, struct diag_error *err)
{
	json_t *documents = NULL;
	int r = diag_json_load(text, length, NULL, "f.json", 1, &documents, err);

	assert_null(documents);
	return r;
}

TEST(several_documents)
{
	json_t *documents = load("\xef\xbb\xbf{\"a\":1} [2]\n\"x\"", NULL);

	assert_int_equal(json_array_size(documents), 3);
	assert_int_equal(diag_json_int(json_array_get(documents, 0), 0, "a"), 1);
	json_decref(documents);
}

TEST(lines_of_everything)
{
	diag_positions_auto struct diag_positions *positions = diag_positions_new();
	json_t *documents =
		load("{\n \"a\\u0062\": {\"c\": 1,\n  \"d\": [1,\n   {}]}\n}\n{}", positions);
	const json_t *root = json_array_get(documents, 0);
	const json_t *inner = json_object_get(root, "ab");
	const json_t *list = json_object_get(inner, "d");

	assert_int_equal(diag_positions_self(positions, root).line, 1);
	assert_int_equal(diag_positions_key(positions, root, "ab").line, 2);
	assert_int_equal(diag_positions_key(positions, inner, "c").column, 14);
	assert_int_equal(diag_positions_key(positions, inner, "d").line, 3);
	assert_int_equal(diag_positions_index(positions, list, 1).line, 4);
	assert_int_equal(diag_positions_self(positions, json_array_get(documents, 1)).line, 6);
	assert_string_equal(diag_positions_self(positions, root).file, "f.json");
	assert_int_equal(diag_positions_key(positions, root, "none").line, 0);
	json_decref(documents);
}

/* The last of two equal keys counts, whatever the shape of the first. */
TEST(duplicate_keys)
{
	diag_positions_auto struct diag_positions *positions = diag_positions_new();
	json_t *documents = load("{\"a\": {\"x\": [1, 2]},\n\"a\": 3}", positions);

	assert_int_equal(diag_json_int(json_array_get(documents, 0), 0, "a"), 3);
	assert_int_equal(diag_positions_key(positions, json_array_get(documents, 0), "a").line, 2);
	json_decref(documents);
}

TEST(numbers_and_nul)
{
	json_t *documents =
		load("{\"big\": 123456789012345678901234567890, \"nul\": \"a\\u0000b\"}", NULL);
	const json_t *root = json_array_get(documents, 0);

	assert_true(json_is_real(json_object_get(root, "big")));
	assert_int_equal(diag_json_int(root, -1, "big"), -1);
	assert_string_equal(diag_json_str(root, "nul"), "a");
	json_decref(documents);
}

/* Found by fuzzing: the scanner must not stand still where jansson went on. */
TEST(nul_after_a_number)
{
	diag_positions_auto struct diag_positions *positions = diag_positions_new();
	static const char text[] = "{\"items\":[0\0]}";
	json_t *documents = NULL;

	if (diag_json_load(text, sizeof(text) - 1, positions, "f", 1, &documents, NULL) == 0)
		json_decref(documents);
}

TEST(errors_name_the_line)
{
	struct diag_error err = DIAG_ERROR_INIT;

	assert_int_equal(fails("{\n\"a\": }", 8, &err), DIAG_E_PARSE);
	assert_int_equal(err.line, 2);
	assert_int_equal(fails("{\"a\": 1e999}", 12, &err), DIAG_E_PARSE);
	assert_int_equal(fails("{\"a\": \"\xff\"}", 10, &err), DIAG_E_PARSE);
}

TEST(ten_thousand_levels)
{
	struct diag_error err = DIAG_ERROR_INIT;
	char text[10000];

	memset(text, '[', sizeof(text));
	assert_int_equal(fails(text, sizeof(text), &err), DIAG_E_LIMIT);
}

/* A wrong type reads as absent, at any depth. */
TEST(accessors_assume_nothing)
{
	json_t *documents = load(
		"{\"s\": \"x\", \"n\": 1.0, \"f\": 1.5, \"a\": [], \"o\": {}, \"t\": true}", NULL);
	const json_t *root = json_array_get(documents, 0);

	assert_null(diag_json_str(root, "n"));
	assert_null(diag_json_str(root, "s", "deeper", "still"));
	assert_null(diag_json_array(root, "o"));
	assert_null(diag_json_object(root, "a"));
	assert_int_equal(diag_json_int(root, 9, "n"), 1);
	assert_int_equal(diag_json_int(root, 9, "f"), 9);
	assert_true(diag_json_true(root, "t"));
	assert_null(diag_json_str(NULL, "x"));
	json_decref(documents);
}

RUN_TESTS("json_load", T(several_documents), T(lines_of_everything), T(duplicate_keys),
	  T(numbers_and_nul), T(nul_after_a_number), T(errors_name_the_line),
	  T(ten_thousand_levels), T(accessors_assume_nothing))
