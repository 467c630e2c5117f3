/* Answers of k8s.io/apimachinery pkg/util/validation. */
#include "text/k8sname.h"

#include "tests/support/unit.h"

static const char *repeat(char c, size_t count)
{
	static char text[512];

	memset(text, c, count);
	text[count] = '\0';
	return text;
}

static const struct {
	const char *text;
	bool subdomain, label, service, value;
} rows[] = {
	{ "arena", true, true, true, true },       { "a-b", true, true, true, true },
	{ "9lives", true, true, false, true },     { "my.world", true, false, false, true },
	{ "My_World", false, false, false, true }, { "", false, false, false, true },
	{ "-a", false, false, false, false },      { "a-", false, false, false, false },
	{ "a..b", false, false, false, true },     { ".a", false, false, false, false },
	{ "a.-b", false, false, false, true },     { "fast path", false, false, false, false },
	{ "h\u00e9", false, false, false, false }, { "a\n", false, false, false, false },
};

TEST(names)
{
	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		assert_int_equal(diag_k8s_is_subdomain(rows[i].text), rows[i].subdomain);
		assert_int_equal(diag_k8s_is_label(rows[i].text), rows[i].label);
		assert_int_equal(diag_k8s_is_service_name(rows[i].text), rows[i].service);
		assert_int_equal(diag_k8s_is_label_value(rows[i].text), rows[i].value);
	}
}

TEST(lengths)
{
	assert_true(diag_k8s_is_label(repeat('a', 63)));
	assert_false(diag_k8s_is_label(repeat('a', 64)));
	assert_true(diag_k8s_is_label_value(repeat('a', 63)));
	assert_false(diag_k8s_is_label_value(repeat('a', 64)));
	assert_true(diag_k8s_is_subdomain(repeat('a', 253)));
	assert_false(diag_k8s_is_subdomain(repeat('a', 254)));
}

TEST(environment)
{
	static const struct {
		const char *text;
		bool strict, relaxed;
	} names[] = {
		{ "PATH", true, true },
		{ "BINDERY_CAPABILITY_NET_RELAY-V2_HOST", true, true },
		{ "-", true, true },
		{ "a.b", true, true },
		{ ".a", true, true },
		{ "1ST", false, true },
		{ ".", false, true },
		{ "..a", false, true },
		{ "with space", false, true },
		{ "a/b", false, true },
		{ "a=b", false, false },
		{ "", false, false },
		{ "h\u00e9", false, false },
		{ "a\tb", false, false },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(names); i++) {
		assert_int_equal(diag_k8s_is_env_name(names[i].text), names[i].strict);
		assert_int_equal(diag_k8s_is_env_name_relaxed(names[i].text), names[i].relaxed);
	}
}

/* The pattern of the CapabilityBinding CRD, laxer than the resolver in the rows marked so. */
TEST(versions)
{
	static const struct {
		const char *text;
		bool passes;
	} versions[] = {
		{ "1.2.3", true },
		{ "0.0.0-rc.1+meta.01", true },
		{ "1.0.0-01", true },                 /* laxer */
		{ "1.0.18446744073709551616", true }, /* laxer */
		{ "1.0.0--", true },
		{ "v1.2.3", false },
		{ "1.2", false },
		{ "1", false },
		{ "1.2.3.4", false },
		{ "01.2.3", false },
		{ "1.2.03", false },
		{ "1.2.3-", false },
		{ "1.2.3-a..b", false },
		{ "1.2.3+", false },
		{ "1.2.3-a_b", false },
		{ "1.2.3 ", false },
		{ "latest", false },
		{ "", false },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(versions); i++)
		assert_int_equal(diag_k8s_is_strict_version(versions[i].text), versions[i].passes);
}

RUN_TESTS("k8sname", T(names), T(lengths), T(environment), T(versions))
