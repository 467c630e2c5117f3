#include "kube/toplevel.h"

#include <string.h>

#include "base/macros.h"

struct scan {
	const char *at, *end;
};

static bool is_space(char c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static void skip_space(struct scan *scan)
{
	while (scan->at < scan->end && is_space(*scan->at))
		scan->at++;
}

static bool skip_char(struct scan *scan, char c)
{
	skip_space(scan);
	if (scan->at == scan->end || *scan->at != c)
		return false;
	scan->at++;
	return true;
}

/* From behind the opening quote to behind the closing one. */
static bool skip_string(struct scan *scan)
{
	for (; scan->at < scan->end; scan->at++) {
		if (*scan->at == '"') {
			scan->at++;
			return true;
		}
		if (*scan->at == '\\' && ++scan->at == scan->end)
			return false;
	}
	return false;
}

/* From behind an opening bracket to behind the one that closes it. */
static bool skip_nested(struct scan *scan)
{
	size_t depth = 1;

	while (scan->at < scan->end) {
		char c = *scan->at++;

		if (c == '"') {
			if (!skip_string(scan))
				return false;
		} else if (c == '{' || c == '[') {
			depth++;
		} else if ((c == '}' || c == ']') && --depth == 0) {
			return true;
		}
	}
	return false;
}

static bool skip_value(struct scan *scan)
{
	const char *start;

	skip_space(scan);
	start = scan->at;
	if (scan->at == scan->end)
		return false;
	if (*scan->at == '"')
		return scan->at++, skip_string(scan);
	if (*scan->at == '{' || *scan->at == '[')
		return scan->at++, skip_nested(scan);
	while (scan->at < scan->end && !strchr(",}] \n\r\t", *scan->at))
		scan->at++;
	return scan->at > start;
}

static bool is_key(struct diag_slice key, const char *name)
{
	return key.length == strlen(name) && memcmp(key.bytes, name, key.length) == 0;
}

static bool member(struct scan *scan, struct diag_toplevel *found)
{
	struct diag_slice key, value;

	if (!skip_char(scan, '"'))
		return false;
	key.bytes = scan->at;
	if (!skip_string(scan))
		return false;
	key.length = (size_t)(scan->at - key.bytes) - 1;
	if (!skip_char(scan, ':'))
		return false;
	skip_space(scan);
	value.bytes = scan->at;
	if (!skip_value(scan))
		return false;
	value.length = (size_t)(scan->at - value.bytes);
	if (is_key(key, "metadata"))
		found->metadata = value;
	else if (is_key(key, "items"))
		found->items = value;
	return true;
}

bool diag_toplevel_scan(const char *bytes, size_t length, struct diag_toplevel *ret)
{
	struct scan scan = { bytes, bytes + length };

	*ret = (struct diag_toplevel){ 0 };
	if (!skip_char(&scan, '{'))
		return false;
	if (!skip_char(&scan, '}')) {
		do {
			if (!member(&scan, ret))
				return false;
		} while (skip_char(&scan, ','));
		if (!skip_char(&scan, '}'))
			return false;
	}
	skip_space(&scan);
	return scan.at == scan.end;
}

bool diag_slice_is_empty_array(struct diag_slice slice)
{
	struct scan scan = { slice.bytes, slice.bytes + slice.length };

	return slice.bytes && skip_char(&scan, '[') && skip_char(&scan, ']');
}
