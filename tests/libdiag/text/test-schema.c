/* Faults as the API server finds them; the rules are those of Kubernetes' structural schemas. */
#include "base/buf.h"
#include "base/limits.h"
#include "text/json.h"
#include "text/schema.h"

#include "tests/support/unit.h"

static const char *const rules[] = {
	[DIAG_SCHEMA_TYPE] = "type",       [DIAG_SCHEMA_REQUIRED] = "required",
	[DIAG_SCHEMA_ENUM] = "enum",       [DIAG_SCHEMA_PATTERN] = "pattern",
	[DIAG_SCHEMA_LENGTH] = "length",   [DIAG_SCHEMA_RANGE] = "range",
	[DIAG_SCHEMA_UNKNOWN] = "unknown",
};

static void note(const struct diag_schema_fault *fault, void *arg)
{
	struct diag_buf *out = arg;

	diag_buf_printf(out, "%s %s%s%s%s; ", rules[fault->rule], fault->path,
			fault->nearest ? " near " : "", fault->nearest ? fault->nearest : "",
			fault->told ? " told" : "");
}

static json_t *load(const char *text)
{
	json_t *documents = NULL, *first;

	assert_int_equal(diag_json_load(text, strlen(text), NULL, "f", 1, &documents, NULL), 0);
	first = json_incref(json_array_get(documents, 0));
	json_decref(documents);
	return first;
}

static void expect(const char *schema_text, const char *value_text, const char *want)
{
	json_auto_t *schema = load(schema_text), *value = load(value_text);
	struct diag_buf out diag_buf_auto = { 0 };

	diag_buf_init(&out, DIAG_MAX_MESSAGE);
	diag_schema_validate(value, schema, note, &out);
	assert_string_equal(diag_buf_str(&out), want);
}

#define OBJECT(properties) "{\"type\":\"object\",\"properties\":{" properties "}}"

TEST(types)
{
	const char *schema = OBJECT("\"s\":{\"type\":\"string\"},\"i\":{\"type\":\"integer\"},"
				    "\"n\":{\"type\":\"number\"},\"b\":{\"type\":\"boolean\"},"
				    "\"l\":{\"type\":\"array\"},\"o\":{\"type\":\"object\"}");

	expect(schema, "{\"s\":\"\",\"i\":3.0,\"n\":3,\"b\":false,\"l\":[],\"o\":{}}", "");
	expect(schema, "{\"s\":1,\"i\":1.5,\"n\":\"1\",\"b\":\"yes\",\"l\":{},\"o\":[]}",
	       "type s; type i; type n; type b; type l; type o; ");
	expect(schema, "{\"s\":null}", "type s; ");
	expect(OBJECT("\"s\":{\"type\":\"string\",\"nullable\":true}"), "{\"s\":null}", "");
	expect(OBJECT("\"p\":{\"x-kubernetes-int-or-string\":true}"), "{\"p\":1}", "");
	expect(OBJECT("\"p\":{\"x-kubernetes-int-or-string\":true}"), "{\"p\":true}", "type p; ");
}

TEST(values)
{
	expect(OBJECT("\"m\":{\"type\":\"string\",\"enum\":[\"1\",\"many\"]}"), "{\"m\":1}",
	       "type m; ");
	expect(OBJECT("\"m\":{\"type\":\"string\",\"enum\":[\"1\",\"many\"]}"), "{\"m\":\"2\"}",
	       "enum m; ");
	expect(OBJECT("\"p\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":65535}"), "{\"p\":0}",
	       "range p; ");
	expect(OBJECT("\"p\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":65535}"),
	       "{\"p\":65536}", "range p; ");
	expect(OBJECT("\"s\":{\"type\":\"string\",\"minLength\":2}"), "{\"s\":\"5\"}",
	       "length s; ");
	expect(OBJECT("\"s\":{\"type\":\"string\",\"maxLength\":2}"),
	       "{\"s\":\"\xc3\xa4\xc3\xb6\"}", "");
	expect(OBJECT("\"s\":{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}"), "{\"s\":\"A\"}",
	       "pattern s; ");
	expect(OBJECT("\"l\":{\"type\":\"array\",\"minItems\":1}"), "{\"l\":[]}", "length l; ");
}

/* The path says where, in lists and maps as well. */
TEST(depths)
{
	expect(OBJECT("\"l\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"required\":[\"a\"],"
		      "\"properties\":{\"a\":{\"type\":\"string\"}}}}"),
	       "{\"l\":[{\"a\":\"x\"},{},{\"a\":1}]}", "required l[1].a; type l[2].a; ");
	expect(OBJECT("\"m\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"}}"),
	       "{\"m\":{\"x\":\"1\",\"y\":2}}", "type m.y; ");
}

TEST(unknown_fields)
{
	const char *schema = "{\"type\":\"object\",\"required\":[\"requires\"],\"properties\":"
			     "{\"requires\":{\"type\":\"array\"},\"image\":{\"type\":\"string\"}}}";

	expect(schema, "{\"requires\":[],\"imge\":\"x\"}", "unknown imge near image; ");
	expect(schema, "{\"requires\":[],\"image\":\"\",\"imge\":\"x\"}", "unknown imge; ");
	/* One misspelling, told once: by the field that is missing. */
	expect(schema, "{\"require\":[]}",
	       "required requires near require; unknown require near requires told; ");
	expect("{\"type\":\"object\",\"x-kubernetes-preserve-unknown-fields\":true,"
	       "\"properties\":{\"a\":{}}}",
	       "{\"b\":1}", "");
	expect("{\"type\":\"object\"}", "{\"b\":1}", "");
}

/* Whatever a CRD holds, nothing is demanded that it does not say in due form. */
TEST(malformed_schemas)
{
	expect("{}", "{\"a\":[1]}", "");
	expect("[]", "{\"a\":[1]}", "");
	expect("{\"type\":7,\"required\":{},\"properties\":[],\"enum\":1,\"pattern\":[]}", "\"x\"",
	       "");
	expect("{\"type\":\"string\",\"pattern\":\"(\"}", "\"x\"", "");
	expect("{\"required\":[1,null,\"a\"],\"properties\":{\"a\":7}}", "{}", "required a; ");
}

RUN_TESTS("text/schema", T(types), T(values), T(depths), T(unknown_fields), T(malformed_schemas))
