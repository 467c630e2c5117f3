/* Values as k8s.io/apimachinery resource.ParseQuantity gives them. */
#include "text/quantity.h"

#include "tests/support/unit.h"

TEST(whole_units)
{
	static const struct {
		const char *text;
		int64_t whole;
		enum diag_quantity_format format;
	} rows[] = {
		{ "0", 0, DIAG_QUANTITY_DECIMAL },
		{ "5", 5, DIAG_QUANTITY_DECIMAL },
		{ "+5", 5, DIAG_QUANTITY_DECIMAL },
		{ "-5", -5, DIAG_QUANTITY_DECIMAL },
		{ "16Mi", 16777216, DIAG_QUANTITY_BINARY },
		{ "10Gi", INT64_C(10737418240), DIAG_QUANTITY_BINARY },
		{ ".5Gi", 536870912, DIAG_QUANTITY_BINARY },
		{ "1Ei", INT64_C(1152921504606846976), DIAG_QUANTITY_BINARY },
		{ "10G", INT64_C(10000000000), DIAG_QUANTITY_DECIMAL },
		{ "1.G", 1000000000, DIAG_QUANTITY_DECIMAL },
		{ "1E", INT64_C(1000000000000000000), DIAG_QUANTITY_DECIMAL },
		{ "1e3", 1000, DIAG_QUANTITY_EXPONENT },
		{ "1E3", 1000, DIAG_QUANTITY_EXPONENT },
		/* Rounded up, away from zero. */
		{ "100m", 1, DIAG_QUANTITY_DECIMAL },
		{ "1001m", 2, DIAG_QUANTITY_DECIMAL },
		{ "-1.5", -2, DIAG_QUANTITY_DECIMAL },
		{ "1e-3", 1, DIAG_QUANTITY_EXPONENT },
		{ "1.0000000000000000000000000001", 2, DIAG_QUANTITY_DECIMAL },
		{ "9223372036854775807", INT64_MAX, DIAG_QUANTITY_DECIMAL },
		/* A number left out is 0. */
		{ "Gi", 0, DIAG_QUANTITY_BINARY },
		{ "-", 0, DIAG_QUANTITY_DECIMAL },
		{ ".", 0, DIAG_QUANTITY_DECIMAL },
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct diag_quantity quantity;

		assert_int_equal(diag_quantity_parse(rows[i].text, &quantity, NULL), DIAG_OK);
		assert_true(quantity.whole == rows[i].whole);
		assert_int_equal(quantity.format, rows[i].format);
	}
}

TEST(what_does_not_fit_is_capped)
{
	static const char *const large[] = { "9223372036854775808", "8Ei", "100000E", "1e400",
					     "123456789012345678901234567890" };

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(large); i++) {
		struct diag_quantity quantity;

		assert_int_equal(diag_quantity_parse(large[i], &quantity, NULL), DIAG_OK);
		assert_true(quantity.whole == INT64_MAX);
		assert_true(quantity.value > 9e18);
	}
}

TEST(fractions)
{
	struct diag_quantity quantity;

	assert_int_equal(diag_quantity_parse("250m", &quantity, NULL), DIAG_OK);
	assert_true(quantity.value > 0.2499999999 && quantity.value < 0.2500000001);
	assert_int_equal(diag_quantity_parse("-1.5Ki", &quantity, NULL), DIAG_OK);
	assert_true(quantity.value < -1535.999 && quantity.value > -1536.001);
}

TEST(no_quantities)
{
	static const char *const rows[] = {
		"",      "ten gigs",
		"10gi",  "1 Gi",
		" 1Gi",  "1Gi ",
		"1Kib",  "1GB",
		"1e",    "1e+",
		"1e1.5", "1e 5",
		"1,5",   "1_0",
		"0x10",  "--1",
		"1.2.3", "Pi",
		".Ei",   "e-12",
		"1K",    "1e99999999999999999999",
	};

	for (size_t i = 0; i < DIAG_ARRAY_SIZE(rows); i++) {
		struct diag_error err = DIAG_ERROR_INIT;

		assert_int_equal(diag_quantity_parse(rows[i], NULL, &err), DIAG_E_PARSE);
		assert_true(*err.message);
	}
}

RUN_TESTS("quantity", T(whole_units), T(what_does_not_fit_is_capped), T(fractions),
	  T(no_quantities))
