/* The only C++ of the project: toml++'s tree turned into ours. Nothing is thrown out of here. */
#define TOML_EXCEPTIONS        0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 64

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <toml++/toml.h>

extern "C" {
#include "base/limits.h"
#include "text/toml.h"
}

namespace
{

struct loader {
	struct diag_positions *positions;
	const char *file;
	struct diag_error *err;
};

int fail(const loader &l, int code, const toml::source_position &where, const char *text,
	 int length)
{
	diag_error_set(l.err, code, "%.*s", length, text);
	if (l.err) {
		l.err->line = (int)where.line;
		l.err->column = (int)where.column;
	}
	return code;
}

int fail(const loader &l, int code, const toml::source_position &where, const char *text)
{
	return fail(l, code, where, text, (int)std::strlen(text));
}

struct diag_position position(const loader &l, const toml::source_region &region)
{
	return { l.file, (int)region.begin.line, (int)region.begin.column };
}

/* How many bytes at `at` are text in quotes or a comment, whose dots are no path; 0 for none. */
size_t opaque(std::string_view text, size_t at)
{
	char c = text[at];
	size_t i;

	if (c == '#')
		return std::min(text.find('\n', at), text.size()) - at;
	if (c != '"' && c != '\'')
		return 0;
	std::string quote(text.substr(at, 3) == std::string(3, c) ? 3 : 1, c);
	for (i = at + quote.size(); i < text.size(); i++) {
		if (text.compare(i, quote.size(), quote) == 0)
			return i + quote.size() - at;
		if (c == '"' && text[i] == '\\')
			i++;
	}
	return text.size() - at;
}

/* a.b.c.… nests one table per dot without any recursion of the parser, yet freeing them recurses.
 */
bool paths_are_short(std::string_view text, toml::source_position &where)
{
	size_t dots = 0;

	where.line = 1;
	for (size_t i = 0, skip; i < text.size(); i += skip ? skip : 1) {
		skip = opaque(text, i);
		where.line += (toml::source_index)std::count(
			text.begin() + (long)i, text.begin() + (long)(i + (skip ? skip : 1)), '\n');
		if (!skip && std::strchr("\n,=[{", text[i]))
			dots = 0;
		else if (!skip && text[i] == '.' && ++dots > TOML_MAX_NESTED_VALUES)
			return false;
	}
	return true;
}

int convert(const loader &l, const toml::node &node, json_t **ret);

int convert_table(const loader &l, const toml::table &table, json_t **ret)
{
	json_t *object = json_object();
	int rc;

	for (auto &&[key, value] : table) {
		json_t *child = nullptr;
		std::string name(key.str());

		if (name.find('\0') != std::string::npos)
			rc = fail(l, DIAG_E_PARSE, key.source().begin,
				  "a key holds a NUL character");
		else
			rc = convert(l, value, &child);
		if (rc < 0) {
			json_decref(object);
			return rc;
		}
		json_object_set_new(object, name.c_str(), child);
		if (l.positions)
			diag_positions_set_key(l.positions, object, name.c_str(),
					       position(l, key.source()));
	}
	*ret = object;
	return DIAG_OK;
}

int convert_array(const loader &l, const toml::array &array, json_t **ret)
{
	json_t *list = json_array();
	size_t index = 0;

	for (auto &&value : array) {
		json_t *child = nullptr;
		int rc = convert(l, value, &child);

		if (rc < 0) {
			json_decref(list);
			return rc;
		}
		json_array_append_new(list, child);
		if (l.positions)
			diag_positions_set_index(l.positions, list, index++,
						 position(l, value.source()));
	}
	*ret = list;
	return DIAG_OK;
}

int convert_text(const loader &l, const toml::node &node, json_t **ret)
{
	const std::string &text = node.as_string()->get();

	if (text.find('\0') != std::string::npos)
		return fail(l, DIAG_E_PARSE, node.source().begin, "a value holds a NUL character");
	*ret = json_stringn(text.data(), text.size());
	return *ret ? DIAG_OK : fail(l, DIAG_E_PARSE, node.source().begin, "a value is not UTF-8");
}

json_t *number(double value)
{
	return std::isfinite(value) ? json_real(value) : json_null();
}

int convert(const loader &l, const toml::node &node, json_t **ret)
{
	if (auto table = node.as_table())
		return convert_table(l, *table, ret);
	if (auto array = node.as_array())
		return convert_array(l, *array, ret);
	if (node.is_string())
		return convert_text(l, node, ret);
	if (auto integer = node.as_integer())
		*ret = json_integer(integer->get());
	else if (auto real = node.as_floating_point())
		*ret = number(real->get());
	else if (auto boolean = node.as_boolean())
		*ret = json_boolean(boolean->get());
	else
		*ret = json_null();
	return DIAG_OK;
}

} // namespace

int diag_toml_load(const char *text, size_t length, struct diag_positions *positions,
		   const char *file, json_t **ret, struct diag_error *err)
{
	loader l = { positions, positions ? diag_positions_file(positions, file) : nullptr, err };
	std::string_view document(text, length);
	toml::source_position where = { 0, 0 };

	if (length > DIAG_MAX_TOML_BYTES)
		return fail(l, DIAG_E_LIMIT, where,
			    "larger than the 1 MiB that is read of a TOML file");
	if (!paths_are_short(document, where))
		return fail(l, DIAG_E_LIMIT, where, "a key of more than 64 parts");
	toml::parse_result result = toml::parse(document);
	if (!result) {
		std::string_view why = result.error().description();

		return fail(l, DIAG_E_PARSE, result.error().source().begin, why.data(),
			    (int)std::min(why.size(), (size_t)400));
	}
	int rc = convert_table(l, result.table(), ret);
	if (rc == DIAG_OK && positions)
		diag_positions_set_self(positions, *ret, { l.file, 1, 1 });
	return rc;
}
