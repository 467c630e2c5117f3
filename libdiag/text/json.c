#include "text/json.h"

#include <math.h>
#include <string.h>

#include "base/str.h"

json_t *diag_json_at(const json_t *value, const char *const *path)
{
	json_t *at = NULL;

	for (; *path; path++) {
		at = json_object_get(value, *path);
		value = at;
	}
	return at;
}

const char *diag_json_str_at(const json_t *value, const char *const *path)
{
	return json_string_value(diag_json_at(value, path));
}

json_t *diag_json_array_at(const json_t *value, const char *const *path)
{
	json_t *at = diag_json_at(value, path);

	return json_is_array(at) ? at : NULL;
}

json_t *diag_json_object_at(const json_t *value, const char *const *path)
{
	json_t *at = diag_json_at(value, path);

	return json_is_object(at) ? at : NULL;
}

json_t *diag_json_named(const json_t *array, const char *name)
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element) {
		if (diag_str_eq(diag_json_str(element, "name"), name))
			return element;
	}
	return NULL;
}

int64_t diag_json_int_at(const json_t *value, int64_t fallback, const char *const *path)
{
	const json_t *at = diag_json_at(value, path);
	double real;

	if (json_is_integer(at))
		return json_integer_value(at);
	if (!json_is_real(at))
		return fallback;
	real = json_real_value(at);
	if (!(real >= -9.2e18 && real <= 9.2e18) || fabs(real - trunc(real)) > 0)
		return fallback;
	return (int64_t)real;
}

bool diag_json_true_at(const json_t *value, const char *const *path)
{
	return json_is_true(diag_json_at(value, path));
}
