#include "base/buf.h"
#include "base/map.h"

#include "tests/support/unit.h"

static void append(const char *key, void *value DIAG_UNUSED, void *arg)
{
	diag_buf_printf(arg, "%s ", key);
}

TEST(sets_gets_replaces)
{
	diag_map_auto struct diag_map *map = diag_map_new();
	int one, two;

	assert_null(diag_map_get(map, "a"));
	diag_map_set(map, "a", &one);
	diag_map_set(map, "a", &two);
	assert_ptr_equal(diag_map_get(map, "a"), &two);
	assert_int_equal(diag_map_count(map), 1);
}

TEST(iterates_in_order)
{
	diag_map_auto struct diag_map *map = diag_map_new();
	struct diag_buf keys diag_buf_auto = { 0 };

	diag_buf_init(&keys, 100);
	diag_map_set(map, "c", map);
	diag_map_set(map, "a", map);
	diag_map_set(map, "b", map);
	diag_map_each(map, append, &keys);
	assert_string_equal(diag_buf_str(&keys), "a b c ");
}

RUN_TESTS("map", T(sets_gets_replaces), T(iterates_in_order))
